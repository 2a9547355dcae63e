import { SqlError } from '../errors.mjs';

const anyCharacters = Symbol('%');
const oneCharacter = Symbol('_');

/** True if the whole text fits the pattern of LIKE; `escape` is null or one character. @throws SqlError invalid_argument */
export function fitsPattern(text, pattern, escape = null) {
  const parts = partsOf(pattern, escape);
  const characters = [...text];
  // The last % that was passed, and the first character that it does not take: only that one is ever tried again.
  let passed = null;
  let at = 0;
  let part = 0;
  while (at < characters.length) {
    if (parts[part] === anyCharacters) {
      passed = { part: part + 1, at };
      part += 1;
    } else if (part < parts.length && (parts[part] === oneCharacter || parts[part] === characters[at])) {
      part += 1;
      at += 1;
    } else if (passed !== null) {
      passed.at += 1;
      ({ part, at } = passed);
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === anyCharacters);
}

// Characters and wildcards. A pattern is read anew for each row; it is short.
function partsOf(pattern, escape) {
  if (escape !== null && [...escape].length !== 1) {
    throw new SqlError('invalid_argument', `ESCAPE takes one character, found '${escape}'`);
  }
  const parts = [];
  let escaped = false;
  for (const character of pattern) {
    if (escaped || character !== escape) {
      parts.push(escaped ? character : partOf(character));
      escaped = false;
    } else escaped = true;
  }
  if (escaped) throw new SqlError('invalid_argument', `the pattern '${pattern}' escapes nothing at its end`);
  return parts;
}

function partOf(character) {
  if (character === '%') return anyCharacters;
  return character === '_' ? oneCharacter : character;
}
