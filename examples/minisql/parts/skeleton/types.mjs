import { SqlError } from './errors.mjs';

// The type of a value is its JavaScript type: INTEGER bigint, REAL number, TEXT string, BOOLEAN boolean, NULL null.
const typeNames = { bigint: 'integer', number: 'real', string: 'text', boolean: 'boolean' };

/** `integer`, `real`, `text`, `boolean`, or `null`. */
export function typeOf(value) {
  return value === null ? 'null' : typeNames[typeof value];
}

const greatest = BigInt(Number.MAX_SAFE_INTEGER);

/** The INTEGER itself, if it is in range. */
export function integer(value) {
  if (value > greatest || value < -greatest)
    throw new SqlError('out_of_range', `INTEGER out of range: ${value}`);
  return value;
}

/** The REAL itself, if it is finite; negative zero becomes zero. */
export function real(value) {
  if (!Number.isFinite(value)) throw new SqlError('out_of_range', 'REAL out of range');
  return value === 0 ? 0 : value;
}

/** The text form of a value that is not NULL. */
export function textOf(value) {
  const text = String(value);
  return typeof value === 'number' && /^-?\d+$/.test(text) ? `${text}.0` : text;
}
