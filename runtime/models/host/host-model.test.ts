import { describe, expect, it } from 'vitest';
import { hostModelErrorArea, type HostChatEnd, type HostChatEvent } from '#protocol/host-models.ts';
import { goneCode, RemoteError } from '#protocol/rpc.ts';
import { collect } from '../../../test/loopback/collect.ts';
import { ManualScheduler } from '../../../test/loopback/manual-scheduler.ts';
import type { ChatRequest } from '../chat-model.ts';
import { ModelError } from '../errors.ts';
import { HostModel, type HostChats } from './host-model.ts';

const request: ChatRequest = {
  messages: [{ role: 'user', text: 'Build it.' }],
  tools: [],
  maxOutputTokens: 100,
  callKey: 'worker root 1 1',
  account: 'root',
};
const end: HostChatEnd = {
  events: 0,
  stopReason: 'end',
  usage: { inputTokens: 3, cachedInputTokens: 0, outputTokens: 2, estimated: true },
};
const never = new AbortController().signal;

type Play = (take: (event: HostChatEvent) => void, signal: AbortSignal) => Promise<HostChatEnd>;

function modelOf(play: Play, scheduler: ManualScheduler = new ManualScheduler()): HostModel {
  const chats: HostChats = { chat: async (_model, _request, take, signal) => play(take, signal) };
  return new HostModel({ provider: 'vscode', name: 'copilot/gpt', chats, scheduler, silenceTimeout: 1000 });
}

async function failure(model: HostModel, signal: AbortSignal = never): Promise<unknown> {
  return collect(model.chat(request, signal)).catch((error: unknown) => error);
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => {
    reject(signal.reason);
  });
  return promise;
}

describe('a model of the host', () => {
  it('gives the parts in order, and the end last', async () => {
    const call = { id: '1', name: 'read_file', args: '{}' };
    const model = modelOf(async (take) => {
      take({ kind: 'text', text: 'I ' });
      await Promise.resolve();
      take({ kind: 'text', text: 'read.' });
      take({ kind: 'tool-call', call });
      return { ...end, stopReason: 'tool-calls' };
    });
    expect(await collect(model.chat(request, never))).toEqual([
      { kind: 'text', text: 'I ' },
      { kind: 'text', text: 'read.' },
      { kind: 'tool-call', call },
      { kind: 'end', stopReason: 'tool-calls', usage: end.usage },
    ]);
  });

  it('may send an answer without any part', async () => {
    expect(await collect(modelOf(async () => end).chat(request, never))).toHaveLength(1);
  });

  it("fails with the code that the host's error has, and its own name", async () => {
    const error = await failure(
      modelOf(async () => {
        const details = { removed: 'true', mayHaveCost: 0 };
        throw new RemoteError({ area: hostModelErrorArea, code: 'unknown-model', message: 'gone', details });
      }),
    );
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({
      code: 'unknown-model',
      mayHaveCost: false,
      details: { model: 'vscode/copilot/gpt', removed: 'true' },
    });
  });

  it('may have cost something once a part has come', async () => {
    const error = await failure(
      modelOf(async (take) => {
        take({ kind: 'text', text: 'I ' });
        throw new RemoteError({ area: hostModelErrorArea, code: 'network', message: 'x', details: {} });
      }),
    );
    expect(error).toMatchObject({ code: 'network', mayHaveCost: true });
  });

  it('may have cost something when the host itself has failed', async () => {
    const error = await failure(
      modelOf(async () => {
        throw new RemoteError({ area: 'Error', code: 'unknown', message: 'x is undefined', details: {} });
      }),
    );
    expect(error).toMatchObject({ code: 'server', mayHaveCost: true });
  });

  it('is a network failure when the host is gone', async () => {
    const error = await failure(
      modelOf(async () => {
        throw new RemoteError({ area: 'Rpc', code: goneCode, message: 'gone', details: {} });
      }),
    );
    expect(error).toMatchObject({ code: 'network', mayHaveCost: true });
  });

  it('is given up when nothing comes for too long, and called off', async () => {
    const scheduler = new ManualScheduler();
    let isCalledOff = false;
    const model = modelOf(async (take, signal) => {
      take({ kind: 'text', text: 'I ' });
      try {
        return await untilAborted(signal);
      } finally {
        isCalledOff = true;
      }
    }, scheduler);
    const failed = failure(model);
    await scheduler.pass(999);
    expect(isCalledOff).toBe(false);
    await scheduler.pass(1);
    expect(await failed).toMatchObject({ code: 'timeout', mayHaveCost: true });
    expect(isCalledOff).toBe(true);
  });

  it('is waited for as long as parts come', async () => {
    const scheduler = new ManualScheduler();
    const model = modelOf(async (take) => {
      for (let part = 0; part < 5; part += 1) {
        await scheduler.sleep(900);
        take({ kind: 'text', text: 'x' });
      }
      return end;
    }, scheduler);
    const answer = collect(model.chat(request, never));
    await scheduler.pass(5000);
    expect(await answer).toHaveLength(6);
  });

  it("ends with the signal's reason when it is aborted", async () => {
    const abort = new AbortController();
    const reason = new Error('the run is stopped');
    const failed = failure(
      modelOf(async (_take, signal) => untilAborted(signal)),
      abort.signal,
    );
    abort.abort(reason);
    expect(await failed).toBe(reason);
  });

  it('is called off when nobody reads on', async () => {
    let signal: AbortSignal | undefined;
    const model = modelOf(async (take, given) => {
      signal = given;
      take({ kind: 'text', text: 'I ' });
      return untilAborted(given);
    });
    for await (const event of model.chat(request, never)) {
      expect(event.kind).toBe('text');
      break;
    }
    expect(signal?.aborted).toBe(true);
  });
});
