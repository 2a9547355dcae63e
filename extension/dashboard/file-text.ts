import type { FileText } from '#protocol/dashboard-api.ts';

/** Bytes of a file that are shown: more than anybody reads in a panel. */
const longest = 200_000;

/** Text is what is UTF-8 without NUL; everything else is told by its size. */
export function fileText(bytes: Uint8Array): FileText {
  const isCut = bytes.length > longest;
  const shown = isCut ? bytes.subarray(0, endOfLine(bytes)) : bytes;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(shown);
    if (!text.includes('\0')) return { kind: 'text', text, isCut };
  } catch {
    // It is in another encoding, or no text.
  }
  return { kind: 'binary', bytes: bytes.length };
}

/** A line that is longer than what is shown is left out whole: a cut must not fall into a character. */
function endOfLine(bytes: Uint8Array): number {
  return bytes.lastIndexOf(10, longest - 1) + 1;
}
