/** A file as lines, each with its terminator. Lines are numbered on first use: equal numbers are equal lines. */
export interface Lines {
  readonly buffer: Buffer;
  /** The bytes as a string, a character each: decoding once and slicing beats decoding each line. */
  readonly text: string;
  /** Byte offset of each line, and the length of the file at the end. */
  readonly starts: Uint32Array;
  readonly ids: Int32Array;
  readonly table: LineTable;
}

/** Numbers for lines, shared by the files that are compared. */
export type LineTable = Map<string, number>;

/** Files of more lines are not compared. */
const mostLines = 500_000;
/** Bytes compared in one go. */
const compareBlock = 4096;

/**
 * Splits at LF and keeps it, so that CRLF, a lone CR and a missing final newline are part of the line as they are in git.
 * Any encoding without NUL bytes passes through unharmed. Undefined when there are too many lines.
 */
export function splitLines(bytes: Uint8Array, table: LineTable): Lines | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('latin1');
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    count += 1;
    if (count > mostLines) return undefined;
  }
  const starts = new Uint32Array(count + (text === '' || text.endsWith('\n') ? 1 : 2));
  for (let line = 1; line <= count; line += 1) starts[line] = text.indexOf('\n', starts[line - 1]) + 1;
  starts[starts.length - 1] = text.length;
  return { buffer, text, starts, ids: new Int32Array(starts.length - 1).fill(-1), table };
}

export function lineCount(lines: Lines): number {
  return lines.ids.length;
}

export function lineId(lines: Lines, index: number): number {
  const known = lines.ids[index] ?? -1;
  if (known >= 0) return known;
  const text = lines.text.slice(lines.starts[index], lines.starts[index + 1]);
  let id = lines.table.get(text);
  if (id === undefined) {
    id = lines.table.size;
    lines.table.set(text, id);
  }
  lines.ids[index] = id;
  return id;
}

/** The bytes of lines [from, to). */
export function linesBetween(lines: Lines, from: number, to: number): Uint8Array {
  return lines.buffer.subarray(lines.starts[from], lines.starts[to]);
}

/** Lines that both files begin with, found by comparing bytes: most of most files need no more. */
export function commonHead(left: Lines, right: Lines): number {
  const bytes = commonBytes(left.buffer, right.buffer);
  const most = Math.min(lineCount(left), lineCount(right));
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    // Where bytes agree, lines start at the same places; only a last line without newline can end elsewhere.
    if ((left.starts[middle] ?? Infinity) <= bytes && left.starts[middle] === right.starts[middle])
      low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Lines that both files end with, not counting the first `head`. */
export function commonTail(left: Lines, right: Lines, head: number): number {
  const [leftCount, rightCount] = [lineCount(left), lineCount(right)];
  const [leftEnd, rightEnd] = [left.buffer.length, right.buffer.length];
  const bytes = commonLastBytes(left.buffer, right.buffer);
  let low = 0;
  let high = Math.min(leftCount, rightCount) - head;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const fromEnd = leftEnd - (left.starts[leftCount - middle] ?? 0);
    if (fromEnd <= bytes && fromEnd === rightEnd - (right.starts[rightCount - middle] ?? 0)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How many bytes both end with. */
function commonLastBytes(left: Buffer, right: Buffer): number {
  const most = Math.min(left.length, right.length);
  let same = 0;
  while (same < most) {
    const size = Math.min(compareBlock, most - same);
    const [a, b] = [left.length - same - size, right.length - same - size];
    if (left.compare(right, b, b + size, a, a + size) !== 0) break;
    same += size;
  }
  while (same < most && left[left.length - same - 1] === right[right.length - same - 1]) same += 1;
  return same;
}

/** How many bytes both begin with. */
function commonBytes(left: Buffer, right: Buffer): number {
  const most = Math.min(left.length, right.length);
  let same = 0;
  while (same < most) {
    const end = Math.min(same + compareBlock, most);
    if (left.compare(right, same, end, same, end) !== 0) break;
    same = end;
  }
  while (same < most && left[same] === right[same]) same += 1;
  return same;
}
