import { CodedError } from '#protocol/errors.ts';

export type CliErrorCode =
  | 'bad-usage'
  | 'demo-missing'
  | 'demo-output-taken'
  | 'latest-unreadable'
  | 'no-run'
  | 'no-such-task';

export class CliError extends CodedError<CliErrorCode> {
  static is(error: unknown, code?: CliErrorCode): error is CliError {
    return error instanceof CliError && (code === undefined || error.code === code);
  }
}

/** The first of the facts that is there. */
export function fact(error: CodedError<string>, ...names: readonly string[]): string | undefined {
  const name = names.find((each) => error.details[each] !== undefined);
  return name === undefined ? undefined : String(error.details[name]);
}
