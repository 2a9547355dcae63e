import { expect, test } from 'vitest';
import { FileQueue } from './file-queue.ts';

test('steps on a file run one after the other, also after one that failed; others do not wait', async () => {
  const queue = new FileQueue();
  const told: string[] = [];
  const { promise: gate, resolve } = Promise.withResolvers<void>();
  const first = queue.run(['a', 'b'], async () => {
    await gate;
    told.push('a and b');
    throw new Error('failed');
  });
  const second = queue.run(['a'], async () => told.push('a'));
  await queue.run(['c'], async () => told.push('c'));
  expect(told).toEqual(['c']);
  resolve();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(told).toEqual(['c', 'a and b', 'a']);
});
