import { join } from 'node:path';
import type { FileSystem, OpenFile } from '#edges/file-system.ts';
import { VcsError } from './errors.ts';
import { sha256 } from './hash.ts';
import {
  chainStart,
  encodeBatch,
  encodeSegmentHeader,
  formatVersion,
  recordHeaderSize,
  recordOverhead,
  scanSegment,
  segmentHeaderSize,
  type ChainEnd,
  type RecordKind,
  type SegmentProblem,
} from './log-format.ts';
import type { Appended, LogStore } from './log-store.ts';

/** Where a record's payload lies. */
interface Place {
  readonly segment: number;
  readonly offset: number;
}

interface Waiting {
  readonly index: number;
  readonly payload: Uint8Array;
  resolve(): void;
  reject(error: VcsError): void;
}

/** A batch is written in one piece, so its size is bounded; one larger record is a batch of its own. */
const batchBytes = 16 * 1024 * 1024;
const segmentName = /^(\d{8})\.log$/;

function nameOf(segment: number): string {
  return `${String(segment).padStart(8, '0')}.log`;
}

function failure(message: string, file: string, cause: unknown): VcsError {
  return VcsError.is(cause) ? cause : new VcsError('io', message, { file }, cause);
}

/** The log as segments in a folder, in the format of log-format.ts. One process opens it at a time. */
export class FileLogStore implements LogStore {
  readonly #fileSystem: FileSystem;
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #places: Place[] = [];
  readonly #readers = new Map<number, Promise<OpenFile>>();
  #end: ChainEnd = chainStart;
  #segment = 0;
  #size = 0;
  #file: OpenFile | undefined;
  #waiting: Waiting[] = [];
  #writing: readonly Waiting[] = [];
  #flushing: Promise<void> | undefined;
  #failed: VcsError | undefined;
  #closed = false;
  #appended = 0;
  #unsealed = false;

  /** `segmentBytes`: a new segment begins once the current one is larger. */
  constructor(fileSystem: FileSystem, folder: string, segmentBytes: number = 64 * 1024 * 1024) {
    this.#fileSystem = fileSystem;
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
  }

