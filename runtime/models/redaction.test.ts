import { describe, expect, it } from 'vitest';
import { asLine, redact } from './redaction.ts';

describe('redaction', () => {
  it.each([
    ['the key my+key(1) is wrong', ['my+key(1)'], 'the key [redacted] is wrong'],
    ['Incorrect API key provided: sk-proj-AbC*****xyz.', [], 'Incorrect API key provided: [redacted]'],
    ['got authorization: Bearer abc.def', [], 'got authorization: [redacted]'],
    ['nothing secret, not even task-runner', [''], 'nothing secret, not even task-runner'],
  ])('of %j', (text, secrets, clean) => {
    expect(redact(text, secrets)).toBe(clean);
  });
});

describe("a stranger's text as a line", () => {
  it('has no control characters and a bounded length', () => {
    expect(asLine('a\r\n\u{1b}[31mb\t c ')).toBe('a [31mb c');
    expect(asLine(`${'x'.repeat(199)}😀`)).toHaveLength(201);
  });
});
