import { isSecretFile } from '#protocol/secret-files.ts';
import type { FileEntry } from '#protocol/change-sets.ts';
import type { FileTree } from '#protocol/file-tree.ts';

/** Larger ones are for commands: a text tool holds the whole file several times over. Bytes. */
const textFileBytes = 16 * 1024 * 1024;

/** The text of a file without its byte order mark, which is kept aside to be written back. */
export interface Text {
  readonly text: string;
  readonly bom: boolean;
}

export type TextFile =
  | { readonly kind: 'text'; readonly entry: FileEntry; readonly content: Text }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'absent' }
  /** `problem` says why a text tool leaves it alone. */
  | { readonly kind: 'refused'; readonly problem: string };

export type LineEnds = 'none' | 'lf' | 'crlf' | 'mixed';

/** Reads a file for a text tool: strictly UTF-8, links not followed. */
export async function readTextFile(tree: FileTree, path: string): Promise<TextFile> {
  const entry = tree.entry(path);
  if (entry === undefined) return { kind: 'absent' };
  if (isSecretFile(path)) return { kind: 'refused', problem: `${path} holds secrets: it is not read` };
  if (entry.mode !== 'symlink' && entry.size > textFileBytes) {
    return { kind: 'refused', problem: `${path} has ${entry.size} bytes: too large for a text tool` };
  }
  const bytes = await tree.read(path);
  if (entry.mode === 'symlink') return { kind: 'link', target: new TextDecoder().decode(bytes) };
  const content = decodeText(bytes);
  if (content !== undefined) return { kind: 'text', entry, content };
  return { kind: 'refused', problem: `${path} is ${describeBytes(bytes)}: text tools leave it alone` };
}

/** Undefined for what is not UTF-8 or holds a NUL: decoding with loss and writing back would damage it. */
export function decodeText(bytes: Uint8Array): Text | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith('\uFEFF') ? { text: text.slice(1), bom: true } : { text, bom: false };
  } catch {
    return undefined;
  }
}

export function encodeText(content: Text): Uint8Array {
  return new TextEncoder().encode(content.bom ? `\uFEFF${content.text}` : content.text);
}

export function lineEndsOf(text: string): LineEnds {
  const all = text.split('\n').length - 1;
  if (all === 0) return 'none';
  const crlf = text.split('\r\n').length - 1;
  if (crlf === 0) return 'lf';
  return crlf === all ? 'crlf' : 'mixed';
}

/** The lines without their ends; a text that ends with a line end has no empty line after it. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const ended = lines.at(-1) === '';
  if (ended) lines.pop();
  return lines.map((line, index) =>
    line.endsWith('\r') && (ended || index < lines.length - 1) ? line.slice(0, -1) : line,
  );
}

function describeBytes(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'UTF-16, not UTF-8';
  return bytes.includes(0) ? 'binary' : 'not UTF-8';
}
