import { SqlError } from '../errors.mjs';
import { among, between, compare, like } from './conditions.mjs';
import { callFunction } from './functions.mjs';
import { and, arithmetic, joinTexts, not, or, signed, truthOf } from './operators.mjs';
import { castTo } from './values.mjs';

/**
 * The value of a bound expression for a row: its columns are `{ kind: 'slot', index }`, places in the row, and its
 * subqueries have `inputs`, expressions on the row, and `answer(values)`, the rows for the values of the inputs.
 * @throws SqlError what its operators, functions and subqueries throw
 */
export function evaluate(expression, row) {
  const valueOf = (part) => evaluate(part, row);
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'slot':
      return row[expression.index];
    case 'unary': {
      const value = valueOf(expression.operand);
      return expression.operator === 'NOT' ? not(value) : signed(expression.operator, value);
    }
    case 'binary':
      return evaluateBinary(expression, valueOf);
    case 'is-null':
      return (valueOf(expression.operand) === null) !== expression.negated;
    case 'like': {
      const { operand, pattern, escape } = expression;
      const operands = escape === null ? [operand, pattern] : [operand, pattern, escape];
      return like(...operands.map(valueOf));
    }
    case 'between': {
      const { operand, low, high } = expression;
      return between(valueOf(operand), valueOf(low), () => valueOf(high));
    }
    case 'in':
      // An iterator, so that the choices behind the one that is equal are left alone.
      return among(valueOf(expression.operand), expression.choices.values().map(valueOf));
    case 'case':
      return evaluateCase(expression, valueOf);
    case 'cast':
      return castTo(valueOf(expression.operand), expression.type);
    case 'call':
      return callFunction(expression.name, expression.args.map(valueOf));
    case 'subquery':
      return evaluateSubquery(expression, valueOf);
    default:
      throw new TypeError(`cannot evaluate ${expression.kind}`);
  }
}

/** True if the condition is TRUE for the row, not if it is NULL. `where` names it in messages. */
export function holds(condition, row, where) {
  return truthOf(evaluate(condition, row), where) === true;
}

function evaluateBinary({ operator, left, right }, valueOf) {
  const first = valueOf(left);
  switch (operator) {
    case 'AND':
      return and(first, () => valueOf(right));
    case 'OR':
      return or(first, () => valueOf(right));
    case '||':
      return joinTexts(first, valueOf(right));
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return arithmetic(operator, first, valueOf(right));
    default:
      return compare(operator, first, valueOf(right));
  }
}

function evaluateCase({ operand, branches, otherwise }, valueOf) {
  const wanted = operand && valueOf(operand);
  const isMet = ({ when }) =>
    operand === null ? truthOf(valueOf(when), 'WHEN') : compare('=', wanted, valueOf(when));
  const taken = branches.find(isMet)?.then ?? otherwise;
  return taken && valueOf(taken);
}

function evaluateSubquery({ use, operand, inputs, answer }, valueOf) {
  const value = operand && valueOf(operand);
  const rows = answer(inputs.map(valueOf));
  switch (use) {
    case 'exists':
      return rows.length > 0;
    case 'in':
      return among(
        value,
        rows.values().map(([candidate]) => candidate),
      );
    default:
      if (rows.length > 1)
        throw new SqlError('too_many_rows', `a subquery for one value has ${rows.length} rows`);
      return rows[0]?.[0] ?? null;
  }
}
