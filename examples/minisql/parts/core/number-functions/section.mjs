// ---- numbers -------------------------------------------------------------------------------------------------------

/** A function that leaves INTEGERs as they are and changes REALs. */
function defineForReals(name, change) {
  define(name, ['number'], (value) => (typeof value === 'bigint' ? value : real(change(value))));
}

defineForReals('floor', Math.floor);
defineForReals('ceil', Math.ceil);

define('abs', ['number'], (value) => (value < 0 ? -value : value));
define('sign', ['number'], (value) => BigInt(Math.sign(Number(value))));

define(
  'round',
  ['number', 'integer'],
  (value, digits = 0n) => {
    if (digits < 0n || digits > 15n)
      throw new SqlError('invalid_argument', `round cannot take ${digits} digits`);
    if (typeof value === 'bigint') return value;
    // Shifting the point in the decimal form keeps 1.005 from becoming 100.49999999999999.
    const shifted = shiftPoint(Math.abs(value), Number(digits));
    // Above 2^52 a double has no fraction, and an overflow while shifting means the same.
    if (shifted >= 2 ** 52) return value;
    return real(Math.sign(value) * shiftPoint(Math.floor(shifted + 0.5), -Number(digits)));
  },
  { required: 1 },
);

function shiftPoint(value, places) {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

define('power', ['number', 'number'], (base, exponent) => {
  const result = Number(base) ** Number(exponent);
  if (Number.isNaN(result) || (base == 0 && exponent < 0)) {
    throw new SqlError('invalid_argument', `power cannot take ${base} and ${exponent}`);
  }
  return real(result);
});

define('sqrt', ['number'], (value) => {
  if (value < 0) throw new SqlError('invalid_argument', `sqrt cannot take ${value}`);
  return Math.sqrt(Number(value));
});
