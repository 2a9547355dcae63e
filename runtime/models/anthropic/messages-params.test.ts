import { describe, expect, it } from 'vitest';
import type { ChatMessage, ChatRequest, ToolSpec } from '#protocol/models.ts';
import { toolCallId } from '../playbook/call-keys.ts';
import { toMessagesParams } from './messages-params.ts';

const cached = { cache_control: { type: 'ephemeral' } };
const tools: readonly ToolSpec[] = ['read_file', 'finish'].map((name) => {
  return { name, description: `${name}s`, parameters: { type: 'object', properties: {} } };
});

function paramsOf(...messages: readonly ChatMessage[]): ReturnType<typeof toMessagesParams> {
  const request: ChatRequest = {
    callKey: 'worker root 1 1',
    account: 'root',
    messages,
    tools,
    maxOutputTokens: 100,
  };
  return toMessagesParams('claude', request);
}

const system: ChatMessage = { role: 'system', text: 'You are a worker.' };
const user: ChatMessage = { role: 'user', text: 'Build it.' };
const call = { id: 'call_1', name: 'read_file', args: '{"path": "a"}' };
const calls: ChatMessage = { role: 'assistant', text: 'I read.', toolCalls: [call, { ...call, id: 'b' }] };
const results: readonly ChatMessage[] = ['call_1', 'b'].map((callId) => {
  return { role: 'tool', callId, text: `of ${callId}` };
});

describe('a call of the Messages API', () => {
  it('has the system prompt apart, all results of a turn in one message, and what follows them behind', () => {
    const params = paramsOf(system, user, calls, ...results, { role: 'user', text: 'Go on.' });
    expect(params).toMatchObject({ model: 'claude', max_tokens: 100, stream: true });
    expect(params.system).toEqual([{ type: 'text', text: 'You are a worker.', ...cached }]);
    expect(params.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Build it.', ...cached }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I read.' },
          { type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: 'a' } },
          { type: 'tool_use', id: 'b', name: 'read_file', input: { path: 'a' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'of call_1' },
          { type: 'tool_result', tool_use_id: 'b', content: 'of b' },
          { type: 'text', text: 'Go on.', ...cached },
        ],
      },
    ]);
  });

  it('marks the end of the tools, of the system prompt and of the last two user turns for the cache', () => {
    const turn = [calls, ...results];
    const params = paramsOf(system, user, ...turn, ...turn, ...turn);
    expect(params.tools?.map((tool) => 'cache_control' in tool)).toEqual([false, true]);
    const marked = params.messages.map(({ content }) =>
      typeof content === 'string' ? [] : content.map((block) => 'cache_control' in block),
    );
    const uses = [false, false, false];
    expect(marked).toEqual([[false], uses, [false, false], uses, [false, true], uses, [false, true]]);
  });

  it.each([
    ['the arguments of a past call are malformed', '{"path":', {}],
    ['they are no object', '[1]', {}],
  ])('is accepted although %s', (_, args, input) => {
    const { messages } = paramsOf(user, { role: 'assistant', text: '', toolCalls: [{ ...call, args }] });
    expect(messages[1]?.content).toEqual([{ type: 'tool_use', id: 'call_1', name: 'read_file', input }]);
  });

  it('is accepted although a past call was to a tool that nobody could have', () => {
    const name = `edit_file<|channel|>${'x'.repeat(100)}`;
    const { messages } = paramsOf(user, { role: 'assistant', text: '', toolCalls: [{ ...call, name }] });
    expect(messages[1]?.content).toMatchObject([{ name: expect.stringMatching(/^edit_file[\w-]{55}$/u) }]);
  });

  it('keeps call and result together where another provider gave the call an id that this one refuses', () => {
    const id = 'functions.read_file:0';
    const { messages } = paramsOf(
      user,
      { role: 'assistant', text: '', toolCalls: [{ ...call, id }] },
      { role: 'tool', callId: id, text: 'found' },
    );
    expect(messages[1]?.content).toMatchObject([{ id: toolCallId(id, 0) }]);
    expect(messages[2]?.content).toMatchObject([{ tool_use_id: toolCallId(id, 0), content: 'found' }]);
  });

  it('has no texts of white space, and no turn that is empty because of that', () => {
    const { messages } = paramsOf(
      user,
      { role: 'assistant', text: ' \n', toolCalls: [] },
      { role: 'user', text: 'Go on.' },
      { role: 'assistant', text: '', toolCalls: [call] },
      { role: 'tool', callId: 'call_1', text: '' },
    );
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[0]?.content).toMatchObject([{ text: 'Build it.' }, { text: 'Go on.' }]);
    expect(messages[2]?.content).toEqual([{ type: 'tool_result', tool_use_id: 'call_1', ...cached }]);
  });
});
