import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRun } from './session.ts';
import { realEdges, smallRun } from './testing/small-run.ts';

const key = 'made-up-key-0123456789';
/** Prints the key without holding it. */
const printKey = `printf 'the key is made-up-key-%s\\\\n' 0123456789`;

const playbook = `
title: a leak
concurrency: 1
turns:
  - key: planner root 1 1
    calls:
      - tool: plan
        args:
          wake: all
          tasks:
            - { name: hello, role: worker, goal: Say hello., scope: [hello.txt], acceptance: [It says hello], sections: [] }
  - key: planner root 1 2
    calls:
      - tool: finish
        args: { status: done, summary: Said., verification: unit-tests }
  - key: worker root/hello 1 1
    calls:
      - tool: run_command
        args: { command: "${printKey}" }
        expect: exit=0
      - tool: write_file
        args: { path: hello.txt, content: "hello ${key}\\n" }
      - tool: finish
        args: { status: done, summary: "Found ${key}.", verification: unit-tests, title: "Hello ${key}" }
`;

async function storedBytes(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Buffer.concat(
    await Promise.all(files.map(async (file) => readFile(join(file.parentPath, file.name)))),
  );
}

test('a key that a command prints and a model repeats is nowhere in the store', async () => {
  await using run = await smallRun(playbook, {
    request: { verify: printKey.replaceAll('\\\\', '\\'), environment: { COMPATIBLE_API_KEY: ` ${key}\n` } },
  });
  const session = await startRun(run.request, realEdges);
  const told: string[] = [];
  session.subscribe((event) => told.push(JSON.stringify(event)));
  try {
    expect(await session.drive(new AbortController().signal)).toBe('complete');
    await session.land({ approve: [] });
  } finally {
    await session.close();
  }
  expect(told.join('\n')).toContain('the key is [redacted]');
  expect(told.join('\n')).not.toContain(key);
  const stored = await storedBytes(join(run.folder, 'store'));
  expect(stored.includes('the key is [redacted]')).toBe(true);
  expect(stored.includes(key)).toBe(false);
  expect(await readFile(join(run.workspace, 'hello.txt'), 'utf8')).toBe('hello [redacted]\n');
});
