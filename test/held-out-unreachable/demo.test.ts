import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem } from '#edges/file-system.ts';
import { FileLogStore } from '#vcs/file-log-store.ts';
import { openRepository } from '#vcs/open-repository.ts';
import { Project } from '../command-line/project.ts';
import { canaries, leaksIn } from './canaries.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let project: Project;
let store = '';
beforeAll(async () => {
  project = await Project.create({});
  const end = await project.run(['demo', '--output', 'output', '--json']);
  if (end.code !== 0) throw new Error(`the demo failed: ${end.stderr}`);
  const [runs = ''] = await readdir(project.path('state', 'runs'));
  store = (await readFile(project.path('state', 'runs', runs, 'latest'), 'utf8')).trim();
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

/** All texts in a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function rows(table: 'events' | 'transcripts'): readonly string[] {
  const database = new DatabaseSync(join(store, 'journal.sqlite'), { readOnly: true });
  try {
    return database
      .prepare(`SELECT body FROM ${table}`)
      .all()
      .map((row) => String(row['body']));
  } finally {
    database.close();
  }
}

it('no prompt, no answer and no result of a demo run holds a line of the suite', () => {
  const items = rows('transcripts');
  expect(items.length).toBeGreaterThan(100);
  const text = items.flatMap((body) => textsIn(JSON.parse(body))).join('\n');
  // The agents are told what to build, so that an empty search means something.
  expect(text).toContain('MiniSQL');
  expect(canaries.length).toBeGreaterThan(100);
  expect(leaksIn(text)).toEqual([]);
});

it('no event of a demo run holds a line of the suite', () => {
  expect(leaksIn(rows('events').join('\n'))).toEqual([]);
});

it('nothing that was ever on trunk or parked, and nothing that landed, holds a line of the suite', async () => {
  const logStore = new FileLogStore(nodeFileSystem, join(store, 'vcs'));
  const trunk = await openRepository({ logStore, clock: systemClock });
  const contents: string[] = [];
  for (const record of trunk.records(0)) {
    if (record.kind !== 'commit' && record.kind !== 'parked') continue;
    for (const { entry } of record.changes) {
      if (entry) contents.push(new TextDecoder().decode(await trunk.blob(entry)));
    }
  }
  await trunk.close();
  expect(contents.length).toBeGreaterThan(20);
  expect(leaksIn(contents.join('\n'))).toEqual([]);
  const landed = (await readdir(project.path('output'), { recursive: true, withFileTypes: true })).filter(
    (file) => file.isFile(),
  );
  expect(landed.length).toBeGreaterThan(20);
  for (const { parentPath, name } of landed) {
    expect(leaksIn(await readFile(join(parentPath, name), 'utf8'))).toEqual([]);
  }
});
