import { expect, test } from 'vitest';
import { nodeProcesses, type RunningProcess } from './processes.ts';

function start(file: string, ...args: readonly string[]): RunningProcess {
  return nodeProcesses.start({ file, args, cwd: '/', env: {} });
}

test.each([
  ['an argument longer than the system takes', '/bin/true', 'x'.repeat(4_000_000), 'E2BIG'],
  ['a NUL in an argument', '/bin/true', 'a\0b', 'ERR_INVALID_ARG_VALUE'],
  ['a program that is not there', '/no/such/program', '', 'ENOENT'],
])('%s is told by the end of the process', async (_name, file, argument, code) => {
  const process = start(file, argument);
  process.stdin.end('unread');
  process.kill();
  await expect(process.ended).rejects.toMatchObject({ code });
  expect(process.pid).toBe(-1);
  expect(await process.stdout.toArray()).toEqual([]);
});

test('a process tells its output and its exit code', async () => {
  const process = start('/bin/sh', '-c', 'echo said; exit 3');
  const output = await process.stdout.toArray();
  expect(Buffer.concat(output).toString()).toBe('said\n');
  expect(await process.ended).toEqual({ code: 3, signal: null });
});
