const longest = 64;

const word = /[\p{L}\p{N}\p{M}]+/gu;
/** Where `getRows` and `utf8Text` have a new word. */
const hump = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
/** Letters of scripts that write words without blanks between them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Text as it is compared: without regard to case, and to how an accent is written. */
export function folded(text: string): string {
  return (/\p{M}/u.test(text) ? text.normalize('NFC') : text).toLowerCase();
}

/**
 * The words of a text in lower case, in order. `getRows` is `getrows`, `get` and `rows`, so that it is found by each.
 * Where a script has no blanks, every two letters that stand together are a word.
 */
export function wordsOf(text: string): string[] {
  if (!hump.test(text) && !unspaced.test(text)) return shortened(folded(text).match(word) ?? []);
  const words: string[] = [];
  for (const raw of text.normalize('NFC').match(word) ?? []) {
    if (unspaced.test(raw)) {
      words.push(...pairs(raw.toLowerCase()));
      continue;
    }
    words.push(raw.toLowerCase());
    const parts = raw.split(hump);
    if (parts.length > 1) words.push(...parts.map((part) => part.toLowerCase()));
  }
  return shortened(words);
}

function shortened(words: readonly string[]): string[] {
  return words.map((text) => (text.length > longest ? text.slice(0, longest) : text));
}

function pairs(letters: string): string[] {
  const points = Array.from(letters);
  return points.length === 1 ? points : points.slice(1).map((point, index) => (points[index] ?? '') + point);
}
