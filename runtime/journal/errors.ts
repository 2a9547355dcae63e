import { CodedError } from '#protocol/errors.ts';

export type JournalErrorCode = 'closed' | 'damaged' | 'in-use' | 'io' | 'no-store' | 'unknown-format';

export class JournalError extends CodedError<JournalErrorCode> {
  static is(error: unknown, code?: JournalErrorCode): error is JournalError {
    return error instanceof JournalError && (code === undefined || error.code === code);
  }
}
