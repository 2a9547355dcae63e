import { TextDecoder } from 'node:util';
import { SpecError } from './errors.ts';

const marks = [
  { name: 'utf-16le', mark: [0xff, 0xfe] },
  { name: 'utf-16be', mark: [0xfe, 0xff] },
  { name: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
] as const;

/**
 * The text of a document. Its encoding is what its mark (BOM) says, else what it names itself, else UTF-8. The mark is
 * not part of it.
 * @throws SpecError `binary`, `unknown-encoding`
 */
export function decodeDocument(bytes: Uint8Array, path: string, named = 'utf-8'): string {
  const marked = marks.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  const encoding = marked?.name ?? named;
  const decoder = decoderOf(encoding, path);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (error) {
    throw new SpecError('binary', `${path} is not ${encoding}`, { path, encoding }, error);
  }
  if (text.includes('\0')) throw new SpecError('binary', `${path} holds a NUL`, { path, encoding });
  return text;
}

function decoderOf(encoding: string, path: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (error) {
    const shown = encoding.slice(0, 40).toWellFormed();
    throw new SpecError(
      'unknown-encoding',
      `${path} names the encoding ${shown}`,
      { path, encoding: shown },
      error,
    );
  }
}
