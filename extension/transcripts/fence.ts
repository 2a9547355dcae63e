/** Characters of one text that a document shows; the rest is in the run's store. */
const longest = 20_000;

/** A text that somebody else wrote, as a block of Markdown that it cannot break out of: nothing in it is active. */
export function fenced(text: string, language = 'text'): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${marks}\n`;
}

/** The text as far as it is shown, and how many characters were left out. */
export function cutText(text: string): { readonly shown: string; readonly left: number } {
  if (text.length <= longest) return { shown: text, left: 0 };
  // A line is not cut in its middle where there are lines, and a pair of surrogates never.
  const at = text.lastIndexOf('\n', longest);
  const shown = at > longest / 2 ? text.slice(0, at + 1) : text.slice(0, longest).toWellFormed();
  return { shown, left: text.length - shown.length };
}

/** Names of tools and arguments come from models: those that are no plain word are not shown as one. */
export function plainWord(name: string): string | undefined {
  return /^[A-Za-z][\w-]{0,63}$/u.test(name) ? name : undefined;
}

function longestRun(text: string): number {
  let run = 0;
  for (const [marks] of text.matchAll(/`+/gu)) run = Math.max(run, marks.length);
  return run;
}

/** The line that tells how the turns end, in a transcript that this wrote: what was told at first stands below. */
export function endOfTurns(lines: readonly string[]): number {
  let fence: string | undefined;
  for (const [number, line] of lines.entries()) {
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      continue;
    }
    fence = /^(`{3,})[a-z]*$/u.exec(line)?.[1];
    if (line === '---') return Math.min(number + 2, lines.length - 1);
  }
  return lines.length - 1;
}
