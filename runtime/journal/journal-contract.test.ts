import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import type { RunEventBody } from '#protocol/events.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import type { Journal } from './journal.ts';
import { MemoryJournal } from './memory-journal.ts';
import { openJournal } from './sqlite-journal.ts';

let folder: string;
let clock: ManualClock;
let journal: Journal;

const implementations: readonly (readonly [string, () => Promise<Journal>])[] = [
  ['in memory', async () => Promise.resolve(new MemoryJournal(clock))],
  ['in SQLite', async () => openJournal(folder, clock)],
];

const braked = (reason: string): RunEventBody => ({ type: 'run.braked', reason });
const said = (text: string): TranscriptItem => ({ kind: 'user', text });

describe.each(implementations)('a journal %s', (_name, open) => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
    clock = new ManualClock(1_000);
    journal = await open();
  });
  afterEach(async () => {
    await journal.close();
    await rm(folder, { recursive: true });
  });

  it('numbers events from 1 without gaps and stamps them with the clock', async () => {
    expect(await journal.append({ events: [braked('a'), braked('b')] })).toEqual([
      { type: 'run.braked', reason: 'a', sequence: 1, time: 1_000 },
      { type: 'run.braked', reason: 'b', sequence: 2, time: 1_000 },
    ]);
    clock.advance(5);
    expect(await journal.append({ events: [braked('c')] })).toEqual([
      { type: 'run.braked', reason: 'c', sequence: 3, time: 1_005 },
    ]);
  });

  it('gives back what was appended, from any number on', async () => {
    const written = await journal.append({ events: [braked('a'), braked('ä\u0000\ud800"\n'), braked('c')] });
    expect(await journal.events(0)).toEqual(written);
    expect(await journal.events(2)).toEqual(written.slice(2));
    expect(await journal.events(3)).toEqual([]);
  });

  it('writes batches in the order of the calls', async () => {
    const reasons = Array.from({ length: 500 }, (_, index) => `reason ${index}`);
    const order: number[] = [];
    await Promise.all(
      reasons.map(async (reason) => {
        for (const event of await journal.append({ events: [braked(reason)] })) order.push(event.sequence);
      }),
    );
    expect(order).toEqual(reasons.map((_, index) => index + 1));
    expect((await journal.events(0)).map((event) => 'reason' in event && event.reason)).toEqual(reasons);
  });

  it('reads its own writes, even when the read is asked for before the write is acknowledged', async () => {
    const writing = journal.append({ events: [braked('a')] });
    expect(await journal.events(0)).toHaveLength(1);
    await writing;
  });

  it('keeps a transcript for each agent', async () => {
    await journal.append({
      items: [
        { agent: 'root@1', index: 0, item: said('one') },
        { agent: 'root/a@1', index: 0, item: said('other') },
        { agent: 'root@1', index: 1, item: said('two') },
      ],
    });
    await journal.append({ items: [{ agent: 'root@1', index: 2, item: said('three') }] });
    expect(await journal.transcript('root@1')).toEqual([said('one'), said('two'), said('three')]);
    expect(await journal.transcript('root/a@1')).toEqual([said('other')]);
    expect(await journal.transcript('root/b@1')).toEqual([]);
  });

  it.each([
    ['repeats one', [0, 0]],
    ['leaves one out', [0, 2]],
    ['does not begin at 0', [1]],
  ])('refuses a batch whose items %s, whole, and goes on', async (_case, indexes) => {
    const items = indexes.map((index) => ({ agent: 'root@1', index, item: said(`item ${index}`) }));
    await expect(journal.append({ events: [braked('x')], items })).rejects.toMatchObject({
      code: 'out-of-order',
    });
    expect(await journal.append({ events: [braked('y')] })).toMatchObject([{ sequence: 1 }]);
    expect(await journal.transcript('root@1')).toEqual([]);
  });

  it('leaves no gap where a batch cannot be written as JSON', async () => {
    // @ts-expect-error -- a bigint is what JSON cannot write
    const unwritable: RunEventBody = { type: 'run.braked', reason: 1n };
    await expect(journal.append({ events: [braked('x'), unwritable] })).rejects.toThrow(TypeError);
    expect(await journal.append({ events: [braked('y')] })).toMatchObject([{ sequence: 1 }]);
  });

  it('keeps what was handed in, whatever happens to the objects afterwards', async () => {
    const notes = ['before'];
    const event: RunEventBody = { type: 'run.ended', status: 'complete', reasons: notes };
    const writing = journal.append({ events: [event] });
    notes[0] = 'after';
    await writing;
    expect(await journal.events(0)).toMatchObject([{ reasons: ['before'] }]);
  });

  it('finishes what was asked for, then refuses', async () => {
    const writing = journal.append({ events: [braked('a')] });
    const closing = journal.close();
    expect(await writing).toHaveLength(1);
    await closing;
    await expect(journal.append({ events: [braked('b')] })).rejects.toMatchObject({ code: 'closed' });
    await expect(journal.events(0)).rejects.toMatchObject({ code: 'closed' });
    await journal.close();
  });
});
