import { expect, test } from 'vitest';
import { addressParts, readAddress, taskOf, type TranscriptAddress } from './transcript-address.ts';

const store = '/home/a b/ä&=%20#?/runs/1';

test.each<TranscriptAddress>([
  { kind: 'transcript', store, agent: 'root/lexer@2' },
  { kind: 'transcript', store, agent: 'resolver src/a b.mjs root/count+root/sort 1' },
  { kind: 'before', store, task: 'root/a', commit: '0f', path: 'src/ä #1.mjs' },
  { kind: 'after', store, task: 'root/a', commit: '0f', path: 'src/a.mjs' },
])('an address of $kind says all that is needed to find it again', (address) => {
  expect(readAddress(addressParts(address))).toEqual(address);
});

test('a tab shows the name of its task', () => {
  expect(addressParts({ kind: 'transcript', store, agent: 'root/lexer@2' }).path).toBe('/root/lexer@2.md');
  const agent = 'resolver src/commands.mjs root/count+root/sort 1';
  expect(addressParts({ kind: 'transcript', store, agent }).path).toBe('/resolver/src/commands.mjs 1.md');
});

test('an address of somebody else is none', () => {
  expect(readAddress({ authority: 'transcript', path: '/x.md', query: '' })).toBeUndefined();
  expect(
    readAddress({ authority: 'elsewhere', path: '/x', query: 'store=/s&task=root&commit=1' }),
  ).toBeUndefined();
});

test("a resolver's calls are those of no single task", () => {
  expect(taskOf('root/a@1')).toBe('root/a');
  expect(taskOf('resolver src/a root/a+root/b 1')).toBeUndefined();
});
