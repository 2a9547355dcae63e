import { CodedError } from '#protocol/errors.ts';

/** `malformed-suite`: a test file is not of the format; `details` has `line` and `problem`. */
export type GradingErrorCode = 'malformed-suite';

export class GradingError extends CodedError<GradingErrorCode> {
  static is(error: unknown, code?: GradingErrorCode): error is GradingError {
    return error instanceof GradingError && (code === undefined || error.code === code);
  }
}
