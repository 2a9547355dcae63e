import { CodedError } from '#protocol/errors.ts';

/** `not-empty`: the folder for the playbook holds something. `nothing-recorded`: no call of the run was answered. */
export type RecordingErrorCode = 'not-empty' | 'nothing-recorded';

export class RecordingError extends CodedError<RecordingErrorCode> {
  static is(error: unknown, code?: RecordingErrorCode): error is RecordingError {
    return error instanceof RecordingError && (code === undefined || error.code === code);
  }
}
