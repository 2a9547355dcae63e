import { expect, test } from 'vitest';
import { SlotHold, Slots } from './slots.ts';

const never = new AbortController().signal;
const settled = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => {
      setImmediate(resolve);
    });
  });

test('no more agents hold a slot than there are', async () => {
  const slots = new Slots(2);
  const order: string[] = [];
  const holds = ['a', 'b', 'c'].map((name) => ({ name, hold: new SlotHold(slots) }));
  const taken = holds.map(async ({ name, hold }) => {
    await hold.take(never);
    order.push(name);
  });
  await settled();
  expect(order).toEqual(['a', 'b']);
  holds[0]?.hold.give();
  await Promise.all(taken);
  expect(order).toEqual(['a', 'b', 'c']);
});

test('agents that go on come before agents that start', async () => {
  const slots = new Slots(1);
  const order: string[] = [];
  await slots.take(never, true);
  const start = slots.take(never, false).then(() => order.push('start'));
  const goOn = slots.take(never, true).then(() => order.push('go on'));
  slots.give();
  await goOn;
  slots.give();
  await start;
  expect(order).toEqual(['go on', 'start']);
});

test('an agent that waits holds no slot, one that need not wait keeps it', async () => {
  const slots = new Slots(1);
  const [waiting, other] = [new SlotHold(slots), new SlotHold(slots)];
  await waiting.take(never);
  await waiting.without(Promise.resolve(), never);
  const gate = Promise.withResolvers<undefined>();
  const back = waiting.without(gate.promise, never);
  await other.take(never);
  gate.resolve(undefined);
  await settled();
  other.give();
  await back;
  waiting.give();
  waiting.give();
  await expect(other.take(never)).resolves.toBeUndefined();
});

test('one that is aborted while waiting gives its place up', async () => {
  const slots = new Slots(1);
  await slots.take(never, true);
  const abort = new AbortController();
  const waiting = slots.take(abort.signal, true);
  abort.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  slots.give();
  await slots.take(never, true);
});
