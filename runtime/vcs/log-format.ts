import { sha256Bytes } from './hash.ts';

/**
 * Format 1 of a segment, little-endian.
 *
 * Header, 64 bytes: magic (8), format version u32, segment number u32, index of its first record u64, checksum of the
 * record before it (32), the first 8 bytes of the SHA-256 of all these.
 *
 * Record: magic u32, kind u32, payload length u32, batch u32, records left in its batch u32, checksum of the record
 * before it (32), payload, SHA-256 of all these (32).
 *
 * A batch is what was written before one sync, and the next one is written only after that sync: so a batch after a
 * damaged record proves that the record had been durable, and damage without such a proof is a torn write.
 */
export const formatVersion = 1;
export const segmentHeaderSize = 64;
export const recordHeaderSize = 52;
const checksumSize = 32;
export const recordOverhead: number = recordHeaderSize + checksumSize;
const segmentMagic = Buffer.from('SWARMLOG', 'latin1');
const recordMagic = Buffer.from([0xf7, 0x53, 0x57, 0x52]);

/** `seal` carries nothing: written on closing, it proves that all before it was durable. */
export type RecordKind = 'data' | 'seal';
const kindNumbers = { data: 1, seal: 2 } as const;

/** Where the chain stands: what the next record builds on. */
export interface ChainEnd {
  readonly checksum: Uint8Array;
  readonly batch: number;
  /** Records that its batch still lacks. */
  readonly left: number;
  /** Data records so far. */
  readonly index: number;
}

export const chainStart: ChainEnd = { checksum: new Uint8Array(checksumSize), batch: 0, left: 0, index: 0 };

export function encodeSegmentHeader(segment: number, end: ChainEnd): Uint8Array {
  const header = Buffer.alloc(segmentHeaderSize);
  segmentMagic.copy(header, 0);
  header.writeUInt32LE(formatVersion, 8);
  header.writeUInt32LE(segment, 12);
  header.writeBigUInt64LE(BigInt(end.index + 1), 16);
  header.set(end.checksum, 24);
  header.set(sha256Bytes(header.subarray(0, 56)).subarray(0, 8), 56);
  return header;
}

