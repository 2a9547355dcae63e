import { describe, expect, it } from 'vitest';
import { keyProblem } from './key-shape.ts';

describe('the form of an API key', () => {
  it.each(['sk-ant-api03-abcdefgh', '  sk-proj-12345678\n', 'local-server-key'])('%j may be one', (text) => {
    expect(keyProblem(text)).toBeUndefined();
  });

  it.each([
    ['   ', 'empty'],
    ['sk-a', 'too-short'],
    ['sk-ant api03', 'has-space'],
    ['sk-ant-…abcdefgh', 'not-ascii'],
    ['https://api.openai.com/v1', 'is-address'],
    ['OPENAI_API_KEY=sk-12345678', 'is-assignment'],
    ['export ANTHROPIC_API_KEY=sk-12345678', 'is-assignment'],
  ])('%j is refused as %s', (text, problem) => {
    expect(keyProblem(text)).toBe(problem);
  });
});
