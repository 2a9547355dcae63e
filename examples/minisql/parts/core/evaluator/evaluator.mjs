import { callFunction } from './functions.mjs';
import { and, arithmetic, joinTexts, not, or, signed, truthOf } from './operators.mjs';
import { castTo, compareValues } from './values.mjs';

const comparisons = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/**
 * The value of a bound expression for a row: its columns are `{ kind: 'slot', index }`, places in the row.
 * @throws SqlError what its operators and functions throw
 */
export function evaluate(expression, row) {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'slot':
      return row[expression.index];
    case 'unary': {
      const value = evaluate(expression.operand, row);
      return expression.operator === 'NOT' ? not(value) : signed(expression.operator, value);
    }
    case 'binary':
      return evaluateBinary(expression, row);
    case 'is-null':
      return (evaluate(expression.operand, row) === null) !== expression.negated;
    case 'cast':
      return castTo(evaluate(expression.operand, row), expression.type);
    case 'call':
      return callFunction(
        expression.name,
        expression.args.map((argument) => evaluate(argument, row)),
      );
    default:
      throw new TypeError(`cannot evaluate ${expression.kind}`);
  }
}

/** True if the condition is TRUE for the row, not if it is NULL. `where` names it in messages. */
export function holds(condition, row, where) {
  return truthOf(evaluate(condition, row), where) === true;
}

function evaluateBinary({ operator, left, right }, row) {
  const first = evaluate(left, row);
  if (operator === 'AND') return and(first, () => evaluate(right, row));
  if (operator === 'OR') return or(first, () => evaluate(right, row));
  const second = evaluate(right, row);
  if (operator === '||') return joinTexts(first, second);
  const isMet = comparisons[operator];
  if (!isMet) return arithmetic(operator, first, second);
  return first === null || second === null ? null : isMet(compareValues(first, second));
}
