import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import { nodeFileSystem, type FileSystem } from '#edges/file-system.ts';
import { SeededRandomness } from '#edges/randomness.ts';
import { FileLogStore } from './file-log-store.ts';
import { createRepository, openRepository } from './open-repository.ts';
import type { Repository } from './repository.ts';
import { faultyFileSystem, type Fault } from './testing/faulty-file-system.ts';
import { killedContent, killSegmentBytes, killWriters } from './testing/kill-contents.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { bytes, provenance, sourceOf, TestTrunk, textsOf, type Texts } from './testing/trunk.ts';

async function openAt(folder: string, fileSystem: FileSystem = nodeFileSystem): Promise<Repository> {
  const logStore = new FileLogStore(fileSystem, folder, killSegmentBytes);
  return openRepository({ logStore, clock: new ManualClock() });
}

async function createAt(folder: string, files: Texts, fileSystem: FileSystem): Promise<Repository> {
  const logStore = new FileLogStore(fileSystem, folder);
  const options = { logStore, clock: new ManualClock() };
  return (await createRepository(options, sourceOf(files), provenance)).repository;
}

interface Acknowledged {
  readonly task: string;
  readonly turn: number;
  readonly commit: string;
}

/** Lets writers work until `count` commits were acknowledged, then kills them; gives all that they told. */
async function killAfter(folder: string, round: number, count: number): Promise<readonly Acknowledged[]> {
  const script = fileURLToPath(new URL('./testing/kill-writers.ts', import.meta.url));
  const child = spawn(process.execPath, [script, folder, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const told: Acknowledged[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [task = '', turn = '', commit = ''] = line.split(' ');
    if (commit.length === 64) told.push({ task, turn: Number(turn), commit });
    if (told.length === count) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return told;
}

/** Every acknowledged commit is there byte for byte, and none is there half. */
async function verify(folder: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  const repository = await openAt(folder);
  for (const { task, turn, commit } of acknowledged) {
    const snapshot = repository.snapshot(commit);
    expect(Buffer.compare(await snapshot.read(`${task}/one`), killedContent(task, turn))).toBe(0);
  }
  const commits = repository.records(0).filter((record) => record.kind === 'commit');
  for (const { commit, submit } of commits.slice(1)) {
    const { task = '', turn = 0 } = submit ?? {};
    const snapshot = repository.snapshot(commit);
    expect(snapshot.entry(`${task}/one`)).toEqual(snapshot.entry(`${task}/two`));
    const shared = Buffer.from(await snapshot.read('shared'))
      .toString()
      .split('\n');
    expect(shared[3 * killWriters.indexOf(task)]).toBe(`${task} ${turn}`);
  }
  await repository.close();
}

describe('a killed process', () => {
  it('loses nothing that it acknowledged, ten times in a row', async () => {
    const folder = temporaryFolder();
    const randomness = new SeededRandomness(7);
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < 10; round += 1) {
      const count = 1 + Math.floor(randomness.next() * 60);
      acknowledged.push(...(await killAfter(folder, round, count)));
      await verify(folder, acknowledged);
    }
    expect(acknowledged.length).toBeGreaterThan(100);
  }, 120_000);
});

describe('many writers', () => {
  it('at once, from one base, all get their edits onto trunk', async () => {
    const writers = 100;
    const trunk = await TestTrunk.with({ shared: '\n'.repeat(2 * writers) });
    const base = trunk.repository.head().id;
    const outcomes = await Promise.all(
      Array.from({ length: writers }, async (_, index) => {
        const lines = Array.from({ length: 2 * writers }, (__, line) =>
          line === 2 * index ? `w${index}` : '',
        );
        const files = { shared: `${lines.join('\n')}\n`, [`own/${index}`]: String(index) };
        return trunk.submit(`root/w${index}`, files, { base });
      }),
    );
    expect(outcomes.filter(({ kind }) => kind === 'merged')).toHaveLength(writers - 1);
    const { shared = '', ...own } = await trunk.texts();
    expect(shared.split('\n').filter((line) => line !== '')).toEqual(
      Array.from({ length: writers }, (_, index) => `w${index}`),
    );
    expect(Object.keys(own)).toHaveLength(writers);
  });

  it('lose nothing when they collide: each set is on trunk or parked', async () => {
    const trunk = await TestTrunk.with({ shared: 'a\n' });
    const base = trunk.repository.head().id;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        trunk.submit(`root/w${index}`, { shared: `w${index}\n` }, { base }),
      ),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['committed', ...Array(49).fill('conflicted')]);
    const parked = trunk.repository.parked().flatMap(({ request }) => request.changeSet.changes);
    expect(parked).toHaveLength(49);
    expect((await trunk.reopened()).repository.parked()).toEqual(trunk.repository.parked());
  });

  it('share a small cache: contents come back from the log', async () => {
    const fileSystem = faultyFileSystem();
    const folder = temporaryFolder();
    const logStore = new FileLogStore(fileSystem, folder);
    const options = { logStore, clock: new ManualClock(), cacheBytes: 100 };
    const start = { shared: 'line\n\n'.repeat(40) };
    const { repository } = await createRepository(options, sourceOf(start), provenance);
    const base = repository.head().id;
    const kinds = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const view = repository.openView(base);
        const lines = Buffer.from(await view.read('shared'))
          .toString()
          .split('\n');
        lines[2 * index] = `w${index}`;
        view.write('shared', bytes(lines.join('\n')));
        const id = { task: `root/w${index}`, epoch: 1, turn: 1, call: 0 };
        const intent = { kind: 'work' } as const;
        const changeSet = view.changeSet();
        return (await repository.submit({ id, changeSet, scope: ['**'], intent, provenance })).kind;
      }),
    );
    expect(new Set(kinds)).toEqual(new Set(['committed', 'merged']));
    const { shared } = await textsOf(repository.head());
    expect(shared).toBe(Array.from({ length: 40 }, (_, index) => `w${index}\n\n`).join(''));
    await repository.close();
  });
});

