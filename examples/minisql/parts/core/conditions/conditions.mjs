import { SqlError } from '../errors.mjs';
import { typeOf } from '../types.mjs';
import { and } from './operators.mjs';
import { fitsPattern } from './patterns.mjs';
import { compareValues } from './values.mjs';

const comparisons = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

// All of these give TRUE, FALSE or NULL.

/** `=`, `<>`, `<`, `<=`, `>`, `>=`. @throws SqlError type_mismatch */
export function compare(operator, left, right) {
  return left === null || right === null ? null : comparisons[operator](compareValues(left, right));
}

/** BETWEEN; the upper limit is evaluated only if the lower one does not decide. @throws SqlError type_mismatch */
export function between(value, low, evaluateHigh) {
  return and(compare('>=', value, low), () => compare('<=', value, evaluateHigh()));
}

/** IN: takes of the candidates only as many as it needs. @throws SqlError type_mismatch */
export function among(value, candidates) {
  let unknown = false;
  for (const candidate of candidates) {
    const equal = compare('=', value, candidate);
    if (equal) return true;
    unknown ||= equal === null;
  }
  return unknown ? null : false;
}

/** LIKE; `operands` are a text, its pattern and, if there is one, the character that escapes. @throws SqlError */
export function like(...operands) {
  if (operands.includes(null)) return null;
  const wrong = operands.find((operand) => typeof operand !== 'string');
  if (wrong !== undefined) throw new SqlError('type_mismatch', `LIKE cannot take ${typeOf(wrong)}`);
  return fitsPattern(...operands);
}
