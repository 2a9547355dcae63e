import { readFileSync } from 'node:fs';

/**
 * Names of the files in a vsix, which is a ZIP archive: its central directory (APPNOTE.TXT 6.3.10, 4.3.12 and 4.3.16).
 * @throws Error when there is no central directory
 */
export function vsixEntries(file: string): readonly string[] {
  const bytes = readFileSync(file);
  // The record that ends the archive; a comment may follow it.
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end === -1) throw new Error(`${file} is no ZIP archive`);
  const count = bytes.readUInt16LE(end + 10);
  const names: string[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error(`${file} has a damaged directory`);
    const nameLength = bytes.readUInt16LE(at + 28);
    names.push(bytes.toString('utf8', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return names.filter((name) => !name.endsWith('/')).toSorted();
}