const faults: readonly Fault[] = [
  { method: 'append', after: 2, code: 'ENOSPC', partial: 100 },
  { method: 'append', after: 0, code: 'EIO' },
  { method: 'datasync', after: 2, code: 'EIO' },
  { method: 'datasync', after: 0, code: 'ENOSPC' },
];

describe('a failing disk', () => {
  it.each(faults)('($code at $method) makes the repository read-only and loses nothing', async (fault) => {
    const fileSystem = faultyFileSystem();
    const folder = temporaryFolder();
    const repository = await createAt(folder, { start: 's' }, fileSystem);
    fileSystem.break(fault);
    const acknowledged: string[] = [];
    let failures = 0;
    for (let round = 0; round < 6; round += 1) {
      const submits = Array.from({ length: 5 }, async (_, index) => {
        const path = `r${round}/${index}`;
        const view = repository.openView(repository.head().id);
        view.write(path, bytes(path.repeat(20)));
        await repository.submit({
          id: { task: `root/${index}`, epoch: 1, turn: round, call: 0 },
          changeSet: view.changeSet(),
          scope: ['**'],
          intent: { kind: 'work' },
          provenance,
        });
        acknowledged.push(path);
      });
      for (const result of await Promise.allSettled(submits)) {
        failures += result.status === 'rejected' && result.reason.code === 'io' ? 1 : 0;
      }
    }
    expect(failures).toBe(30 - acknowledged.length);
    expect(failures).toBeGreaterThan(0);
    await expect(repository.fence('root', 2, '')).rejects.toMatchObject({ code: 'io' });
    const shown = Object.keys(await textsOf(repository.head()));
    expect(shown).toEqual([...acknowledged, 'start'].toSorted());
    expect(repository.records(0)).toHaveLength(1 + acknowledged.length);
    await repository.close();
    fileSystem.mend();
    const again = await openAt(folder, fileSystem);
    const kept = await textsOf(again.head());
    for (const path of acknowledged) expect(kept[path]).toBe(path.repeat(20));
    for (const [path, text] of Object.entries(kept))
      expect(text).toBe(path === 'start' ? 's' : path.repeat(20));
    await again.close();
  });
});
