  if (typeof left === 'string') return compareTexts(left, right);
  // JavaScript compares bigint with number by value and without loss.
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

function compareTexts(left, right) {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = rank(left.charCodeAt(index)) - rank(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

// JavaScript orders by UTF-16 units, where the surrogates of U+10000 and above stand before U+E000 to U+FFFF.
function rank(unit) {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
