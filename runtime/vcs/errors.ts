import { CodedError } from '#protocol/errors.ts';

export type VcsErrorCode =
  | 'closed'
  | 'damaged'
  | 'io'
  | 'no-such-blob'
  | 'no-such-file'
  | 'no-trunk'
  | 'not-parked'
  | 'path-taken'
  | 'bad-path'
  | 'protected-path'
  | 'unknown-format'
  | 'unknown-snapshot';

export class VcsError extends CodedError<VcsErrorCode> {
  static is(error: unknown, code?: VcsErrorCode): error is VcsError {
    return error instanceof VcsError && (code === undefined || error.code === code);
  }
}
