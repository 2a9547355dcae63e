import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '#protocol/models.ts';
import { collect } from '../../../test/loopback/collect.ts';
import { FactBoard } from '../../../test/loopback/fact-board.ts';
import { playbookOf } from '../../../test/loopback/playbooks.ts';
import type { ChatEvent, ChatRequest } from '../chat-model.ts';
import { ModelError } from '../errors.ts';
import { decodeCallKey, encodeCallKey, parseCallKey, toolCallId } from './call-keys.ts';
import type { Playbook } from './playbook.ts';
import { PlaybookModel } from './playbook-model.ts';

const signal = new AbortController().signal;

function request(
  callKey: string,
  messages: readonly ChatMessage[] = [],
  maxOutputTokens = 1000,
): ChatRequest {
  return { callKey, messages, maxOutputTokens, tools: [], account: 'root' };
}

async function play(playbook: Playbook, what: ChatRequest): Promise<ChatEvent[]> {
  return collect(new PlaybookModel(playbook, new FactBoard()).chat(what, signal));
}

const writing = playbookOf(
  {
    key: 'worker root 1 1',
    text: 'writing',
    calls: [
      { tool: 'read_file', args: { path: 'a' }, expect: new Map() },
      { tool: 'write_file', args: { path: 'a', content: 'ä' }, expect: new Map([['outcome', 'written']]) },
    ],
  },
  { key: 'worker root 1 2', text: 'done' },
);

function afterWriting(...results: readonly (string | undefined)[]): ChatMessage[] {
  return results.flatMap((text, index) =>
    text === undefined ? [] : [{ role: 'tool', callId: toolCallId('worker root 1 1', index), text }],
  );
}

describe('the playbook model', () => {
  it('plays a turn: text, tool calls with ids that are always the same, counted usage', async () => {
    const events = await play(writing, request('worker root 1 1', [{ role: 'user', text: 'build it' }]));
    expect(events).toEqual([
      { kind: 'text', text: 'writing' },
      {
        kind: 'tool-call',
        call: { id: 'call_c251f28f0f9201495f2b2eae', name: 'read_file', args: '{"path":"a"}' },
      },
      {
        kind: 'tool-call',
        call: {
          id: toolCallId('worker root 1 1', 1),
          name: 'write_file',
          args: '{"path":"a","content":"ä"}',
        },
      },
      {
        kind: 'end',
        stopReason: 'tool-calls',
        usage: { inputTokens: 2, cachedInputTokens: 0, outputTokens: 17 },
      },
    ]);
  });

  it('counts what an earlier turn had sent as cached', async () => {
    const events = await play(
      playbookOf({ key: 'worker root 1 2', text: 'done' }),
      request('worker root 1 2', [
        { role: 'system', text: '12345678' },
        { role: 'assistant', text: 'abcd', toolCalls: [] },
        { role: 'user', text: '1234' },
      ]),
    );
    expect(events.at(-1)).toEqual({
      kind: 'end',
      stopReason: 'end',
      usage: { inputTokens: 4, cachedInputTokens: 2, outputTokens: 1 },
    });
  });

  it('goes on when the results hold what was expected, whatever else they hold', async () => {
    const messages = afterWriting('anything', 'outcome=written path=a lines=1\nbody');
    expect(await play(writing, request('worker root 1 2', messages))).toHaveLength(2);
  });

  it.each([
    ['another value', 'outcome=rejected code=empty\nbody', "got 'outcome=rejected code=empty'"],
    ['no pairs', 'Permission denied', "got 'Permission denied'"],
    ['no result', undefined, "got 'no result'"],
  ])('fails loudly when the result is %s', async (_, result, message) => {
    const error = await play(writing, request('worker root 1 2', afterWriting('x', result))).catch(
      (cause: unknown) => cause,
    );
    expect(ModelError.is(error, 'playbook-contradicted')).toBe(true);
    expect(error).toMatchObject({
      message: expect.stringContaining(message) as unknown,
      details: { key: 'worker root 1 1', tool: 'write_file', expected: 'outcome=written' },
    });
  });

  it('names the contradiction rather than the missing turn that it led to', async () => {
    const short = playbookOf(...[...writing.turns.values()].slice(0, 1));
    await expect(
      play(short, request('worker root 1 2', afterWriting('x', 'outcome=rejected'))),
    ).rejects.toThrow(/expected 'outcome=written'/);
  });

  it('fails loudly when a turn is missing', async () => {
    const error = await play(writing, request('worker root 2 1')).catch((cause: unknown) => cause);
    expect(ModelError.is(error, 'playbook-missing-turn')).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining("'worker root 2 1'") as unknown });
  });

  it('never answers more than was reserved', async () => {
    await expect(play(writing, request('worker root 1 1', [], 16))).rejects.toThrow(
      /'worker root 1 1' has 17 tokens, 16 are allowed/,
    );
  });

  it('is ready when every barrier of the turn holds', async () => {
    const facts = new FactBoard();
    const model = new PlaybookModel(
      playbookOf({ key: 'worker root 1 1', text: 'a', after: ['root/a committed', 'root/b started'] }),
      facts,
    );
    let ready = false;
    const waiting = (async (): Promise<void> => {
      await model.ready(request('worker root 1 1'), signal);
      ready = true;
    })();
    facts.put('root/a committed');
    await new Promise(setImmediate);
    expect(ready).toBe(false);
    facts.put('root/b started');
    await waiting;
    await model.ready(request('worker root 1 9'), signal);
  });

  it('stops waiting and playing with the reason of the abort', async () => {
    const abort = new AbortController();
    const model = new PlaybookModel(
      playbookOf({ key: 'worker root 1 1', text: 'a', after: ['root parked'] }),
      new FactBoard(),
    );
    const waiting = model.ready(request('worker root 1 1'), abort.signal);
    abort.abort(new Error('stopped by hand'));
    await expect(waiting).rejects.toThrow('stopped by hand');
    await expect(collect(model.chat(request('worker root 1 1'), abort.signal))).rejects.toThrow(
      'stopped by hand',
    );
  });

  it('tells which turns it has played', async () => {
    const model = new PlaybookModel(writing, new FactBoard());
    await collect(model.chat(request('worker root 1 1'), signal));
    await expect(collect(model.chat(request('worker root 1 3'), signal))).rejects.toThrow(/has no turn/);
    expect([...model.playedKeys]).toEqual(['worker root 1 1']);
  });
});

describe('call keys', () => {
  it('are read in both forms', () => {
    expect(parseCallKey('worker root/sql/lexer 2 13')).toEqual({
      kind: 'agent',
      role: 'worker',
      task: 'root/sql/lexer',
      attempt: 2,
      turn: 13,
    });
    expect(parseCallKey('resolver my file.js root/a+root/b 1 2')).toEqual({
      kind: 'resolver',
      path: 'my file.js',
      tasks: ['root/a', 'root/b'],
      round: 1,
      turn: 2,
    });
    expect(parseCallKey('worker root 0 1')).toBeUndefined();
  });

  it.each(['worker root 1 1', 'resolver src/Größe 100%.js root/a 1 1', 'resolver a%20b root/a 1 1'])(
    'fit into a header: %s',
    (key) => {
      expect(encodeCallKey(key)).toMatch(/^[ -~]+$/);
      expect(decodeCallKey(encodeCallKey(key))).toBe(key);
    },
  );

  it('that no one encoded so are refused', () => {
    expect(decodeCallKey('%zz')).toBeUndefined();
  });
});
