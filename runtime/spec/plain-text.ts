import type { Heading, ParsedDocument } from './heading.ts';

const longestTitle = 100;

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

/** Titles underlined with `===`, `---` or `~~~`: the mark that comes first is the highest. */
function underlined(lines: readonly string[]): Heading[] {
  const marks: string[] = [];
  const headings: Heading[] = [];
  for (const [index, line] of lines.entries()) {
    const mark = /^([=\-~])\1{2,}\s*$/u.exec(lines[index + 1] ?? '')?.[1];
    const isTitle = /^\S/u.test(line) && /[\p{L}\p{N}]/u.test(line) && line.length <= longestTitle;
    if (mark === undefined || !isTitle || !isBlank(lines[index - 1])) continue;
    if (!marks.includes(mark)) marks.push(mark);
    headings.push({ title: line.trim(), depth: marks.indexOf(mark) + 1, line: index + 1 });
  }
  return headings;
}

/** Whether `next` can follow `last` as a number: `1.2` is followed by `1.2.1`, `1.3` or `2`. */
function follows(last: readonly number[], next: readonly number[]): boolean {
  const parent = next.slice(0, -1);
  const number = next.at(-1) ?? 0;
  if (parent.some((part, index) => part !== last[index])) return false;
  const before = last[parent.length];
  return before === undefined ? number <= 1 : number === before + 1;
}

/** Lines such as `3.2 Joins` that stand alone and whose numbers follow each other, so that no list is taken for them. */
function numbered(lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  let last: readonly number[] = [];
  for (const [index, line] of lines.entries()) {
    const match = /^(?:section\s+|chapter\s+)?(\d+(?:\.\d+)*)[.):]?\s+(\S.*)$/iu.exec(line);
    const [, digits, title] = match ?? [];
    if (digits === undefined || title === undefined || line.length > longestTitle) continue;
    const after = lines[index + 1];
    const standsAlone = isBlank(lines[index - 1]) && (isBlank(after) || /^[=\-~]{3,}\s*$/u.test(after ?? ''));
    const number = digits.split('.').map(Number);
    if (!standsAlone || /[.,;:]$/u.test(title.trimEnd()) || !follows(last, number)) continue;
    last = number;
    headings.push({ title: line.trim(), depth: number.length, line: index + 1 });
  }
  return headings;
}

/** The headings of a plain text where they are evident: numbered ones (two or more), else underlined ones, else none. */
export function parsePlainText(lines: readonly string[]): ParsedDocument {
  const byNumber = numbered(lines);
  return { headings: byNumber.length > 1 ? byNumber : underlined(lines), bodyLine: 1 };
}