/** One batch as it is written, and the chain after it. */
export function encodeBatch(
  kind: RecordKind,
  payloads: readonly Uint8Array[],
  end: ChainEnd,
): { readonly bytes: Uint8Array; readonly end: ChainEnd } {
  const size = payloads.reduce((sum, payload) => sum + payload.length + recordOverhead, 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  let { checksum } = end;
  for (const [place, payload] of payloads.entries()) {
    recordMagic.copy(bytes, at);
    bytes.writeUInt32LE(kindNumbers[kind], at + 4);
    bytes.writeUInt32LE(payload.length, at + 8);
    bytes.writeUInt32LE(end.batch + 1, at + 12);
    bytes.writeUInt32LE(payloads.length - place - 1, at + 16);
    bytes.set(checksum, at + 20);
    bytes.set(payload, at + recordHeaderSize);
    const until = at + recordHeaderSize + payload.length;
    checksum = sha256Bytes(bytes.subarray(at, until));
    bytes.set(checksum, until);
    at = until + checksumSize;
  }
  const index = end.index + (kind === 'data' ? payloads.length : 0);
  return { bytes, end: { checksum: Uint8Array.from(checksum), batch: end.batch + 1, left: 0, index } };
}

/** A record of a segment whose checksum is right. */
interface FoundRecord {
  readonly kind: RecordKind;
  readonly payload: Uint8Array;
  /** Of the payload in the segment. */
  readonly offset: number;
  readonly batch: number;
  readonly left: number;
  readonly previous: Uint8Array;
  readonly checksum: Uint8Array;
  /** Where the next one begins. */
  readonly until: number;
}

function recordAt(bytes: Buffer, at: number): FoundRecord | undefined {
  if (at + recordOverhead > bytes.length || bytes.compare(recordMagic, 0, 4, at, at + 4) !== 0)
    return undefined;
  const kind = bytes.readUInt32LE(at + 4);
  const offset = at + recordHeaderSize;
  const end = offset + bytes.readUInt32LE(at + 8);
  if ((kind !== kindNumbers.data && kind !== kindNumbers.seal) || end + checksumSize > bytes.length)
    return undefined;
  const checksum = bytes.subarray(end, end + checksumSize);
  if (!sha256Bytes(bytes.subarray(at, end)).equals(checksum)) return undefined;
  return {
    kind: kind === kindNumbers.seal ? 'seal' : 'data',
    payload: bytes.subarray(offset, end),
    offset,
    batch: bytes.readUInt32LE(at + 12),
    left: bytes.readUInt32LE(at + 16),
    previous: bytes.subarray(at + 20, at + recordHeaderSize),
    checksum,
    until: end + checksumSize,
  };
}

export type SegmentProblem =
  | { readonly kind: 'unknown-format'; readonly version: number }
  /** What was never acknowledged: bytes from `offset` on may be cut off. */
  | { readonly kind: 'torn'; readonly offset: number }
  /** The record or header at `offset` had been durable and is no longer what was written. */
  | { readonly kind: 'damaged'; readonly offset: number; readonly reason: string };

export interface SegmentScan {
  readonly end: ChainEnd;
  readonly problem?: SegmentProblem;
}

/**
 * Checks one segment that follows on `start`, and hands over its data records up to the first problem.
 * `last` says that no segment follows, so that its tail may be torn.
 */
export function scanSegment(
  segment: Uint8Array,
  number: number,
  start: ChainEnd,
  last: boolean,
  take: (payload: Uint8Array, index: number, offset: number) => void,
): SegmentScan {
  const bytes = Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength);
  const headerProblem = checkHeader(bytes, number, start, last);
  if (headerProblem !== undefined) return { end: start, problem: headerProblem };
  let end = start;
  let at = segmentHeaderSize;
  while (at < bytes.length) {
    const found = recordAt(bytes, at);
    if (found === undefined || !follows(found, end)) return { end, problem: judge(bytes, at, end, last) };
    const index = end.index + (found.kind === 'data' ? 1 : 0);
    if (found.kind === 'data') take(found.payload, index, found.offset);
    end = { checksum: Uint8Array.from(found.checksum), batch: found.batch, left: found.left, index };
    at = found.until;
  }
  // A batch cut off at the border of a record is a torn write too, but what is there is whole and may stay.
  return { end };
}

function follows(found: FoundRecord, end: ChainEnd): boolean {
  return (
    found.previous.every((byte, place) => byte === end.checksum[place]) &&
    found.batch >= end.batch &&
    found.batch <= end.batch + 1
  );
}

function checkHeader(
  bytes: Buffer,
  number: number,
  start: ChainEnd,
  last: boolean,
): SegmentProblem | undefined {
  if (bytes.length >= 12 && bytes.subarray(0, 8).equals(segmentMagic)) {
    const version = bytes.readUInt32LE(8);
    if (version !== formatVersion) return { kind: 'unknown-format', version };
  }
  const expected = encodeSegmentHeader(number, start);
  if (bytes.length >= segmentHeaderSize && bytes.subarray(0, segmentHeaderSize).equals(expected))
    return undefined;
  // A segment is filled only after its header was synced: a torn header has nothing behind it.
  const torn = last && (bytes.length < segmentHeaderSize || bytes.every((byte) => byte === 0));
  if (torn) return { kind: 'torn', offset: 0 };
  return { kind: 'damaged', offset: 0, reason: 'its header does not follow the segment before it' };
}

/** Tells a torn write from damage to what had been durable; see the comment on batches above. */
function judge(bytes: Buffer, at: number, end: ChainEnd, last: boolean): SegmentProblem {
  const damagedBatch = end.left > 0 ? end.batch : end.batch + 1;
  const proof = last ? newestBatch(bytes, at + 1) > damagedBatch : true;
  return proof
    ? { kind: 'damaged', offset: at, reason: 'a record does not match its checksum' }
    : { kind: 'torn', offset: at };
}

/** The highest batch of a sound record anywhere from `from` on; 0 if there is none. */
function newestBatch(bytes: Buffer, from: number): number {
  let newest = 0;
  for (let at = bytes.indexOf(recordMagic, from); at >= 0;) {
    const found = recordAt(bytes, at);
    newest = Math.max(newest, found?.batch ?? 0);
    at = bytes.indexOf(recordMagic, found?.until ?? at + 1);
  }
  return newest;
}
