import { systemRandomness } from '#edges/randomness.ts';
import type { HostApi } from '#protocol/runtime-api.ts';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFileSystem } from '#edges/file-system.ts';
import type { HostChatEnd, HostChatEvent } from '#protocol/host-models.ts';
import type { ChatRequest } from '#protocol/models.ts';
import type { StartRequest } from '#protocol/runtime-api.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import { playTurn } from '#models/playbook/play-turn.ts';
import { HostModels } from './host-models.ts';
import { gatedRun, type GatedRun } from './testing/gated-run.ts';
import { inProcess, inThread, TestHost, type HostChat } from './testing/test-host.ts';

const request: ChatRequest = {
  messages: [],
  tools: [],
  maxOutputTokens: 1,
  callKey: 'worker root 1 1',
  account: 'root',
};
const usage = { inputTokens: 8, cachedInputTokens: 0, outputTokens: 4, estimated: true } as const;
const never = new AbortController().signal;

let run: GatedRun;
let host: TestHost | undefined;
beforeEach(async () => {
  run = await gatedRun();
});
afterEach(async () => {
  await host?.close();
  host = undefined;
  await run[Symbol.asyncDispose]();
});

/** A host whose models play the run's playbook, turn by turn as they are asked. */
async function playing(): Promise<HostChat> {
  const playbook = await loadPlaybook(join(run.folder, 'playbook.yaml'), nodeFileSystem);
  return async (model, asked, tell): Promise<HostChatEnd> => {
    if (model !== 'test/large') throw new Error(`no model ${model}`);
    const { text, toolCalls } = playTurn(playbook, asked);
    const events: HostChatEvent[] = text === '' ? [] : [{ kind: 'text', text }];
    events.push(...toolCalls.map((call) => ({ kind: 'tool-call', call }) as const));
    for (const event of events) tell(event);
    const stopReason = toolCalls.length > 0 ? 'tool-calls' : 'end';
    return { events: events.length, stopReason, usage };
  };
}

function withHostModels(): StartRequest {
  const { playbook: _, ...start } = run.start;
  return { ...start, models: { planner: 'vscode/test/large', worker: 'vscode/test/large' } };
}

describe('a run on models of the host', () => {
  it('is built by them alone, in the real thread, with a usage that is called estimated', async () => {
    host = new TestHost(inThread(join(run.folder, 'state')), await playing());
    const { store } = await host.show(await host.api.startRun(withHostModels()));
    await run.openGate();
    await host.until(() => host?.outcomes.length === 1);
    expect(host.outcomes).toEqual([{ kind: 'ended', status: 'complete' }]);
    const files = await host.api.trunkFiles(store, '');
    expect(files.map(({ path }) => path)).toEqual(['hello.txt']);
    const { total } = host.projection.ledger;
    expect(total).toMatchObject({ calls: 4, usd: 0, unpricedCalls: 4, usage: { estimated: true } });
  });

  it('says that it is not theirs to keep a budget in dollars', async () => {
    host = new TestHost(inProcess(join(run.folder, 'state')), await playing());
    const start = withHostModels();
    await expect(host.api.startRun({ ...start, caps: { ...start.caps, usd: 1 } })).rejects.toMatchObject({
      area: 'ModelError',
      code: 'no-price',
    });
  });

  it('calls an answer off when the run is stopped', async () => {
    let isCalled = false;
    host = new TestHost(inProcess(join(run.folder, 'state')), async () => {
      isCalled = true;
      return new Promise(() => undefined);
    });
    const { store } = await host.api.startRun(withHostModels());
    await host.until(() => isCalled);
    await host.api.stopRun(store);
    expect(host.cancelledChats).toHaveLength(1);
    await host.until(() => host?.outcomes.length === 1);
    expect(host.outcomes).toEqual([{ kind: 'ended', status: 'interrupted' }]);
  });

  it('fails with words of its own when a model was removed', async () => {
    host = new TestHost(inProcess(join(run.folder, 'state')));
    await host.api.startRun(withHostModels());
    await host.until(() => host?.outcomes.length === 1);
    expect(host.outcomes).toMatchObject([
      { kind: 'failed', error: { area: 'ModelError', code: 'unknown-model' } },
    ]);
  });
});

describe('calls of the host', () => {
  const idle = { cancelChat: (): void => undefined };

  it('have all their parts, whichever comes first, the end or the last of them', async () => {
    const names: string[] = [];
    const chat: HostApi['chat'] = async (name) => {
      names.push(name);
      return { events: 2, stopReason: 'end', usage };
    };
    const models: HostModels = new HostModels(() => ({ ...idle, chat }), systemRandomness);
    const taken: string[] = [];
    const ended = models.chat(
      'test/large',
      request,
      (event) => {
        if (event.kind === 'text') taken.push(event.text);
      },
      never,
    );
    const [name = ''] = names;
    models.take(name, { kind: 'text', text: 'a' });
    await new Promise(setImmediate);
    models.take(name, { kind: 'text', text: 'b' });
    await ended;
    expect(taken).toEqual(['a', 'b']);
    expect(models.open).toBe(0);
  });

  it('pass over parts of an answer that nobody waits for any more', async () => {
    const names: string[] = [];
    const chat: HostApi['chat'] = async (name) => {
      names.push(name);
      return new Promise(() => undefined);
    };
    const models: HostModels = new HostModels(() => ({ ...idle, chat }), systemRandomness);
    const abort = new AbortController();
    const taken: HostChatEvent[] = [];
    const ended = models.chat('test/large', request, (event) => taken.push(event), abort.signal);
    abort.abort(new Error('stopped'));
    await expect(ended).rejects.toThrow('stopped');
    models.take(names[0] ?? '', { kind: 'text', text: 'late' });
    expect(taken).toEqual([]);
  });

  it('have names that no call of a runtime before had: late parts of that reach nobody', async () => {
    const names: string[] = [];
    const chat: HostApi['chat'] = async (name) => {
      names.push(name);
      return { events: 0, stopReason: 'end', usage };
    };
    for (let runtime = 0; runtime < 2; runtime += 1) {
      const models: HostModels = new HostModels(() => ({ ...idle, chat }), systemRandomness);
      await models.chat('test/large', request, () => undefined, never);
    }
    expect(new Set(names).size).toBe(2);
  });
});
