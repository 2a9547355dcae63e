// ---- text ----------------------------------------------------------------------------------------------------------

define('length', ['text'], (text) => BigInt([...text].length));
// toUpperCase alone would make SS of ß; only a–z and A–Z are letters here.
define('upper', ['text'], (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()));
define('lower', ['text'], (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
define('trim', ['text'], (text) => text.replace(/^ +/, '').replace(/ +$/, ''));
define('ltrim', ['text'], (text) => text.replace(/^ +/, ''));
define('rtrim', ['text'], (text) => text.replace(/ +$/, ''));
define('replace', ['text', 'text', 'text'], (text, old, fresh) =>
  old === '' ? text : text.split(old).join(fresh));

define('instr', ['text', 'text'], (text, part) => {
  const at = text.indexOf(part);
  return at < 0 ? 0n : BigInt([...text.slice(0, at)].length + 1);
});

define(
  'substr',
  ['text', 'integer', 'integer'],
  (text, start, count) => {
    if (count < 0n) throw new SqlError('invalid_argument', `negative count for substr: ${count}`);
    const first = Number(start) - 1;
    const end = count === undefined ? Infinity : first + Number(count);
    return [...text].slice(Math.max(first, 0), Math.max(end, 0)).join('');
  },
  { required: 2 },
);
