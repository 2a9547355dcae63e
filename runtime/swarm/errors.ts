import { CodedError } from '#protocol/errors.ts';

export type RunErrorCode =
  | 'never-started'
  | 'no-models'
  | 'no-sandbox'
  | 'not-open'
  /** Another process owns the store: version control cannot be read here. */
  | 'not-owned'
  | 'nothing-to-land'
  | 'playbook-concurrency'
  | 'store-in-workspace'
  | 'unknown-path'
  | 'workspace-in-store'
  | 'workspace-is-store'
  | 'workspace-missing'
  | 'workspace-not-writable';

export class RunError extends CodedError<RunErrorCode> {
  static is(error: unknown, code?: RunErrorCode): error is RunError {
    return error instanceof RunError && (code === undefined || error.code === code);
  }
}
