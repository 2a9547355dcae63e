import { compareValues, keyOfRow } from '../core/values.mjs';

/**
 * Sorts entries by their keys. `directions` has `{ descending, nulls }` for each key, nulls being `first` or `last`.
 * Entries with equal keys keep their order.
 * @throws SqlError type_mismatch
 */
export function sortByKeys(entries, keysOf, directions) {
  const keyed = entries.map((entry) => ({ entry, keys: keysOf(entry) }));
  keyed.sort((left, right) => {
    for (const [place, direction] of directions.entries()) {
      const order = compareKeys(left.keys[place], right.keys[place], direction);
      if (order !== 0) return order;
    }
    return 0;
  });
  return keyed.map(({ entry }) => entry);
}

function compareKeys(left, right, { descending, nulls }) {
  if (left === null || right === null) {
    if (left === right) return 0;
    return (left === null) === (nulls === 'first') ? -1 : 1;
  }
  const order = compareValues(left, right);
  return descending ? -order : order;
}

/** The first of the entries whose values are all the same. */
export function distinctEntries(entries, valuesOf) {
  const seen = new Set();
  return entries.filter((entry) => {
    const key = keyOfRow(valuesOf(entry));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
