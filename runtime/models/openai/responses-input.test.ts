import { expect, it } from 'vitest';
import { toolCallId } from '../playbook/call-keys.ts';
import { toResponsesParams } from './responses-input.ts';

it('a call of the Responses API keeps nothing at OpenAI and sends past calls without ids of items', () => {
  const id = 'functions.list:0'; // of another provider
  const params = toResponsesParams('gpt', {
    callKey: 'worker root 1 1',
    account: 'root',
    maxOutputTokens: 100,
    tools: [{ name: 'list', description: 'lists', parameters: { type: 'object' } }],
    messages: [
      { role: 'system', text: 'You are a worker.' },
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Build it.' },
      {
        role: 'assistant',
        text: 'I list.',
        toolCalls: [
          { id: 'call_1', name: 'list', args: '{"a": 1}' },
          { id, name: 'functions.list now', args: '{"a":' },
        ],
      },
      { role: 'tool', callId: 'call_1', text: 'none' },
      { role: 'tool', callId: id, text: 'malformed' },
      { role: 'system', text: 'Hurry.' },
    ],
  });
  expect(params).toEqual({
    model: 'gpt',
    instructions: 'You are a worker.\n\nBe brief.',
    input: [
      { role: 'user', content: 'Build it.' },
      { role: 'assistant', content: 'I list.' },
      { type: 'function_call', call_id: 'call_1', name: 'list', arguments: '{"a": 1}' },
      { type: 'function_call', call_id: toolCallId(id, 0), name: 'functions_list_now', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'none' },
      { type: 'function_call_output', call_id: toolCallId(id, 0), output: 'malformed' },
      { role: 'developer', content: 'Hurry.' },
    ],
    tools: [
      {
        type: 'function',
        name: 'list',
        description: 'lists',
        parameters: { type: 'object' },
        strict: false,
      },
    ],
    max_output_tokens: 100,
    store: false,
    stream: true,
  });
});
