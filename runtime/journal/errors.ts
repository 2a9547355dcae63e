import { CodedError } from '#protocol/errors.ts';

/**
 * - `closed`: asked for after `close`
 * - `damaged`: what is stored cannot be read back, or does not fit together
 * - `in-use`: another process, or this one, owns the store; `details` has `pid`, `host`, `since` where they are known
 * - `io`: the disk failed or is full, or the journal's thread died
 * - `no-store`: the folder holds no store
 * - `not-empty`: the folder holds something that is no store
 * - `not-made`: the folder of a new store cannot be made
 * - `out-of-order`: a transcript item is not the next one of its agent
 * - `store-exists`: the folder holds a store already
 * - `unknown-format`: written by another version
 */
export type JournalErrorCode =
  | 'closed'
  | 'damaged'
  | 'in-use'
  | 'io'
  | 'no-store'
  | 'not-empty'
  | 'not-made'
  | 'out-of-order'
  | 'store-exists'
  | 'unknown-format';

export class JournalError extends CodedError<JournalErrorCode> {
  static is(error: unknown, code?: JournalErrorCode): error is JournalError {
    return error instanceof JournalError && (code === undefined || error.code === code);
  }
}
