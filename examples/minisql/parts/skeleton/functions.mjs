import { SqlError } from '../errors.mjs';
import { typeOf } from '../types.mjs';

const functions = new Map();

/**
 * Adds a function. `kinds` has one entry for each argument: `text`, `integer`, `number` or `any`; the arguments from
 * `required` on may be left out. Arguments are checked before `run` sees them, and a NULL answers NULL without it.
 */
function define(name, kinds, run, { required = kinds.length, variadic = false, nulls = false } = {}) {
  functions.set(name, { name, kinds, run, required, variadic, nulls });
}

function fits(kind, value) {
  const type = typeOf(value);
  return kind === 'any' || kind === type || (kind === 'number' && (type === 'integer' || type === 'real'));
}

// ---- text ----------------------------------------------------------------------------------------------------------

// ---- numbers -------------------------------------------------------------------------------------------------------

// ---- any type ------------------------------------------------------------------------------------------------------

// ---- look-up -------------------------------------------------------------------------------------------------------

/** Checks name and number of arguments. @throws SqlError no_such_function, wrong_argument_count */
export function checkCall(name, count) {
  const found = functions.get(name);
  if (!found) throw new SqlError('no_such_function', `no such function: ${name}`);
  if (count < found.required || (count > found.kinds.length && !found.variadic)) {
    throw new SqlError('wrong_argument_count', `wrong number of arguments for ${name}: ${count}`);
  }
}

/** The value of a call whose name and number of arguments were checked. */
export function callFunction(name, args) {
  const { kinds, run, nulls } = functions.get(name);
  if (!nulls && args.includes(null)) return null;
  args.forEach((value, index) => {
    if (!fits(kinds[Math.min(index, kinds.length - 1)], value)) {
      throw new SqlError(
        'type_mismatch',
        `argument ${index + 1} of ${name} cannot be of type ${typeOf(value)}`,
      );
    }
  });
  return run(...args);
}
