import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { vi } from 'vitest';
import { hostModelErrorArea } from '#protocol/host-models.ts';
import type { HostChatEnd, HostChatEvent } from '#protocol/host-models.ts';
import type { ChatRequest } from '#protocol/models.ts';
import type { RunEvent } from '#protocol/events.ts';
import { RunProjection } from '#protocol/projection.ts';
import { connectRpc, RemoteError, type Rpc, type RpcChannel } from '#protocol/rpc.ts';
import type { HostApi, OpenedRun, RunOutcome, RuntimeApi } from '#protocol/runtime-api.ts';
import { RunFolders } from '#journal/run-folders.ts';
import { realEdges } from '#swarm/testing/small-run.ts';
import { HostModels } from '../host-models.ts';
import { runtimeApi } from '../runtime-api.ts';
import { RuntimeService } from '../runtime-service.ts';
import type { GatedRun } from './gated-run.ts';

/** Where a runtime runs, as a host reaches it. */
interface Place {
  readonly channel: RpcChannel;
  end(): Promise<void>;
}

/** A runtime of this process, behind a channel that clones like a thread's. */
export function inProcess(state: string): Place {
  const { port1, port2 } = new MessageChannel();
  const models = new HostModels(() => host.remote, realEdges.randomness);
  const edges = { ...realEdges, hostChats: models };
  const service = new RuntimeService(edges, new RunFolders(state, edges), {
    events: (store, events) => {
      void host.remote.events(store, events);
    },
    ended: (store, outcome) => {
      void host.remote.ended(store, outcome);
    },
    freed: (store) => {
      void host.remote.freed(store);
    },
  });
  const host = connectRpc<HostApi>(runtimeApi(service, models), channelOf(port1), {
    events: ['events', 'ended', 'freed', 'log', 'cancelChat'],
    onError: () => undefined,
  });
  return {
    channel: channelOf(port2),
    end: async () => {
      port1.close();
      port2.close();
    },
  };
}

/** The runtime's own worker thread; `end` kills it. */
export function inThread(state: string): Place {
  const worker = new Worker(new URL('../../worker.ts', import.meta.url), {
    env: { ...process.env, SWARMWRIGHT_STATE: state },
  });
  return {
    channel: channelOf(worker),
    end: async () => {
      await worker.terminate();
    },
  };
}

function channelOf(port: MessagePort | Worker): RpcChannel {
  return {
    post: (message) => {
      port.postMessage(message);
    },
    listen: (listener) => {
      port.on('message', listener);
    },
  };
}

/** Plays the host's models. */
export type HostChat = (
  model: string,
  request: ChatRequest,
  tell: (event: HostChatEvent) => void,
) => Promise<HostChatEnd>;

async function refuseChat(): Promise<never> {
  throw new RemoteError({ area: hostModelErrorArea, code: 'unknown-model', message: 'none', details: {} });
}

/** A host that folds what it is told. */
export class TestHost {
  projection: RunProjection = new RunProjection();
  readonly outcomes: RunOutcome[] = [];
  /** Stores of followed runs that nobody owns any more. */
  readonly freed: string[] = [];
  readonly batches: (readonly RunEvent[])[] = [];
  /** Calls of the host's models that the runtime has called off. */
  readonly cancelledChats: string[] = [];
  readonly rpc: Rpc<RuntimeApi>;
  readonly #place: Place;

  /** Without `chat` it has no models. */
  constructor(place: Place, chat: HostChat = refuseChat) {
    this.#place = place;
    const own: HostApi = {
      events: (_, events) => {
        this.batches.push(events);
        const { version } = this.projection;
        // Before the snapshot is there, events are only kept.
        if (version > 0)
          for (const event of events) if (event.sequence > version) this.projection.apply(event);
      },
      ended: (_, outcome) => {
        this.outcomes.push(outcome);
      },
      freed: (store) => {
        this.freed.push(store);
      },
      chat: async (call, model, request) =>
        chat(model, request, (event) => {
          void this.api.chatEvent(call, event);
        }),
      cancelChat: (call) => {
        this.cancelledChats.push(call);
      },
      log: () => undefined,
    };
    this.rpc = connectRpc<RuntimeApi>(own, place.channel, {
      events: ['chatEvent'],
      onError: () => undefined,
    });
  }

  get api(): Rpc<RuntimeApi>['remote'] {
    return this.rpc.remote;
  }

  async until(holds: () => boolean): Promise<void> {
    await vi.waitFor(
      () => {
        if (!holds()) throw new Error('it has not come to that yet');
      },
      { timeout: 15_000, interval: 10 },
    );
  }

  /** Starts the run; resolves once its worker is at work. */
  async start(run: GatedRun): Promise<OpenedRun> {
    return this.show(await this.api.startRun(run.start));
  }

  async show(opened: OpenedRun): Promise<OpenedRun> {
    const { json } = await this.api.snapshot(opened.store);
    this.projection = RunProjection.restore(JSON.parse(json));
    await this.until(() => this.projection.fact('root/hello', 'started'));
    return opened;
  }

  async close(): Promise<void> {
    await this.api.shutDown();
    await this.kill();
  }

  /** Without a farewell. */
  async kill(): Promise<void> {
    this.rpc.close();
    await this.#place.end();
  }
}
