import { describe, expect, it } from 'vitest';
import { toolCallId } from '../playbook/call-keys.ts';
import { ChatAnswer } from './chat-answer.ts';
import type { Answer } from '../http/answer.ts';

const bound = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 500 };

function delta(change: object, reason: string | null = null): object {
  return { choices: [{ delta: change, finish_reason: reason }] };
}

function callDelta(call: object): object {
  return delta({ tool_calls: [call] });
}

function assemble(...chunks: readonly object[]): Answer | undefined {
  const assembler = new ChatAnswer('worker root 1 1', bound);
  for (const chunk of chunks) expect(assembler.accept(chunk)).toMatchObject({ kind: 'text' });
  return assembler.finish();
}

describe('tool calls are put together', () => {
  const read = { id: 'a', name: 'read', args: '{"p":1}' };
  const list = { id: 'b', name: 'list', args: '{"q":2}' };

  it.each([
    [
      'one after the other',
      [
        { index: 0, id: 'a', function: { name: 'read', arguments: '' } },
        { index: 0, function: { arguments: '{"p"' } },
        { index: 0, function: { arguments: ':1}' } },
        { index: 1, id: 'b', function: { name: 'list', arguments: '{"q":2}' } },
      ],
    ],
    [
      'in turns',
      [
        { index: 1, id: 'b', function: { name: 'list', arguments: '{"q"' } },
        { index: 0, id: 'a', function: { name: 'read', arguments: '{"p":' } },
        { index: 1, function: { arguments: ':2}' } },
        { index: 0, function: { arguments: '1}' } },
      ],
    ],
    [
      'when each is numbered 0 and has an id of its own',
      [
        { index: 0, id: 'a', function: { name: 'read', arguments: '{"p":1}' } },
        { index: 0, id: 'b', function: { name: 'list', arguments: '{"q":2}' } },
      ],
    ],
    [
      'when none is numbered',
      [
        { id: 'a', function: { name: 'read', arguments: '{"p"' } },
        { id: null, function: { arguments: ':1}' } },
        { id: 'b', function: { name: 'list', arguments: '{"q":2}' } },
      ],
    ],
    [
      'when id and name are repeated in each piece',
      [
        { index: 0, id: 'a', function: { name: 'read', arguments: '{"p"' } },
        { index: 0, id: 'a', function: { name: 'read', arguments: ':1}' } },
        { index: 1, id: 'b', function: { name: 'list', arguments: '{"q":2}' } },
      ],
    ],
  ])('%s', (_, deltas) => {
    expect(assemble(...deltas.map(callDelta), delta({}, 'tool_calls'))?.toolCalls).toEqual([read, list]);
  });

  it('and get ids and arguments where the server gave none', () => {
    const answer = assemble(callDelta({ index: 0, function: { name: 'list' } }), delta({}, 'tool_calls'));
    expect(answer?.toolCalls).toEqual([{ id: toolCallId('worker root 1 1', 0), name: 'list', args: '{}' }]);
  });

  it('and keep malformed arguments as the model wrote them', () => {
    const answer = assemble(
      callDelta({ index: 0, id: 'a', function: { name: 'read', arguments: '{"p":' } }),
      delta({}, 'length'),
    );
    expect(answer).toMatchObject({ stopReason: 'length', toolCalls: [{ args: '{"p":' }] });
  });
});

describe('the reason of the end', () => {
  const call = { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } };

  it.each([
    ['stop', {}, 'end'],
    ['stop', { tool_calls: [call] }, 'tool-calls'],
    ['tool_calls', { tool_calls: [call] }, 'tool-calls'],
    ['tool_calls', {}, 'end'],
    ['length', {}, 'length'],
    ['content_filter', {}, 'filtered'],
    ['stop', { refusal: 'I cannot.' }, 'filtered'],
    ['eos', {}, 'end'],
  ])('%s after %j is %s', (reason, change, stopReason) => {
    expect(assemble(delta(change, reason))?.stopReason).toBe(stopReason);
  });
});

describe('usage', () => {
  it('is the last that was told, with its cached part', () => {
    const answer = assemble(
      { ...delta({ content: 'a' }), usage: { prompt_tokens: 10, completion_tokens: 1 } },
      {
        ...delta({}, 'stop'),
        usage: { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
      },
    );
    expect(answer?.usage).toEqual({ inputTokens: 10, cachedInputTokens: 4, outputTokens: 2 });
  });

  it('never has a cached part that is larger than the whole', () => {
    const answer = assemble(delta({}, 'stop'), {
      usage: { prompt_tokens: 3, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 9 } },
    });
    expect(answer?.usage).toEqual({ inputTokens: 3, cachedInputTokens: 3, outputTokens: 0 });
  });

  it('that is not told is at most what was reserved', () => {
    expect(assemble(delta({ content: 'x'.repeat(9000) }, 'stop'))?.usage).toEqual(bound);
  });
});

describe('a chunk', () => {
  it.each([
    null,
    'text',
    {},
    { choices: null },
    { choices: [{ delta: { content: 7 } }] },
    { choices: 'none' },
  ])('is refused when it is %j', (chunk) => {
    expect(new ChatAnswer('worker root 1 1', bound).accept(chunk)).toEqual({ kind: 'foreign' });
  });
});
