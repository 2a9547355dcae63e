import { describe, expect, it } from 'vitest';
import { fileText } from './file-text.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the text of a file in the dashboard', () => {
  it('is what UTF-8 says', () => {
    expect(fileText(bytes('grün\r\n'))).toEqual({ kind: 'text', text: 'grün\r\n', isCut: false });
    expect(fileText(bytes(''))).toEqual({ kind: 'text', text: '', isCut: false });
  });

  it('is not guessed for other encodings and binary files', () => {
    expect(fileText(Uint8Array.of(0xff, 0xfe, 0x41, 0))).toEqual({ kind: 'binary', bytes: 4 });
    expect(fileText(bytes('a\0b'))).toEqual({ kind: 'binary', bytes: 3 });
  });

  it('ends with a whole line when it is long', () => {
    const line = `${'ä'.repeat(99)}\n`;
    const told = fileText(bytes(line.repeat(2000)));
    if (told.kind !== 'text') throw new Error('it is text');
    expect(told.isCut).toBe(true);
    expect(told.text.length % line.length).toBe(0);
    expect(told.text.length).toBeGreaterThan(90_000);
  });

  it('leaves a single endless line out', () => {
    expect(fileText(bytes('ä'.repeat(200_000)))).toEqual({ kind: 'text', text: '', isCut: true });
  });
});
