const longest = 64;

const word = /[\p{L}\p{N}\p{M}]+/gu;
/** Where `getRows` and `utf8Text` have a new word. */
const hump = /(?<=[a-z0-9])(?=[A-Z])/u;
/** Text without such letters is in a script with blanks between words, and has no combining marks. Cheap to look for. */
const uncommon = /[^ -\u02FF\s\u2000-\u20CF\u2100-\u2BFF]/u;
/** Letters of scripts that write words without blanks between them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Text as it is compared: without regard to case, and to how an accent is written. */
export function folded(text: string): string {
  return composed(text).toLowerCase();
}

/**
 * The words of a text in lower case, in order. `getRows` is `getrows`, `get` and `rows`, so that it is found by each.
 * Where a script has no blanks, every two letters that stand together are a word.
 */
export function wordsOf(text: string): string[] {
  const isUnspaced = uncommon.test(text) && unspaced.test(text);
  if (!isUnspaced && !hump.test(text)) return shortened(folded(text).match(word) ?? []);
  const words: string[] = [];
  for (const raw of composed(text).match(word) ?? []) {
    if (isUnspaced && unspaced.test(raw)) {
      for (const pair of pairs(raw.toLowerCase())) words.push(pair);
      continue;
    }
    words.push(raw.toLowerCase());
    const parts = raw.split(hump);
    // One by one: a line can be one word of millions of parts, more than a call takes as arguments.
    if (parts.length > 1) for (const part of parts) words.push(part.toLowerCase());
  }
  return shortened(words);
}

function composed(text: string): string {
  return uncommon.test(text) ? text.normalize('NFC') : text;
}

function shortened(words: string[]): string[] {
  return words.some((text) => text.length > longest) ? words.map((text) => text.slice(0, longest)) : words;
}

function pairs(letters: string): string[] {
  const points = Array.from(letters);
  return points.length === 1 ? points : points.slice(1).map((point, index) => (points[index] ?? '') + point);
}