  async open(take: (payload: Uint8Array, index: number) => void): Promise<readonly string[]> {
    const reports: string[] = [];
    try {
      await this.#fileSystem.makeDirectory(this.#folder);
      const segments = await this.#segments();
      for (const [place, segment] of segments.entries()) {
        const last = place === segments.length - 1;
        if (segment !== place + 1) {
          throw new VcsError('damaged', 'a segment of the log is missing', {
            file: join(this.#folder, nameOf(place + 1)),
            offset: 0,
          });
        }
        // One segment after the other: each builds on the chain of the one before.
        // oxlint-disable-next-line no-await-in-loop
        await this.#readSegment(segment, last, take, reports);
      }
      if (this.#segment === 0) await this.#startSegment();
      else await this.#continueSegment();
    } catch (error) {
      await this.#file?.close();
      throw failure('the log cannot be opened', this.#folder, error);
    }
    this.#appended = this.#end.index;
    return reports;
  }

  append(payload: Uint8Array): Appended {
    if (this.#closed)
      return { index: 0, durable: Promise.reject(new VcsError('closed', 'the log is closed')) };
    if (this.#failed !== undefined) return { index: 0, durable: Promise.reject(this.#failed) };
    this.#appended += 1;
    const index = this.#appended;
    const durable = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ index, payload, resolve, reject });
    });
    this.#flushing ??= this.#flush();
    return { index, durable };
  }

  async read(index: number, offset: number, length: number): Promise<Uint8Array> {
    if (this.#closed) throw new VcsError('closed', 'the log is closed');
    const place = this.#places[index - 1];
    if (place === undefined) {
      const waiting = [...this.#writing, ...this.#waiting].find((record) => record.index === index);
      if (waiting !== undefined) return new Uint8Array(waiting.payload.subarray(offset, offset + length));
      throw new VcsError('io', 'read past the end of the log', { record: index });
    }
    try {
      const reader = await this.#reader(place.segment);
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length;) {
        // oxlint-disable-next-line no-await-in-loop -- the next part starts where this one ended
        const read = await reader.read(bytes, done, length - done, place.offset + offset + done);
        if (read === 0) throw new Error('unexpected end of the segment');
        done += read;
      }
      return bytes;
    } catch (error) {
      throw failure('the log cannot be read', this.#path(place.segment), error);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#flushing;
    try {
      if (this.#failed === undefined && this.#unsealed) await this.#write('seal', [new Uint8Array(0)]);
    } catch {
      // The seal only adds proof; everything acknowledged is durable without it.
    }
    const readers = await Promise.allSettled(this.#readers.values());
    const files = readers.flatMap((reader) => (reader.status === 'fulfilled' ? [reader.value] : []));
    await Promise.allSettled(
      [...files, ...(this.#file ? [this.#file] : [])].map(async (file) => file.close()),
    );
  }

  #path(segment: number): string {
    return join(this.#folder, nameOf(segment));
  }

  async #segments(): Promise<number[]> {
    const names = await this.#fileSystem.readDirectory(this.#folder);
    return names
      .flatMap(({ name }) => segmentName.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((left, right) => left - right);
  }

  async #readSegment(
    segment: number,
    last: boolean,
    take: (payload: Uint8Array, index: number) => void,
    reports: string[],
  ): Promise<void> {
    const bytes = await this.#fileSystem.readFile(this.#path(segment));
    const { end, problem } = scanSegment(bytes, segment, this.#end, last, (payload, index, offset) => {
      this.#places.push({ segment, offset });
      take(payload, index);
    });
    this.#end = end;
    this.#segment = segment;
    this.#size = bytes.length;
    if (problem !== undefined) reports.push(await this.#mend(segment, bytes, problem));
  }

  async #mend(segment: number, bytes: Uint8Array, problem: SegmentProblem): Promise<string> {
    const file = this.#path(segment);
    if (problem.kind === 'unknown-format') {
      const details = { file, version: problem.version, known: formatVersion };
      throw new VcsError('unknown-format', 'the log has a format that this version cannot read', details);
    }
    const { offset } = problem;
    if (problem.kind === 'damaged') {
      const copy = await this.#keepAside(`${nameOf(segment)}.damaged-${offset}`, bytes);
      throw new VcsError('damaged', problem.reason, { file, offset, quarantine: copy });
    }
    const copy = await this.#keepAside(`${nameOf(segment)}.torn-${offset}`, bytes.subarray(offset));
    const writable = await this.#fileSystem.open(file, 'read-write');
    try {
      await writable.truncate(offset);
      // A header that was torn is written anew: nothing can stand behind it.
      await writable.datasync();
    } finally {
      await writable.close();
    }
    this.#size = offset;
    if (offset === 0) await this.#writeHeader(segment);
    return `cut off ${bytes.length - offset} bytes of an unfinished write at ${file}:${offset}, kept in ${copy}`;
  }

  /**
   * Nothing is ever thrown away: the bytes are written beside the log under a name that says why and which they are, so
   * that opening a damaged log again and again keeps one copy.
   */
  async #keepAside(reason: string, bytes: Uint8Array): Promise<string> {
    const path = join(this.#folder, `${reason}-${sha256(bytes).slice(0, 16)}`);
    try {
      await this.#fileSystem.writeFile(`${path}.part`, bytes);
      await this.#fileSystem.rename(`${path}.part`, path);
      return path;
    } catch (error) {
      throw failure('damaged bytes cannot be kept aside', path, error);
    }
  }

  async #writeHeader(segment: number): Promise<void> {
    await this.#file?.close();
    this.#file = await this.#fileSystem.open(this.#path(segment), 'append');
    await this.#file.append(encodeSegmentHeader(segment, this.#end));
    await this.#file.datasync();
    await this.#fileSystem.syncDirectory(this.#folder);
    this.#size = segmentHeaderSize;
  }

  async #startSegment(): Promise<void> {
    this.#segment += 1;
    await this.#writeHeader(this.#segment);
  }

  /**
   * What a killed process left in the cache of the operating system counts as told from now on, so it must reach the disk
   * first; a batch that was cut between two records is closed, so that the next one is not taken for a part of it.
   */
  async #continueSegment(): Promise<void> {
    this.#file ??= await this.#fileSystem.open(this.#path(this.#segment), 'append');
    await this.#file.datasync();
    if (this.#end.left > 0) await this.#write('seal', [new Uint8Array(0)]);
  }

  async #write(kind: RecordKind, payloads: readonly Uint8Array[]): Promise<void> {
    if (this.#size > this.#segmentBytes) await this.#startSegment();
    const { bytes, end } = encodeBatch(kind, payloads, this.#end);
    await this.#file?.append(bytes);
    await this.#file?.datasync();
    let offset = this.#size + recordHeaderSize;
    for (const payload of payloads) {
      if (kind === 'data') this.#places.push({ segment: this.#segment, offset });
      offset += payload.length + recordOverhead;
    }
    this.#size += bytes.length;
    this.#end = end;
    this.#unsealed = kind === 'data';
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0 && this.#failed === undefined) {
      // Writers that were just answered get their turn, so that their next records share this sync.
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      this.#writing = this.#nextBatch();
      try {
        // oxlint-disable-next-line no-await-in-loop -- one batch after the other is what the format promises
        await this.#write(
          'data',
          this.#writing.map(({ payload }) => payload),
        );
      } catch (error) {
        this.#failed = failure('the log can no longer be written', this.#path(this.#segment), error);
        for (const record of [...this.#writing, ...this.#waiting]) record.reject(this.#failed);
        break;
      }
      for (const record of this.#writing) record.resolve();
      this.#writing = [];
    }
    this.#flushing = undefined;
  }

  #nextBatch(): readonly Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { payload } of this.#waiting) {
      if (count > 0 && bytes + payload.length > batchBytes) break;
      bytes += payload.length;
      count += 1;
    }
    const batch = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return batch;
  }

  async #reader(segment: number): Promise<OpenFile> {
    const known = this.#readers.get(segment);
    if (known !== undefined) return known;
    const opened = this.#fileSystem.open(this.#path(segment), 'read');
    this.#readers.set(segment, opened);
    opened.catch(() => this.#readers.delete(segment));
    return opened;
  }
}
