import { SqlError } from '../errors.mjs';
import { integer, real, typeOf } from '../types.mjs';
import { compareValues, keyOf } from './values.mjs';

// Each makes a collector: `add` takes a value that is not NULL, `result` may be asked for once, at the end.
const collectors = new Map([
  ['count', countValues],
  ['sum', sumValues],
  ['avg', averageValues],
  ['min', () => keepValue((difference) => difference < 0)],
  ['max', () => keepValue((difference) => difference > 0)],
]);

/** True for a name in lower case that is an aggregate. */
export function isAggregate(name) {
  return collectors.has(name);
}

/** The value of an aggregate over the values of a group. @throws SqlError type_mismatch, out_of_range */
export function aggregate(name, distinct, values) {
  const { add, result } = collectors.get(name)();
  const seen = new Set();
  for (const value of values) {
    if (value === null) continue;
    if (distinct) {
      const key = keyOf(value);
      if (seen.has(key)) continue;
      seen.add(key);
    }
    add(value);
  }
  return result();
}

function countValues() {
  let count = 0n;
  return { add: () => (count += 1n), result: () => count };
}

function sumValues() {
  // Integers are added apart and without a limit: only the sum must be in range, whatever the order of the rows.
  let whole = 0n;
  let fractions = null;
  let empty = true;
  return {
    add: (value) => {
      empty = false;
      if (typeof value === 'bigint') whole += value;
      else fractions = (fractions ?? 0) + numberOf(value, 'sum');
    },
    result: () => {
      if (empty) return null;
      return fractions === null ? integer(whole) : real(fractions + Number(whole));
    },
  };
}

function averageValues() {
  let sum = 0;
  let count = 0;
  return {
    add: (value) => {
      sum += numberOf(value, 'avg');
      count += 1;
    },
    result: () => (count === 0 ? null : real(sum / count)),
  };
}

function keepValue(isBetter) {
  let kept = null;
  return {
    add: (value) => {
      if (kept === null || isBetter(compareValues(value, kept))) kept = value;
    },
    result: () => kept,
  };
}

function numberOf(value, name) {
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value);
  throw new SqlError('type_mismatch', `${name} cannot take ${typeOf(value)}`);
}
