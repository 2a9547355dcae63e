import { expect, it } from 'vitest';
import { PauseGate } from './pause-gate.ts';

const signal = new AbortController().signal;

it('lets calls pass until it is closed, and all that wait once it is open again', async () => {
  const gate = new PauseGate();
  await gate.pass(signal);
  gate.close();
  const passed: number[] = [];
  const waiting = [1, 2].map(async (number) => {
    await gate.pass(signal);
    passed.push(number);
  });
  await new Promise(setImmediate);
  expect(passed).toEqual([]);
  gate.open();
  await Promise.all(waiting);
  expect(passed).toEqual([1, 2]);
});

it('holds those that wait when it is closed again at once', async () => {
  const gate = new PauseGate();
  gate.close();
  let passed = false;
  const pass = async (): Promise<void> => {
    await gate.pass(signal);
    passed = true;
  };
  const waiting = pass();
  gate.open();
  gate.close();
  await new Promise(setImmediate);
  expect(passed).toBe(false);
  gate.open();
  await waiting;
});

it('gives up with the reason of the signal', async () => {
  const gate = new PauseGate();
  gate.close();
  const stop = new AbortController();
  const waiting = gate.pass(stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
});
