import { describe, expect, it, test } from 'vitest';
import { failureOf } from './chat-failure.ts';

/** As the editor throws it. */
class LanguageModelError extends Error {
  readonly code: string;
  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

describe("the editor's own errors", () => {
  it('say by their code that a model is gone, not allowed or used up', () => {
    expect(failureOf(new LanguageModelError('NotFound', 'x'), 'm', false)).toMatchObject({
      code: 'unknown-model',
      details: { model: 'm', removed: 'true', mayHaveCost: 0 },
    });
    expect(failureOf(new LanguageModelError('NoPermissions', 'x'), 'm', false).code).toBe('auth');
    expect(failureOf(new LanguageModelError('Blocked', 'x'), 'm', false).code).toBe('quota');
  });

  it('are looked into when they wrap what a provider said', () => {
    const wrapped = new LanguageModelError('Unknown', 'Request failed', new Error('429 Too Many Requests'));
    expect(failureOf(wrapped, 'm', false).code).toBe('rate-limited');
  });
});

test.each([
  ['Rate limit exceeded, try again in 20 s', 'rate-limited'],
  ['529 overloaded', 'overloaded'],
  ['503 Service Unavailable', 'overloaded'],
  ['prompt is too long: 210000 tokens > 200000 maximum', 'context-overflow'],
  ["This model's maximum context length is 8192 tokens", 'context-overflow'],
  ['You have exceeded your premium request allowance', 'quota'],
  ['Request timed out', 'timeout'],
  ['Response was filtered by the content policy', 'refused'],
  ['401 Unauthorized', 'auth'],
  ['The model gpt-3 does not exist: model not found', 'unknown-model'],
  ['getaddrinfo ENOTFOUND api.example.com', 'network'],
  ['terminated', 'network'],
  ['Something odd', 'server'],
])('%s is %s', (message, code) => {
  expect(failureOf(new Error(message), 'm', false).code).toBe(code);
});

function costOf(message: string, hasBegun: boolean): unknown {
  return failureOf(new Error(message), 'm', hasBegun).details['mayHaveCost'];
}

test('an answer that had begun may have cost something, and one that may have', () => {
  expect(costOf('529 overloaded', true)).toBe(1);
  expect(costOf('529 overloaded', false)).toBe(0);
  expect(costOf('terminated', false)).toBe(1);
  expect(costOf('Something odd', false)).toBe(1);
});

test('what is no error at all is told as it is', () => {
  expect(failureOf('overloaded', 'm', false)).toMatchObject({ code: 'overloaded', message: 'overloaded' });
  expect(failureOf(undefined, 'm', false)).toMatchObject({ code: 'server' });
});
