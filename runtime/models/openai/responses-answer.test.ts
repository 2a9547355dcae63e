import { describe, expect, it } from 'vitest';
import type { Answer } from '../http/answer.ts';
import { ResponsesAnswer } from './responses-answer.ts';

const bound = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 500 };

function assemble(...events: readonly object[]): { answer: Answer | undefined; text: string } {
  const reader = new ResponsesAnswer('worker root 1 1', bound);
  let text = '';
  for (const event of events) {
    const accepted = reader.accept(event);
    expect(accepted).toMatchObject({ kind: 'text' });
    if (accepted.kind === 'text') text += accepted.text;
  }
  expect(reader.isOver).toBe(true);
  return { answer: reader.finish(), text };
}

function completed(response: object = {}): object {
  return { type: 'response.completed', response };
}

function item(kind: 'added' | 'done', index: number, change: object): object {
  return { type: `response.output_item.${kind}`, output_index: index, item: change };
}

describe('an answer of the Responses API', () => {
  it('is its text and its calls; reasoning is not shown, and what is new is passed over', () => {
    const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'list' };
    const { answer, text } = assemble(
      { type: 'response.created', response: {} },
      item('added', 0, { type: 'reasoning', summary: [] }),
      { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'Hm.' },
      { type: 'response.output_text.delta', output_index: 1, delta: 'I list.' },
      item('added', 2, { ...call, arguments: '' }),
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"a":' },
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '1}' },
      item('done', 2, { ...call, arguments: '{"a":1}' }),
      { type: 'weather', degrees: 21 },
      completed({
        usage: { input_tokens: 9, input_tokens_details: { cached_tokens: 4 }, output_tokens: 30 },
      }),
    );
    expect(text).toBe('I list.');
    expect(answer).toEqual({
      toolCalls: [{ id: 'call_1', name: 'list', args: '{"a":1}' }],
      stopReason: 'tool-calls',
      usage: { inputTokens: 9, cachedInputTokens: 4, outputTokens: 30 },
    });
  });

  it('takes its calls from the end where no event told of them', () => {
    const output = [{ type: 'function_call', call_id: 'a', name: 'list', arguments: '' }];
    expect(assemble(completed({ output })).answer?.toolCalls).toEqual([
      { id: 'a', name: 'list', args: '{}' },
    ]);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'filtered'],
  ])('that is incomplete by %s has ended by %s, with its calls as far as they came', (reason, stopReason) => {
    const { answer } = assemble(
      item('added', 0, { type: 'function_call', call_id: 'a', name: 'list', arguments: '' }),
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"a' },
      { type: 'response.incomplete', response: { incomplete_details: { reason } } },
    );
    expect(answer).toMatchObject({ stopReason, toolCalls: [{ args: '{"a' }] });
  });

  it('that is a refusal was filtered, and its words are shown', () => {
    const { answer, text } = assemble({ type: 'response.refusal.delta', delta: 'I cannot.' }, completed());
    expect([answer?.stopReason, text]).toEqual(['filtered', 'I cannot.']);
  });

  it('that failed says why', () => {
    const error = { code: 'rate_limit_exceeded', message: 'slow down' };
    const failed = { type: 'response.failed', response: { error } };
    expect(new ResponsesAnswer('worker root 1 1', bound).accept(failed)).toEqual({
      kind: 'failure',
      body: error,
    });
  });

  it.each([
    null,
    'text',
    {},
    { type: 7 },
    { type: 'response.output_text.delta' },
    { type: 'response.completed' },
    { type: 'response.function_call_arguments.delta', output_index: 3, delta: '{' }, // of no item
  ])('has no part like %j', (event) => {
    expect(new ResponsesAnswer('worker root 1 1', bound).accept(event)).toEqual({ kind: 'foreign' });
  });
});
