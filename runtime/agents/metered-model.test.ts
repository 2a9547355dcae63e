import { expect, test } from 'vitest';
import type { RunEventBody } from '#protocol/events.ts';
import type { ChatModel, ChatRequest, Price } from '#models/chat-model.ts';
import { Ledger } from '#models/ledger.ts';
import { MeteredModel } from './metered-model.ts';
import { PauseGate } from './pause-gate.ts';
import { SlotHold, Slots } from './slots.ts';

const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5 };
const model: ChatModel = {
  provider: 'test',
  name: 'echo',
  scripted: false,
  ready: async () => undefined,
  async *chat() {
    yield { kind: 'end', stopReason: 'end', usage };
  },
};

interface Bench {
  readonly ledger: Ledger;
  readonly metered: MeteredModel;
  readonly published: RunEventBody[];
}

function bench(price: Price | null, ledger: Ledger, ended: Promise<void>): Bench {
  const published: RunEventBody[] = [];
  let wakes = 0;
  const metered = new MeteredModel({
    model,
    role: 'worker',
    price,
    ledger,
    limiter: { run: async (attempt, signal) => attempt(signal) },
    hold: new SlotHold(new Slots(4)),
    gate: new PauseGate(),
    publish: async (event) => {
      published.push(event);
    },
    reservationEnded: async () => {
      wakes += 1;
      await (wakes === 1 ? ended : new Promise(() => undefined));
    },
  });
  return { ledger, metered, published };
}

function request(callKey: string): ChatRequest {
  return {
    messages: [{ role: 'user', text: 'Hello' }],
    tools: [],
    maxOutputTokens: 100,
    callKey,
    account: 'root',
  };
}

const { signal } = new AbortController();

test('a call of a model without a known price has no dollars, rather than none to pay', async () => {
  const { metered, published } = bench(null, new Ledger({}), Promise.resolve());
  await metered.call(request('a'), signal, async (_answer, events) => {
    published.push(...events);
  });
  expect(published).toMatchObject([
    { type: 'call.reserved', usd: null },
    { type: 'call.settled', usd: null },
  ]);
});

test('a call of a model that is free costs $0', async () => {
  const free = { input: 0, cachedInput: 0, output: 0 };
  const { metered, published } = bench(free, new Ledger({}), Promise.resolve());
  await metered.call(request('a'), signal, async (_answer, events) => {
    published.push(...events);
  });
  expect(published).toMatchObject([
    { type: 'call.reserved', usd: 0 },
    { type: 'call.settled', usd: 0 },
  ]);
});

test('whoever waits for the end of a call finds it settled in the ledger', async () => {
  const told = Promise.withResolvers<void>();
  // Room for one reservation, or for one answer and one reservation.
  const ledger = new Ledger({ tokens: 300 });
  const first = bench(null, ledger, told.promise);
  const second = bench(null, ledger, told.promise);
  let waiting: Promise<void> | undefined;
  await first.metered.call(request('a'), signal, async () => {
    waiting = second.metered.call(request('b'), signal, async () => undefined);
    await Promise.resolve();
    // The event is told, and who waits looks at the ledger, before the journal's answer comes back here.
    told.resolve();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(second.published).toMatchObject([{ type: 'call.reserved', key: 'b' }]);
  });
  await waiting;
  expect(ledger.open).toEqual([]);
});
