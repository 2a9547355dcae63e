import { SqlError } from '../errors.mjs';
import { integer, real, textOf, typeOf } from '../types.mjs';

/** `+`, `-`, `*`, `/`, `%`; NULL if an operand is. @throws SqlError type_mismatch, division_by_zero, out_of_range */
export function arithmetic(operator, left, right) {
  if (left === null || right === null) return null;
  checkNumber(operator, left);
  checkNumber(operator, right);
  if ((operator === '/' || operator === '%') && Number(right) === 0) {
    throw new SqlError('division_by_zero', 'division by zero');
  }
  if (typeof left === 'bigint' && typeof right === 'bigint') return integer(calculate(operator, left, right));
  return real(calculate(operator, Number(left), Number(right)));
}

// On bigints JavaScript's `/` drops the fraction, as SQL's does; `%` takes the left operand's sign on both types.
function calculate(operator, left, right) {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    default:
      return left % right;
  }
}

/** The prefix operators `-` and `+`. */
export function signed(operator, value) {
  if (value === null) return null;
  checkNumber(operator, value);
  if (operator === '+') return value;
  return typeof value === 'bigint' ? -value : real(-value);
}

function checkNumber(operator, value) {
  if (typeof value !== 'bigint' && typeof value !== 'number') {
    throw new SqlError('type_mismatch', `${operator} cannot take ${typeOf(value)}`);
  }
}

/** `||` */
export function joinTexts(left, right) {
  return left === null || right === null ? null : textOf(left) + textOf(right);
}

/** The value itself if it is TRUE, FALSE or NULL; `where` names its place in the message. */
export function truthOf(value, where) {
  if (value !== null && typeof value !== 'boolean') {
    throw new SqlError('type_mismatch', `${where} cannot take ${typeOf(value)}`);
  }
  return value;
}

/** AND of a left operand and one that is evaluated only if the left does not decide. */
export function and(left, evaluateRight) {
  if (truthOf(left, 'AND') === false) return false;
  const right = truthOf(evaluateRight(), 'AND');
  if (right === false) return false;
  return left === null || right === null ? null : true;
}

/** OR, in the same manner. */
export function or(left, evaluateRight) {
  if (truthOf(left, 'OR') === true) return true;
  const right = truthOf(evaluateRight(), 'OR');
  if (right === true) return true;
  return left === null || right === null ? null : false;
}

export function not(value) {
  return truthOf(value, 'NOT') === null ? null : !value;
}
