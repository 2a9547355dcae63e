import { CodedError } from '#protocol/errors.ts';

/** `bad-request`: the webview sent what it never sends; `no-run`: nothing is shown; `unknown`: no such task or file. */
export type DashboardErrorCode = 'bad-request' | 'no-run' | 'unknown';

export class DashboardError extends CodedError<DashboardErrorCode> {
  static is(error: unknown, code?: DashboardErrorCode): error is DashboardError {
    return error instanceof DashboardError && (code === undefined || error.code === code);
  }
}
