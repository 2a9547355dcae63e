import { CodedError } from '#protocol/errors.ts';

/**
 * - `no-landing`: another landing is under review, or none
 * - `no-decision`: it was undone already, or never made
 * - `decided`: a proposal whose file is decided is not edited
 */
export type LandingErrorCode = 'decided' | 'no-decision' | 'no-landing';

export class LandingError extends CodedError<LandingErrorCode> {
  static is(error: unknown, code?: LandingErrorCode): error is LandingError {
    return error instanceof LandingError && (code === undefined || error.code === code);
  }
}
