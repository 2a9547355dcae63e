import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import { SeededRandomness } from '#edges/randomness.ts';
import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import type { Journal } from './journal.ts';
import { openJournal, readJournal } from './sqlite-journal.ts';
import { WriterProcess } from './test-processes.ts';

const clock = new ManualClock(1_000);
const braked = (reason: string): RunEventBody => ({ type: 'run.braked', reason });
const reasonOf = (event: RunEvent): string => (event.type === 'run.braked' ? event.reason : event.type);

/** Where a tiny file system can be mounted; undefined without the right to. */
function mountTiny(folder: string): (() => void) | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return () => {
    execFileSync('umount', [folder]);
  };
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function withJournal<Result>(use: (journal: Journal) => Promise<Result>): Promise<Result> {
  const journal = await openJournal(folder, clock);
  try {
    return await use(journal);
  } finally {
    await journal.close();
  }
}

async function fill(journal: Journal): Promise<number> {
  for (let written = 0; written < 10_000; written += 1) {
    try {
      await journal.append({ events: [braked('x'.repeat(20_000))] });
    } catch (error) {
      expect(error).toMatchObject({ code: 'io' });
      return written;
    }
  }
  throw new Error('it never became full');
}

async function expectFailedButReadable(journal: Journal): Promise<void> {
  const written = await fill(journal);
  expect(written).toBeGreaterThan(0);
  const later = [braked('small'), braked('smaller')].map(async (event) =>
    journal.append({ events: [event] }),
  );
  for (const result of await Promise.allSettled(later)) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'io' } });
  }
  expect(await journal.events(0)).toHaveLength(written);
  await journal.close();
}

const file = (): string => join(folder, 'journal.sqlite');

describe('a journal in a store', () => {
  it('goes on with its numbers and transcripts after it was closed', async () => {
    const item: TranscriptItem = { kind: 'user', text: 'one' };
    const first = await withJournal(async (journal) =>
      journal.append({ events: [braked('a')], items: [{ agent: 'root@1', index: 0, item }] }),
    );
    await withJournal(async (journal) => {
      expect(await journal.events(0)).toEqual(first);
      const items = [{ agent: 'root@1', index: 1, item }];
      expect(await journal.append({ events: [braked('b')], items })).toMatchObject([{ sequence: 2 }]);
      expect(await journal.transcript('root@1')).toEqual([item, item]);
    });
  });

  it('gives back many events and large items in pages, whole', async () => {
    await withJournal(async (journal) => {
      const events = Array.from({ length: 2_500 }, (_, index) => braked(`reason ${index}`));
      const items = Array.from({ length: 7 }, (_, index): TranscriptItem => ({
        kind: 'user',
        text: `${index}`.repeat(400_000),
      }));
      await journal.append({
        events,
        items: items.map((item, index) => ({ agent: 'root@1', index, item })),
      });
      const reading = [journal.events(0), journal.transcript('root@1')] as const;
      const closing = journal.close();
      expect((await reading[0]).map(reasonOf)).toEqual(events.map((_, index) => `reason ${index}`));
      expect(await reading[1]).toEqual(items);
      await closing;
    });
  });

  it('does not hold up its caller while the disk is slow', async () => {
    await withJournal(async (journal) => {
      const disk = new DatabaseSync(file());
      disk.exec('BEGIN IMMEDIATE'); // the journal's thread now stands still in its commit
      let ticks = 0;
      let isWritten = false;
      const writing = journal.append({ events: [braked('a')] }).finally(() => {
        isWritten = true;
      });
      for (; ticks < 20; ticks += 1) await delay(2);
      expect({ ticks, isWritten }).toEqual({ ticks: 20, isWritten: false });
      disk.exec('ROLLBACK');
      disk.close();
      await writing;
    });
  });

  it('rejects what is pending, and all that follows, when its thread dies', async () => {
    const started = once(process, 'worker');
    const journal = await openJournal(folder, clock);
    const [thread] = await started;
    const pending = Array.from({ length: 50 }, async () => journal.append({ events: [braked('a')] }));
    const reading = journal.events(0);
    if (thread instanceof Worker) await thread.terminate();
    const results = await Promise.allSettled([...pending, reading]);
    expect(results.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'io' } });
    await expect(journal.append({ events: [braked('b')] })).rejects.toMatchObject({ code: 'io' });
    await journal.close();
    const written = results.filter((result) => result.status === 'fulfilled').length;
    await withJournal(async (again) => {
      expect((await again.events(0)).length).toBeGreaterThanOrEqual(written);
    });
  });
});

describe('a journal that another process writes', () => {
  it('can be read all the while', async () => {
    const writer = new WriterProcess(folder);
    try {
      await writer.hasSaid(1);
      const reader = await readJournal(folder);
      let seen = 0;
      for (let round = 1; round <= 5; round += 1) {
        const before = seen;
        await writer.hasSaid((line) => Number(line) > before);
        const acknowledged = Math.max(...writer.lines.slice(1).map(Number));
        const events = await reader.events(seen);
        expect(events[0]?.sequence).toBe(seen + 1);
        seen = events.at(-1)?.sequence ?? 0;
        expect(seen).toBeGreaterThanOrEqual(acknowledged);
      }
      expect((await reader.transcript('root@1')).length).toBeGreaterThanOrEqual(seen);
      await reader.close();
    } finally {
      await writer.kill();
    }
  }, 30_000);

  it('keeps all that was acknowledged when that process is killed, ten times', async () => {
    const randomness = new SeededRandomness(7);
    let acknowledged = 0;
    for (let round = 0; round < 10; round += 1) {
      const writer = new WriterProcess(folder);
      await writer.hasSaid(2);
      await delay(randomness.next() * 150);
      await writer.kill();
      const last = Math.max(...writer.lines.slice(1).map(Number));
      expect(last).toBeGreaterThan(acknowledged);
      acknowledged = last;
      const [events, items] = await withJournal(
        async (journal) => [await journal.events(0), await journal.transcript('root@1')] as const,
      );
      expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1));
      expect(events.length).toBeGreaterThanOrEqual(acknowledged);
      // Event and item of a batch are there together or not at all.
      const texts = items.map((item) => (item.kind === 'user' ? item.text : ''));
      expect(texts).toEqual(events.map((_, index) => `${index} `.repeat(500)));
      expect(events.map(reasonOf)).toEqual(texts);
    }
  }, 60_000);
});

