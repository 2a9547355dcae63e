import { CodedError } from '#protocol/errors.ts';

/**
 * `retryable` ones: rate-limited, overloaded, server, network, timeout, broken-stream. The others need another model,
 * key, request or playbook.
 */
export type ModelErrorCode =
  | 'auth'
  | 'bad-answer'
  | 'bad-request'
  | 'broken-stream'
  | 'budget'
  | 'context-overflow'
  | 'network'
  | 'no-key'
  | 'no-price'
  | 'overloaded'
  | 'playbook-contradicted'
  | 'playbook-malformed'
  | 'playbook-missing-turn'
  | 'quota'
  | 'rate-limited'
  | 'refused'
  | 'server'
  | 'timeout'
  | 'unknown-model'
  | 'unknown-provider';

const retryable: ReadonlySet<ModelErrorCode> = new Set([
  'broken-stream',
  'network',
  'overloaded',
  'rate-limited',
  'server',
  'timeout',
]);

export class ModelError extends CodedError<ModelErrorCode> {
  /** Milliseconds that the provider asked to wait (`Retry-After`), when it did. */
  readonly retryAfter: number | undefined;
  /**
   * True when an answer had begun, or whether one was made is unknown: the call may have cost something, so its
   * reservation is lost, not released.
   */
  readonly mayHaveCost: boolean;

  constructor(
    code: ModelErrorCode,
    message: string,
    details: Readonly<Record<string, string | number>> = {},
    options: { readonly cause?: unknown; readonly retryAfter?: number; readonly mayHaveCost?: boolean } = {},
  ) {
    super(code, message, details, options.cause);
    this.retryAfter = options.retryAfter;
    this.mayHaveCost = options.mayHaveCost ?? false;
  }

  get isRetryable(): boolean {
    return retryable.has(this.code);
  }

  static is(error: unknown, code?: ModelErrorCode): error is ModelError {
    return error instanceof ModelError && (code === undefined || error.code === code);
  }
}
