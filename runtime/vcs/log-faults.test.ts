import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { VcsError } from './errors.ts';
import { FileLogStore } from './file-log-store.ts';
import { recordOverhead, segmentHeaderSize } from './log-format.ts';
import type { LogStore } from './log-store.ts';
import { faultyFileSystem, type Fault } from './testing/faulty-file-system.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const segment = '00000001.log';

async function readAll(store: LogStore): Promise<{ records: string[]; reports: readonly string[] }> {
  const records: string[] = [];
  const reports = await store.open((payload) => records.push(Buffer.from(payload).toString('latin1')));
  return { records, reports };
}

/** Opens and closes. */
async function contentOf(store: LogStore): Promise<string[]> {
  const { records } = await readAll(store);
  await store.close();
  return records;
}

/** What opening throws. */
async function failureOf(store: LogStore): Promise<unknown> {
  try {
    await readAll(store);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A log whose records were each synced alone, as a killed process leaves it: without a seal. */
async function unsealedLog(payloads: readonly string[], folder = temporaryFolder()): Promise<string> {
  const store = new FileLogStore(faultyFileSystem(), folder);
  await readAll(store);
  for (const payload of payloads) await store.append(Buffer.from(payload, 'latin1')).durable;
  const bytes = readFileSync(join(folder, segment));
  await store.close();
  writeFileSync(join(folder, segment), bytes);
  return folder;
}

/** The same segment in a folder of its own, changed. */
function copyOf(folder: string, change: (bytes: Buffer) => Uint8Array): string {
  const copy = temporaryFolder();
  writeFileSync(join(copy, segment), change(readFileSync(join(folder, segment))));
  return copy;
}

const payloads = ['first', 'second record', '', 'fourth', 'the fifth and last'];

// Hundreds of files each, on a disk that may be busy.
vi.setConfig({ testTimeout: 60_000 });

describe('a torn tail', () => {
  it('costs only what was cut, wherever the last three records are cut off', async () => {
    const folder = await unsealedLog(payloads);
    const whole = readFileSync(join(folder, segment));
    const ends = payloads.map((_, index) =>
      payloads
        .slice(0, index + 1)
        .reduce((sum, payload) => sum + payload.length + recordOverhead, segmentHeaderSize),
    );
    for (let length = ends[1] ?? 0; length < whole.length; length += 1) {
      const cut = copyOf(folder, (bytes) => bytes.subarray(0, length));
      const store = new FileLogStore(faultyFileSystem(), cut);
      const { records, reports } = await readAll(store);
      expect(records).toEqual(payloads.slice(0, ends.filter((end) => end <= length).length));
      expect(reports).toHaveLength(ends.includes(length) ? 0 : 1);
      await store.append(Buffer.from('next')).durable;
      await store.close();
      expect(await contentOf(new FileLogStore(faultyFileSystem(), cut))).toEqual([...records, 'next']);
    }
  });

  it('is kept beside the log', async () => {
    const folder = await unsealedLog(payloads);
    const cut = copyOf(folder, (bytes) => bytes.subarray(0, bytes.length - 3));
    const store = new FileLogStore(faultyFileSystem(), cut);
    const { reports } = await readAll(store);
    const kept = readdirSync(cut).find((name) => name.includes('.torn-')) ?? '';
    expect(reports[0]).toContain(kept);
    expect(readFileSync(join(cut, kept)).length).toBe('the fifth and last'.length + recordOverhead - 3);
    await store.close();
  });

  it('is recognised when a header was not written whole', async () => {
    const folder = await unsealedLog([]);
    for (let length = 0; length < segmentHeaderSize; length += 1) {
      const cut = copyOf(folder, (bytes) => bytes.subarray(0, length));
      const store = new FileLogStore(faultyFileSystem(), cut);
      expect((await readAll(store)).records).toEqual([]);
      await store.append(Buffer.from('next')).durable;
      await store.close();
      expect(await contentOf(new FileLogStore(faultyFileSystem(), cut))).toEqual(['next']);
    }
  });

  it('may be pages of zeros, as after a loss of power', async () => {
    const folder = await unsealedLog(payloads);
    const zeros = copyOf(folder, (bytes) => Buffer.concat([bytes, Buffer.alloc(4096)]));
    const store = new FileLogStore(faultyFileSystem(), zeros);
    expect((await readAll(store)).records).toEqual(payloads);
    await store.close();
  });

  it('may have lost an early page of its last batch while a later one was written', async () => {
    const folder = await unsealedLog(['one', 'two']);
    const store = new FileLogStore(faultyFileSystem(), folder);
    await readAll(store);
    await Promise.all(['a', 'b', 'c'].map(async (text) => store.append(Buffer.from(text)).durable));
    const start = segmentHeaderSize + 2 * (3 + recordOverhead);
    const torn = copyOf(folder, (bytes) => bytes.fill(0, start, start + 20));
    await store.close();
    const again = new FileLogStore(faultyFileSystem(), torn);
    const { records, reports } = await readAll(again);
    expect(records).toEqual(['one', 'two']);
    expect(reports).toHaveLength(1);
    await again.close();
  });
});

describe('damage', () => {
  it('of any single bit before the tail is found, named and quarantined', async () => {
    const folder = await unsealedLog(payloads);
    const whole = readFileSync(join(folder, segment));
    const lastStart = whole.length - recordOverhead - 'the fifth and last'.length;
    for (let offset = 0; offset < lastStart; offset += 1) {
      const damaged = copyOf(folder, (bytes) => {
        bytes[offset] = (bytes[offset] ?? 0) ^ (1 << (offset % 8));
        return bytes;
      });
      const before = readFileSync(join(damaged, segment));
      const error = await failureOf(new FileLogStore(faultyFileSystem(), damaged));
      // The format's number has bits too; what it says then is refused all the same.
      const isVersion = offset >= 8 && offset < 12;
      const file = join(damaged, segment);
      expect(error).toMatchObject({ code: isVersion ? 'unknown-format' : 'damaged', details: { file } });
      expect(readFileSync(file)).toEqual(before);
      if (isVersion || !VcsError.is(error)) continue;
      expect(error.details['offset']).toBeLessThanOrEqual(offset);
      expect(readFileSync(String(error.details['quarantine']))).toEqual(before);
    }
  });

  it('of the last record is found even there once the log was closed', async () => {
    const folder = await unsealedLog(payloads);
    const store = new FileLogStore(faultyFileSystem(), folder);
    await readAll(store);
    await store.append(Buffer.from('sealed')).durable;
    await store.close();
    const at = readFileSync(join(folder, segment)).indexOf('sealed');
    const damaged = copyOf(folder, (bytes) => {
      bytes[at] = 0;
      return bytes;
    });
    await expect(readAll(new FileLogStore(faultyFileSystem(), damaged))).rejects.toMatchObject({
      code: 'damaged',
    });
  });

  it('includes a missing segment, and one of another log', async () => {
    const folder = temporaryFolder();
    const store = new FileLogStore(faultyFileSystem(), folder, 100);
    await readAll(store);
    for (const payload of payloads) await store.append(Buffer.from(payload)).durable;
    await store.close();
    const names = readdirSync(folder).toSorted();
    expect(names.length).toBeGreaterThan(2);
    const [missing, foreign] = [temporaryFolder(), temporaryFolder()];
    for (const name of names) {
      if (name !== '00000002.log') copyFileSync(join(folder, name), join(missing, name));
      copyFileSync(join(folder, name === '00000002.log' ? segment : name), join(foreign, name));
    }
    for (const broken of [missing, foreign]) {
      await expect(readAll(new FileLogStore(faultyFileSystem(), broken))).rejects.toMatchObject({
        code: 'damaged',
        details: { file: join(broken, '00000002.log') },
      });
    }
  });

  it('is not an unknown format', async () => {
    const folder = await unsealedLog(payloads);
    const newer = copyOf(folder, (bytes) => {
      bytes.writeUInt32LE(2, 8);
      return bytes;
    });
    await expect(readAll(new FileLogStore(faultyFileSystem(), newer))).rejects.toMatchObject({
      code: 'unknown-format',
      details: { version: 2 },
    });
  });
});

const faults: readonly Fault[] = [
  { method: 'append', after: 3, code: 'ENOSPC', partial: 30 },
  { method: 'append', after: 3, code: 'EIO', partial: 150 },
  { method: 'append', after: 0, code: 'EROFS' },
  { method: 'datasync', after: 3, code: 'EIO' },
  { method: 'open', after: 0, code: 'ENOSPC' },
];

describe('a disk that fails', () => {
  it.each(faults)(
    'with $code at $method: nothing is acknowledged from then on, nothing is lost',
    async (fault) => {
      const fileSystem = faultyFileSystem();
      const folder = temporaryFolder();
      const store = new FileLogStore(fileSystem, folder, fault.method === 'open' ? 300 : undefined);
      await readAll(store);
      await store.append(Buffer.from('before')).durable;
      fileSystem.break(fault);
      const acknowledged = ['before'];
      const refused: string[] = [];
      for (let round = 0; round < 8; round += 1) {
        const texts = ['a', 'b', 'c'].map((letter) => `${letter}${round} `.repeat(10));
        const results = await Promise.allSettled(
          texts.map(async (text) => store.append(Buffer.from(text)).durable),
        );
        for (const [index, result] of results.entries()) {
          const isKept = result.status === 'fulfilled';
          (isKept ? acknowledged : refused).push(texts[index] ?? '');
          expect(isKept || VcsError.is(result.reason, 'io')).toBe(true);
        }
      }
      expect(refused.length).toBeGreaterThan(0);
      fileSystem.mend();
      expect(Buffer.from(await store.read(1, 0, 6)).toString()).toBe('before');
      await store.close();
      const records = await contentOf(new FileLogStore(faultyFileSystem(), folder));
      expect(records.slice(0, acknowledged.length)).toEqual(acknowledged);
      // What was refused may be there, whole and in order.
      expect(records.slice(acknowledged.length)).toEqual(
        refused.slice(0, records.length - acknowledged.length),
      );
    },
  );

  it('when it is opened is an error that says so, and costs nothing', async () => {
    const folder = await unsealedLog(payloads);
    const cut = copyOf(folder, (bytes) => bytes.subarray(0, bytes.length - 1));
    const before = readFileSync(join(cut, segment));
    const fileSystem = faultyFileSystem();
    for (const method of ['truncate', 'writeFile'] as const) {
      fileSystem.break({ method, after: 0, code: 'EROFS' });
      await expect(readAll(new FileLogStore(fileSystem, cut))).rejects.toMatchObject({ code: 'io' });
      expect(readFileSync(join(cut, segment))).toEqual(before);
    }
    mkdirSync(join(cut, 'other'));
    writeFileSync(join(cut, 'other', 'file'), '');
    await expect(
      readAll(new FileLogStore(faultyFileSystem(), join(cut, 'other', 'file'))),
    ).rejects.toMatchObject({ code: 'io' });
  });
});
