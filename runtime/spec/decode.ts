import { SpecError } from './errors.ts';

const encodings = [
  { name: 'utf-16le', mark: [0xff, 0xfe] },
  { name: 'utf-16be', mark: [0xfe, 0xff] },
  { name: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { name: 'utf-8', mark: [] },
] as const;

/** The text of a document in UTF-8, or in UTF-16 with its mark. The mark is not part of it. @throws SpecError `binary` */
export function decodeDocument(bytes: Uint8Array, path: string): string {
  const encoding = encodings.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  const name = encoding?.name ?? 'utf-8';
  try {
    const text = new TextDecoder(name, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch (error) {
    throw new SpecError('binary', `${path} is not ${name}`, { path, encoding: name }, error);
  }
  throw new SpecError('binary', `${path} holds a NUL`, { path, encoding: name });
}
