import { CodedError } from '#protocol/errors.ts';

export type SandboxErrorCode = 'checkout' | 'no-sandbox' | 'not-started' | 'unsafe-path';

export class SandboxError extends CodedError<SandboxErrorCode> {
  static is(error: unknown, code?: SandboxErrorCode): error is SandboxError {
    return error instanceof SandboxError && (code === undefined || error.code === code);
  }
}

/** The `code` of an error of Node's file system (`ENOENT`, …), if it is one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
