import { CodedError } from '#protocol/errors.ts';

export type SpecErrorCode =
  | 'binary'
  | 'empty'
  | 'missing'
  | 'no-such-section'
  | 'too-large'
  | 'unknown-encoding'
  | 'unreadable'
  | 'wrong-kind';

export class SpecError extends CodedError<SpecErrorCode> {
  static is(error: unknown, code?: SpecErrorCode): error is SpecError {
    return error instanceof SpecError && (code === undefined || error.code === code);
  }
}
