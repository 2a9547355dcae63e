// ---- any type ------------------------------------------------------------------------------------------------------

define('coalesce', ['any'], (...values) => values.find((value) => value !== null) ?? null, {
  variadic: true,
  nulls: true,
});

define(
  'nullif',
  ['any', 'any'],
  (left, right) => (left !== null && right !== null && compareValues(left, right) === 0 ? null : left),
  { nulls: true },
);

define('typeof', ['any'], typeOf, { nulls: true });