describe('a journal that cannot be written', () => {
  it('because it has reached its size, refuses this batch and all later ones', async () => {
    await expectFailedButReadable(await openJournal(folder, clock, { maxPages: 40 }));
    await withJournal(async (journal) => {
      const written = (await journal.events(0)).length;
      expect(await journal.append({ events: [braked('b')] })).toMatchObject([{ sequence: written + 1 }]);
    });
  });

  it('because the disk is full, refuses this batch and all later ones', async ({ skip }) => {
    const unmount = mountTiny(folder);
    if (!unmount) return skip('no right to mount');
    try {
      await expect(openJournal(folder, clock).then(expectFailedButReadable)).resolves.toBeUndefined();
    } finally {
      unmount();
    }
    return undefined;
  });

  it('refuses what waits in the same group', async () => {
    const journal = await openJournal(folder, clock, { maxPages: 40 });
    const batches = Array.from({ length: 40 }, async (_, index) =>
      journal.append({ events: [braked(`${index}`.repeat(10_000))] }),
    );
    const results = await Promise.allSettled(batches);
    const kept = results.filter((result) => result.status === 'fulfilled').length;
    expect(kept).toBeLessThan(40);
    // The first that was lost takes all later ones with it: no gap is ever stored.
    expect(results.slice(0, kept).every((result) => result.status === 'fulfilled')).toBe(true);
    expect(await journal.events(0)).toHaveLength(kept);
    await journal.close();
  });
});

describe('opening a journal', () => {
  it('refuses one of another version', async () => {
    await withJournal(async (journal) => journal.append({ events: [braked('a')] }));
    const database = new DatabaseSync(file());
    database.exec('PRAGMA user_version = 2');
    database.close();
    const refusal = { code: 'unknown-format', details: { version: 2, known: 1 } };
    await expect(openJournal(folder, clock)).rejects.toMatchObject(refusal);
    await expect(readJournal(folder)).rejects.toMatchObject(refusal);
  });

  it('refuses a database that is none of ours', async () => {
    const database = new DatabaseSync(file());
    database.exec('CREATE TABLE other (x)');
    database.close();
    await expect(openJournal(folder, clock)).rejects.toMatchObject({ code: 'unknown-format' });
  });

  it('refuses what is no database', async () => {
    await writeFile(file(), 'no database, but long enough to have a header '.repeat(50));
    await expect(openJournal(folder, clock)).rejects.toMatchObject({ code: 'damaged' });
    await expect(readJournal(folder)).rejects.toMatchObject({ code: 'damaged' });
  });

  it.each([
    ['an event', 'DELETE FROM events WHERE sequence = 2'],
    ['an item', 'DELETE FROM transcripts WHERE idx = 0'],
  ])('refuses one where %s is missing', async (_what, damage) => {
    const items = [0, 1].map((index) => ({ agent: 'a@1', index, item: { kind: 'user', text: '' } as const }));
    await withJournal(async (journal) => journal.append({ events: ['a', 'b', 'c'].map(braked), items }));
    const database = new DatabaseSync(file());
    database.exec(damage);
    database.close();
    await expect(openJournal(folder, clock)).rejects.toMatchObject({ code: 'damaged' });
  });

  it('says so when a row cannot be read back', async () => {
    await withJournal(async (journal) => journal.append({ events: [braked('a')] }));
    const database = new DatabaseSync(file());
    database.exec(`UPDATE events SET body = '{"type":'`);
    database.close();
    await withJournal(async (journal) => {
      await expect(journal.events(0)).rejects.toMatchObject({
        code: 'damaged',
        details: { what: 'event 1' },
      });
    });
  });

  it('tells a reader that there is nothing yet', async () => {
    await expect(readJournal(folder)).rejects.toMatchObject({ code: 'no-store' });
    await writeFile(file(), '');
    await expect(readJournal(folder)).rejects.toMatchObject({ code: 'no-store' });
  });

  it('fails where the folder is missing', async () => {
    await expect(openJournal(join(folder, 'nowhere'), clock)).rejects.toMatchObject({ code: 'io' });
  });

  it('reads a copy of a journal that was being written', async () => {
    await withJournal(async (journal) => {
      await journal.append({ events: [braked('a')] });
      const copy = await mkdtemp(join(tmpdir(), 'journal-'));
      await copyFile(`${file()}-wal`, join(copy, 'journal.sqlite-wal'));
      await copyFile(file(), join(copy, 'journal.sqlite'));
      const reader = await readJournal(copy);
      expect((await reader.events(0)).map(reasonOf)).toEqual(['a']);
      await reader.close();
      await rm(copy, { recursive: true });
    });
  });
});
