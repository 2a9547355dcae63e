import { SqlError } from '../errors.mjs';
import { integer, real, textOf, typeOf } from '../types.mjs';

function isNumber(value) {
  return typeof value === 'bigint' || typeof value === 'number';
}

/**
 * Below zero, zero or above zero as `left` is less than, equal to or greater than `right`; neither is NULL.
 * @throws SqlError type_mismatch
 */
export function compareValues(left, right) {
  if (typeof left !== typeof right && !(isNumber(left) && isNumber(right))) {
    throw new SqlError('type_mismatch', `cannot compare ${typeOf(left)} with ${typeOf(right)}`);
  }
  // JavaScript compares bigint with number by value and without loss.
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** A key for Map and Set: equal for values that DISTINCT and GROUP BY take for the same. */
export function keyOf(value) {
  // Each INTEGER is a double without loss.
  if (isNumber(value)) return Number(value);
  return typeof value === 'string' ? `'${value}` : String(value);
}

/** One key for several values. */
export function keyOfRow(values) {
  return JSON.stringify(values.map(keyOf));
}

/** The value as a column of the type keeps it. @throws SqlError type_mismatch, out_of_range */
export function storeAs(value, type, column) {
  const from = typeOf(value);
  if (from === 'null' || from === type) return value;
  if (from === 'integer' && type === 'real') return Number(value);
  if (from === 'real' && type === 'integer' && Number.isInteger(value)) return integer(BigInt(value));
  throw new SqlError('type_mismatch', `column ${column} of type ${type} cannot hold ${from}`);
}

const casts = {
  'integer real': Number,
  'real integer': (value) => integer(BigInt(Math.trunc(value))),
  'integer text': textOf,
  'real text': textOf,
  'boolean text': textOf,
  'text integer': (text) => integer(BigInt(readable(text, /^[+-]?\d+$/, 'integer').replace('+', ''))),
  'text real': (text) => real(Number(readable(text, /^[+-]?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i, 'real'))),
  'text boolean': (text) => readable(text, /^(true|false)$/i, 'boolean').toLowerCase() === 'true',
  'boolean integer': BigInt,
  'integer boolean': (value) => value !== 0n,
};

function readable(text, form, type) {
  const trimmed = type === 'boolean' ? text : text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  if (!form.test(trimmed)) throw new SqlError('invalid_cast', `cannot read as ${type}: '${text}'`);
  return trimmed;
}

/** CAST. @throws SqlError type_mismatch, invalid_cast, out_of_range */
export function castTo(value, type) {
  const from = typeOf(value);
  if (from === 'null' || from === type) return value;
  const cast = casts[`${from} ${type}`];
  if (!cast) throw new SqlError('type_mismatch', `cannot cast ${from} to ${type}`);
  return cast(value);
}
