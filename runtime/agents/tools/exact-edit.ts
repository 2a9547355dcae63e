import { lineEndsOf, linesOf } from './text-file.ts';

export type ExactEdit =
  | { readonly kind: 'edited'; readonly text: string }
  | { readonly kind: 'refused'; readonly problem: string; readonly hint: string };

/**
 * Replaces the one place where `old` stands by `replacement`. Line ends match in normalised form, so that a model
 * need not know them, and are written back as the touched lines have them; every other byte stays. Never a best
 * match: no place and several places are refused.
 */
export function editExactly(text: string, old: string, replacement: string): ExactEdit {
  if (old === '') return refused('old: wanted the text to replace; write_file makes a new file');
  if (normalise(old) === normalise(replacement)) return refused('new: is the same as old');
  // Where a file mixes line ends, an `old` that spells out CRLF may mean one of two places that differ in nothing else.
  if (old.includes('\r\n') && lineEndsOf(text) === 'mixed') {
    const places = placesOf(text, old);
    const [place] = places;
    if (place !== undefined && places.length === 1) {
      return { kind: 'edited', text: text.slice(0, place) + replacement + text.slice(place + old.length) };
    }
  }
  return editNormalised(text, normalise(old), normalise(replacement));
}

function editNormalised(text: string, old: string, replacement: string): ExactEdit {
  const normalised = normalise(text);
  const places = placesOf(normalised, old);
  const [place] = places;
  if (place === undefined) return refused('old: is not in the file', hintFor(text, old));
  if (places.length > 1) {
    const lines = places.map((at) => normalised.slice(0, at).split('\n').length);
    const more = lines.length > 5 ? ', …' : '';
    return refused(
      `old: stands in the file ${lines.length} times, wanted once`,
      `It begins at lines ${lines.slice(0, 5).join(', ')}${more}. Take in more of the lines around it.`,
    );
  }
  // What both have in common at either end is not touched, whatever its line ends are.
  const prefix = commonPrefix(old, replacement);
  const suffix = commonSuffix(old.slice(prefix), replacement.slice(prefix));
  const start = rawIndex(text, place + prefix);
  const end = rawIndex(text, place + old.length - suffix);
  const lineEnd = lineEndNear(text, start);
  const inserted = replacement.slice(prefix, replacement.length - suffix).replaceAll('\n', lineEnd);
  return { kind: 'edited', text: text.slice(0, start) + inserted + text.slice(end) };
}

function refused(problem: string, hint = ''): ExactEdit {
  return { kind: 'refused', problem, hint };
}

function normalise(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Where `part` begins in `text`; overlapping places count. */
function placesOf(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

function commonPrefix(left: string, right: string): number {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length += 1;
  return length;
}

function commonSuffix(left: string, right: string): number {
  let length = 0;
  const most = Math.min(left.length, right.length);
  while (length < most && left[left.length - 1 - length] === right[right.length - 1 - length]) length += 1;
  return length;
}

/** The index in `text` of what stands at `index` of its normalised form; a CRLF is found at its CR. */
function rawIndex(text: string, index: number): number {
  let raw = index;
  for (let at = text.indexOf('\r\n'); at >= 0 && at < raw; at = text.indexOf('\r\n', at + 2)) raw += 1;
  return raw;
}

/** The line end of the line that `start` is in, else of the line before. */
function lineEndNear(text: string, start: number): string {
  const within = text.indexOf('\n', start);
  const at = within >= 0 ? within : text.lastIndexOf('\n', start);
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

/** What most often went wrong when `old` is not there. */
function hintFor(text: string, old: string): string {
  const wanted = linesOf(old);
  if (wanted.length > 0 && wanted.every((line) => /^\s*\d+\t/.test(line))) {
    return 'The numbers that read_file puts before the lines are not part of the file.';
  }
  const bare = wanted.map((line) => line.trim());
  const lines = linesOf(text).map((line) => line.trim());
  const at = lines.findIndex((_, start) => bare.every((line, offset) => lines[start + offset] === line));
  if (at >= 0 && bare.some((line) => line !== '')) {
    return `Line ${at + 1} begins the same text with other white space.`;
  }
  return 'Read the file again: it may have changed.';
}
