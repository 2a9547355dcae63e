import { describe, expect, it } from 'vitest';
import type { Answer } from '../http/answer.ts';
import { toolCallId } from '../playbook/call-keys.ts';
import { MessagesAnswer } from './messages-answer.ts';

const key = 'worker root 1 1';
const bound = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 500 };

function assemble(...events: readonly object[]): { answer: Answer | undefined; text: string } {
  const reader = new MessagesAnswer(key, bound);
  let text = '';
  for (const event of events) {
    const accepted = reader.accept(event);
    expect(accepted).toMatchObject({ kind: 'text' });
    if (accepted.kind === 'text') text += accepted.text;
  }
  return { answer: reader.finish(), text };
}

function start(index: number, block: object): object {
  return { type: 'content_block_start', index, content_block: block };
}

function delta(index: number, change: object): object {
  return { type: 'content_block_delta', index, delta: change };
}

function end(reason: string, usage: object | null = null): object {
  return { type: 'message_delta', delta: { stop_reason: reason }, usage };
}

describe('an answer of the Messages API', () => {
  it('is its text and its calls; thoughts are not shown, and what is new is passed over', () => {
    const { answer, text } = assemble(
      { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      delta(0, { type: 'signature_delta', signature: 'abc' }),
      start(1, { type: 'text', text: 'I ' }),
      delta(1, { type: 'text_delta', text: 'read.' }),
      start(2, { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} }),
      delta(2, { type: 'input_json_delta', partial_json: '' }),
      start(3, { type: 'tool_use', id: 'toolu_2', name: 'list', input: {} }),
      delta(3, { type: 'input_json_delta', partial_json: '{"a"' }),
      delta(3, { type: 'input_json_delta', partial_json: ':1}' }),
      { type: 'content_block_stop', index: 3 },
      { type: 'weather', degrees: 21 },
      end('tool_use', { output_tokens: 30 }),
      { type: 'message_stop' },
    );
    expect(text).toBe('I read.');
    expect(answer).toEqual({
      toolCalls: [
        { id: 'toolu_1', name: 'read_file', args: '{}' },
        { id: 'toolu_2', name: 'list', args: '{"a":1}' },
      ],
      stopReason: 'tool-calls',
      usage: { inputTokens: 5, cachedInputTokens: 0, outputTokens: 30 },
    });
  });

  it('takes arguments that come whole, and names a call that has no id', () => {
    const { answer } = assemble(
      start(0, { type: 'tool_use', name: 'list', input: { a: [1] } }),
      end('tool_use'),
    );
    expect(answer?.toolCalls).toEqual([{ id: toolCallId(key, 0), name: 'list', args: '{"a":[1]}' }]);
  });

  it.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'filtered'],
  ])('that ends by %s has ended by %s', (reason, stopReason) => {
    expect(assemble(end(reason)).answer?.stopReason).toBe(stopReason);
  });

  it('counts what was read from the cache, and what was written to it, as input', () => {
    const usage = { input_tokens: 3, cache_creation_input_tokens: 40, cache_read_input_tokens: 500 };
    const { answer } = assemble(
      { type: 'message_start', message: { usage: { ...usage, output_tokens: 1 } } },
      end('end_turn', { input_tokens: null, cache_read_input_tokens: null, output_tokens: 9 }),
    );
    expect(answer?.usage).toEqual({ inputTokens: 543, cachedInputTokens: 500, outputTokens: 9 });
  });

  it.each([
    null,
    'text',
    {},
    { type: 7 },
    { type: 'content_block_delta' },
    delta(4, { type: 'input_json_delta', partial_json: '{' }), // of no block
  ])('has no part like %j', (event) => {
    expect(new MessagesAnswer(key, bound).accept(event)).toEqual({ kind: 'foreign' });
  });
});
