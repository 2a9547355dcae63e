import { CodedError } from '#protocol/errors.ts';

export type SandboxErrorCode = 'checkout' | 'no-sandbox' | 'not-started' | 'unsafe-path';

export class SandboxError extends CodedError<SandboxErrorCode> {
  static is(error: unknown, code?: SandboxErrorCode): error is SandboxError {
    return error instanceof SandboxError && (code === undefined || error.code === code);
  }
}
