import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommandOutput } from './command-output.ts';

function read(chunks: readonly Uint8Array[]): string {
  const output = new CommandOutput();
  for (const chunk of chunks) output.add('stdout', chunk);
  return output.text();
}

describe('output of a command', () => {
  it('is the same however it is cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 1, max: 9 }),
        (text, size) => {
          const bytes = Buffer.from(text);
          const chunks = [];
          for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
          expect(read(chunks)).toBe(bytes.toString('utf8'));
        },
      ),
    );
  });

  it('keeps beginning and end when it is long, and says how much is left out', () => {
    const text = read(Array.from({ length: 1000 }, (_, index) => Buffer.from(`${index} `.padEnd(100, '.'))));
    expect(text).toMatch(/^0 \.+1 [^]*\n\[… 67232 characters left out …\]\n[^]*999 \.+$/u);
    expect(text.length).toBeLessThan(33_000);
  });

  it('is well formed where a character was cut, and where it was none', () => {
    const text = read([Buffer.from(`x${'😀'.repeat(20_000)}`), Buffer.from([0xff, 0xf0, 0x9f])]);
    expect(text.isWellFormed()).toBe(true);
    expect(text.endsWith('\uFFFD\uFFFD')).toBe(true);
  });
});
