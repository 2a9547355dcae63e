import type { ChatRequest, Usage } from '#protocol/models.ts';
import type { AnswerReader } from './answer.ts';
import type { Failure } from './classify-failure.ts';

/** Where a model is reached. */
export interface Endpoint {
  readonly provider: string;
  readonly name: string;
  /** With its version, without a slash at its end: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Absent for a server that asks for none. */
  readonly apiKey?: string;
  /** The environment variable that the key comes from, for error messages. */
  readonly keyVariable: string;
}

/** One format in which models are spoken to over HTTP: all that differs between providers. */
export interface Wire {
  /** What such a server is called, as in "is this the base URL of …?" */
  readonly server: string;
  /** Milliseconds without a byte after which an answer that has begun is given up. */
  readonly idleTimeout: number;
  /** Loads the SDK, which is large, and which a run that plays a playbook never needs. */
  connect(endpoint: Endpoint): Promise<WireClient>;
  /**
   * @param callKey names the tool calls of a server that does not
   * @param bound what the call can have used at most: what is booked when the server does not tell
   */
  readAnswer(callKey: string, bound: Usage): AnswerReader;
}

/** One call. */
export interface SendOptions {
  /** Closes the connection. */
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

/** A client of one endpoint, with retries and time limits off: those are the caller's. */
export interface WireClient {
  /** Resolves when the server has begun to answer. */
  send(
    request: ChatRequest,
    options: SendOptions,
  ): Promise<{ readonly data: AsyncIterable<unknown>; readonly response: Response }>;
  /** What the provider said, when the SDK's error tells that; undefined for a failure of the connection. */
  toldBy(error: unknown): Failure | undefined;
}

/** setTimeout's largest: an SDK's own time limit is never to be the one that fires. */
export const never: number = 2 ** 31 - 1;

interface SdkError extends Error {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly error: unknown;
}

/** The classes of the two SDKs, which come from one generator. */
export interface SdkErrors {
  readonly APIError: new (...args: never) => SdkError;
  readonly APIConnectionError: new (...args: never) => Error;
}

export function toldBySdk(error: unknown, errors: SdkErrors): Failure | undefined {
  if (isConnectionError(error, errors) || !(error instanceof errors.APIError)) return undefined;
  return {
    body: error.error ?? error.message,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.headers === undefined ? {} : { headers: error.headers }),
  };
}

/** To the SDKs these are errors that a server told, although none did. */
function isConnectionError(error: unknown, errors: SdkErrors): boolean {
  return error instanceof errors.APIConnectionError;
}
