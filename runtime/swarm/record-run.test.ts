import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkPlaybook } from '#models/playbook/check-playbook.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import { RecordingError } from '#models/recording/errors.ts';
import type { BuildRequest } from '#protocol/requests.ts';
import type { RecordedRun } from '#protocol/runtime-api.ts';
import { plannerTools, resolverTools, workerTools } from '#agents/tools/toolsets.ts';
import { recordRun } from './record-run.ts';
import { inspectRun } from './run-access.ts';
import { resumeRun, startRun, type RunSession } from './session.ts';
import { realEdges, smallRun } from './testing/small-run.ts';

const tools = [...plannerTools, ...workerTools, ...resolverTools].map(({ name }) => name);
const never = new AbortController().signal;

/** Drives a run to its end; what it has brought to trunk. */
async function driven(asked: BuildRequest): Promise<Readonly<Record<string, string>>> {
  const session: RunSession = await startRun(asked, realEdges);
  try {
    expect(await session.drive(never)).toBe('complete');
    const files = await session.trunkFiles('');
    return Object.fromEntries(files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));
  } finally {
    await session.close();
  }
}

const request = {
  caps: { tasks: 10, depth: 2, concurrency: 1 },
  unsandboxed: true,
  verify: 'grep -q c text.txt',
};

/** One slot: each worker begins when the one before it has ended, with its work on trunk. */
const oneByOne = `
title: one slot
concurrency: 1
turns:
  - key: planner root 1 1
    calls:
      - tool: plan
        args:
          wake: all
          tasks:
            - { name: a, role: worker, goal: First line., scope: [], shared: [text.txt], acceptance: [it is there] }
            - { name: b, role: worker, goal: Second line., scope: [], shared: [text.txt], acceptance: [it is there] }
            - { name: c, role: worker, goal: Third line., scope: [], shared: [text.txt], acceptance: [it is there] }
  - key: planner root 1 2
    calls:
      - tool: finish
        args: { status: done, summary: Three lines., verification: unit-tests }
  - key: worker root/a 1 1
    calls:
      - tool: write_file
        args: { path: text.txt, content: "a\\n" }
      - tool: finish
        args: { status: done, summary: a, verification: unit-tests }
  - key: worker root/b 1 1
    calls:
      - tool: edit_file
        args: { path: text.txt, old: "a\\n", new: "a\\nb\\n" }
        expect: outcome=edited
      - tool: finish
        args: { status: done, summary: b, verification: unit-tests }
  - key: worker root/c 1 1
    calls:
      - tool: edit_file
        args: { path: text.txt, old: "b\\n", new: "b\\nc\\n" }
        expect: outcome=edited
      - tool: finish
        args: { status: done, summary: c, verification: unit-tests }
`;

async function record(folder: string, name = 'recorded'): Promise<RecordedRun> {
  return recordRun(join(folder, 'store'), join(folder, name), realEdges);
}

describe('a run that was recorded', () => {
  it('begins its tasks after those that it had no free slot before, with as many slots as one likes', async () => {
    await using run = await smallRun(oneByOne, { request });
    const trunk = await driven(run.request);
    expect(trunk).toEqual({ 'text.txt': 'a\nb\nc\n' });
    const { file, concurrency, notes } = await record(run.folder);
    expect({ concurrency, notes }).toEqual({ concurrency: 1, notes: [] });
    const again = { ...run.request, playbook: file, store: join(run.folder, 'again') };
    expect(await driven({ ...again, caps: { ...run.request.caps, concurrency: 8 } })).toEqual(trunk);
  });

  it('is a playbook without missing or unused turns, with the long texts in files', async () => {
    await using run = await smallRun(oneByOne, { request });
    await driven(run.request);
    const { file, files, turns } = await record(run.folder);
    const playbook = await loadPlaybook(file, realEdges.fileSystem);
    expect(checkPlaybook(playbook, [...new Set(tools)])).toEqual([]);
    expect(playbook.turns.size).toBe(turns);
    expect(files).toBe(5);
    expect(await readFile(join(run.folder, 'recorded/parts/a/text.txt'), 'utf8')).toBe('a\n');
    const first = playbook.turns.get('worker root/b 1 1')?.calls[0];
    expect(first?.args).toEqual({ path: 'text.txt', old: 'a\n', new: 'a\nb\n' });
    expect(Object.fromEntries(first?.expect ?? [])).toEqual({ outcome: 'edited', path: 'text.txt' });
  });

  it('that was interrupted and resumed has each turn once', async () => {
    await using run = await smallRun(oneByOne, { request });
    const abort = new AbortController();
    const session = await startRun(run.request, realEdges);
    session.subscribe(({ type }) => {
      if (type === 'vcs.committed') abort.abort();
    });
    expect(await session.drive(abort.signal)).toBe('interrupted');
    const early = await session.transcript('root@1');
    expect(early.length).toBeGreaterThan(0);
    await session.close();
    const part = await record(run.folder, 'part');
    expect(part.notes[0]).toContain('not over (interrupted)');

    const resumed = await resumeRun({ store: run.request.store, caps: {}, environment: {} }, realEdges);
    expect(await resumed.drive(never)).toBe('complete');
    await resumed.close();
    const whole = await record(run.folder, 'whole');
    const settled = (await inspectRun(run.request.store, realEdges)).projection.ledger.settled.size;
    expect(whole.turns).toBe(settled);
    expect(await driven({ ...run.request, playbook: whole.file, store: join(run.folder, 'again') })).toEqual({
      'text.txt': 'a\nb\nc\n',
    });
  });

  it('overwrites nothing', async () => {
    await using run = await smallRun(oneByOne, { request });
    await driven(run.request);
    await realEdges.fileSystem.makeDirectory(join(run.folder, 'recorded'));
    await writeFile(join(run.folder, 'recorded', 'mine.txt'), 'mine');
    await expect(record(run.folder)).rejects.toSatisfy((error) => RecordingError.is(error, 'not-empty'));
  });
});
