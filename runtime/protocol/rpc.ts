import { createBirpc, type BirpcReturn } from 'birpc';
import { CodedError } from './errors.ts';

/**
 * One end of a hop: host and worker, host and webview, later client and server. It carries values that a structured
 * clone can carry; over a webview, values that JSON can carry.
 */
export interface RpcChannel {
  post(message: unknown): void;
  /** Calls `listener` with each message until the channel is closed. */
  listen(listener: (message: unknown) => void): void;
}

/** An error as it crosses a hop. */
export interface ErrorReport {
  /** The name of its class: `ModelError`. Other than those of the runtime: `Error`. */
  readonly area: string;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, string | number>>;
}

/** What went wrong on the other side of a hop. */
export class RemoteError extends CodedError<string> {
  /** The class on the other side: codes are unique within it. */
  readonly area: string;

  constructor({ area, code, message, details }: ErrorReport) {
    super(code, message, details);
    this.area = area;
  }

  static is(error: unknown, area?: string, code?: string): error is RemoteError {
    return (
      error instanceof RemoteError &&
      (area === undefined || error.area === area) &&
      (code === undefined || error.code === code)
    );
  }
}

/** The code of what is pending, or called, when the other side is gone. */
export const goneCode = 'gone';

export function errorReport(error: unknown): ErrorReport {
  if (error instanceof RemoteError) {
    const { area, code, message, details } = error;
    return { area, code, message, details };
  }
  if (error instanceof CodedError) {
    const { name, message, details } = error;
    return { area: name, code: String(error.code), message, details };
  }
  if (!(error instanceof Error))
    return { area: 'Error', code: 'unknown', message: String(error), details: {} };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return { area: 'Error', code, message: error.message, details: {} };
}

/** A way to call the other side. */
export interface Rpc<Remote extends object> {
  /** Rejects with a RemoteError: what the other side threw, or `gone`. */
  readonly remote: BirpcReturn<Remote, object>;
  /** Rejects what is pending and all later calls. */
  close(): void;
}

interface Answer {
  readonly t: 's';
  readonly e?: unknown;
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 't' in message && message.t === 's';
}

function isReport(value: unknown): value is ErrorReport {
  return typeof value === 'object' && value !== null && 'area' in value && 'code' in value;
}

/**
 * Connects two sides, one typed interface a direction. Only own functions of `local` can be called. Errors keep their
 * class's name, code and details. There is no time limit: what can take long has a cancellation of its own.
 */
export function connectRpc<Remote extends object>(
  local: object,
  channel: RpcChannel,
  options: {
    /** Functions of the other side that are called without waiting for an answer. */
    readonly events?: readonly (keyof Remote)[];
    /** Told what functions of this side throw, also those that were called without waiting for an answer. */
    readonly onError: (error: unknown, name: string) => void;
  },
): Rpc<Remote> {
  let isClosed = false;
  const rpc = createBirpc<Remote, object>(local, {
    post: (message) => {
      if (!isClosed) channel.post(message);
    },
    on: (listener) => {
      channel.listen((message) => {
        if (!isClosed) listener(message);
      });
    },
    serialize: (message: unknown) =>
      isAnswer(message) && message.e !== undefined ? { ...message, e: errorReport(message.e) } : message,
    deserialize: (message: unknown) =>
      isAnswer(message) && isReport(message.e) ? { ...message, e: new RemoteError(message.e) } : message,
    resolver: (name, resolved) => {
      if (!Object.hasOwn(local, name)) return undefined;
      return async (...given) => {
        try {
          return await resolved(...given);
        } catch (error) {
          options.onError(error, name);
          throw error;
        }
      };
    },
    timeout: -1,
    eventNames: [...(options.events ?? [])],
  });
  return {
    remote: rpc,
    close: () => {
      isClosed = true;
      rpc.$close(
        new RemoteError({ area: 'Rpc', code: goneCode, message: 'the other side is gone', details: {} }),
      );
    },
  };
}
