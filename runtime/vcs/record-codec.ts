import type { BlobHash, SnapshotId, SubmitIntent } from '#protocol/change-sets.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { VcsError } from './errors.ts';
import { sha256 } from './hash.ts';
import type { LogRecord } from './log-record.ts';

type WithoutPosition<Record> = Record extends unknown ? Omit<Record, 'position'> : never;

/** A log record as it is written: its position follows from its place. */
export type LogEntry = WithoutPosition<LogRecord>;
export type CommitEntry = Extract<LogEntry, { kind: 'commit' }>;
export type ParkedEntry = Extract<LogEntry, { kind: 'parked' }>;

/** A file that the import of a workspace left out, and why; one line for people. */
export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

/** What the log keeps of a parked set beyond its record, so that the set can be rebuilt whole. */
export interface ParkedRequest {
  readonly base: SnapshotId;
  readonly scope: readonly string[];
  readonly intent: SubmitIntent;
  /** The task that the set belongs to, and the epoch of the agent whose view holds its edits. */
  readonly owner: TaskPath;
  readonly epoch: number;
}

/** One record of the store. `entry` is absent for a part of an import: contents only, of no effect without its commit. */
export interface StoredRecord {
  readonly entry?: LogEntry;
  readonly parked?: ParkedRequest;
  /** Paths of a rejection. */
  readonly paths?: readonly string[];
  /** With the import. */
  readonly leftOut?: readonly LeftOut[];
}

/** Content that a record carries; each is stored once in the whole log. */
export interface CarriedBlob {
  readonly hash: BlobHash;
  readonly content: Uint8Array;
}

/** Where a blob lies in its record. */
export interface BlobPlace {
  readonly hash: BlobHash;
  readonly offset: number;
  readonly size: number;
}

/** Payload: length of the JSON u32 little-endian, the JSON in UTF-8, then the blobs it lists. */
export function encodeRecord(
  record: StoredRecord,
  blobs: readonly CarriedBlob[],
): { readonly payload: Uint8Array; readonly places: readonly BlobPlace[] } {
  const sizes = blobs.map(({ hash, content }): [BlobHash, number] => [hash, content.length]);
  const json = Buffer.from(JSON.stringify({ ...record, blobs: sizes }), 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const payload = Buffer.concat([length, json, ...blobs.map(({ content }) => content)]);
  return { payload, places: placesOf(sizes, 4 + json.length) };
}

function placesOf(sizes: readonly (readonly [BlobHash, number])[], start: number): readonly BlobPlace[] {
  let offset = start;
  return sizes.map(([hash, size]) => {
    const place = { hash, offset, size };
    offset += size;
    return place;
  });
}

/** Reads what `encodeRecord` wrote; the log has checked the bytes. @throws VcsError `damaged` */
export function decodeRecord(payload: Uint8Array): {
  readonly record: StoredRecord;
  readonly places: readonly BlobPlace[];
} {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  try {
    const until = 4 + bytes.readUInt32LE(0);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checksum says that encodeRecord wrote it
    const { blobs: sizes, ...record } = JSON.parse(bytes.toString('utf8', 4, until)) as StoredRecord & {
      blobs: [BlobHash, number][];
    };
    const filled = sizes.reduce((sum, [, size]) => sum + size, until);
    if (filled !== bytes.length) throw new Error('its blobs do not fill the record');
    return { record, places: placesOf(sizes, until) };
  } catch (error) {
    throw new VcsError('damaged', 'a record of the log cannot be decoded', {}, error);
  }
}

/** The id of a commit: a hash of all that it says, chained to the commit before it. */
export function commitId(previous: SnapshotId, entry: Omit<CommitEntry, 'commit'>): SnapshotId {
  return sha256(`${previous}\n${JSON.stringify(entry)}`);
}

/** True when a commit's id is what its content and the commit before it give. */
export function isChained(previous: SnapshotId, entry: CommitEntry): boolean {
  const { commit, ...rest } = entry;
  return commitId(previous, rest) === commit;
}
