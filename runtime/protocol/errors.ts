/**
 * The shape of every error class in the runtime: a class per area with a `code` of its own union. Words for the user
 * are made by the entries; `message` is for logs.
 */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;
  /** Facts that a message needs: paths, names, numbers. Never secrets. */
  readonly details: Readonly<Record<string, string | number>>;

  constructor(
    code: Code,
    message: string,
    details: Readonly<Record<string, string | number>> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
    this.name = new.target.name;
  }
}
