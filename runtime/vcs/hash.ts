import { hash } from 'node:crypto';
import type { BlobHash } from '#protocol/change-sets.ts';

/** SHA-256 as 64 lower-case hex digits. */
export function sha256(data: string | Uint8Array): BlobHash {
  return hash('sha256', data, 'hex');
}

/** SHA-256 as 32 bytes. */
export function sha256Bytes(data: Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}
