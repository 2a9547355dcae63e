import { ModelError, type ModelErrorCode } from '../errors.ts';
import { asLine, redact } from '../redaction.ts';

/** Where a call failed, for the error's words and details. */
export interface CallPlace {
  /** `provider/name`. */
  readonly model: string;
  readonly host: string;
  /** What never stands in an error. */
  readonly secrets: readonly string[];
  /** The environment variable that holds the key. */
  readonly keyVariable: string;
  /** What the base URL should lead to: `an OpenAI-compatible server`. */
  readonly server: string;
  /** True once the server has begun to answer with a 200. */
  readonly answering: boolean;
}

/** What a provider says about a failure. */
export interface Failure {
  /** Absent for an error inside an answer that began with a 200. */
  readonly status?: number;
  /** The body's `error` object, its text, or whatever came. */
  readonly body: unknown;
  readonly headers?: Headers;
}

/** A failure that a provider told: by a status, or by an error event in a stream. */
export function failureFromProvider(failure: Failure, place: CallPlace): ModelError {
  const body = unwrap(failure.body);
  const { text, words } = readBody(body);
  const code = codeOf(failure.status, words);
  const status = failure.status ?? statusOf(body);
  const retryAfter = failure.headers && readRetryAfter(failure.headers);
  return modelError(code, `${status === undefined ? '' : `${status} `}${text}`, place, {
    ...(status === undefined ? {} : { status }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

interface Extras {
  readonly status?: number;
  readonly retryAfter?: number;
  readonly mayHaveCost?: boolean;
}

/** An error with the place and the reason in one line, without secrets, and with what to do. */
export function modelError(
  code: ModelErrorCode,
  reason: string,
  place: CallPlace,
  extras: Extras = {},
): ModelError {
  const { status, retryAfter, mayHaveCost = place.answering } = extras;
  const line = asLine(redact(reason, place.secrets));
  const advice = adviceFor(code, place);
  return new ModelError(
    code,
    `${place.model} at ${place.host}: ${line}${advice === undefined ? '' : `: ${advice}`}`,
    {
      model: place.model,
      host: place.host,
      reason: line,
      ...(status === undefined ? {} : { status }),
      ...(code === 'auth' ? { variable: place.keyVariable } : {}),
    },
    { mayHaveCost, ...(retryAfter === undefined ? {} : { retryAfter }) },
  );
}

const advices: Readonly<Partial<Record<ModelErrorCode, string>>> = {
  quota: 'add credit at the provider, or choose another model',
  'unknown-model': 'check the name of the model and the base URL',
  'context-overflow': 'the request is too long for this model',
  network: 'check the base URL and the network',
};

function adviceFor(code: ModelErrorCode, place: CallPlace): string | undefined {
  if (code === 'auth') return `check the key in ${place.keyVariable}`;
  return code === 'bad-answer' ? `is this the base URL of ${place.server}?` : advices[code];
}

const quotaWords =
  /insufficient[_ ](quota|credits?|balance|funds)|billing_(hard_limit|not_active|error)|out of credits|credit balance|spend limit/;
const rateWords = /rate[_ -]?limit|too many requests/;
const overloadWords = /overloaded|over capacity|engine_overloaded|service_unavailable/;
const contextWords =
  /context_length_exceeded|context[_ ](length|window|size|limit)|maximum (context|prompt)|(prompt|input|request) is too long|request_too_large|too many (input )?tokens|string_above_max_length/;
const authWords = /invalid_api_key|authentication|permission_error|unauthorized/;
const modelWords = /model_not_found|model .*(does not exist|not found)|not_found_error/;
const filterWords = /content_filter|content_policy|responsibleai/;

/** `words` is the body's code, type and message in lower case. */
function codeOf(status: number | undefined, words: string): ModelErrorCode {
  // A rate limit is what most texts about quotas and tokens are; only these words say that waiting will not help.
  if (quotaWords.test(words) || status === 402) return 'quota';
  if (status === undefined) return codeOfWords(words);
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'unknown-model';
  if (status === 408) return 'timeout';
  if (status === 429) return 'rate-limited';
  if (status === 503 || status === 529) return 'overloaded';
  if (status >= 500) return 'server';
  if (status === 413 || contextWords.test(words)) return 'context-overflow';
  if (filterWords.test(words)) return 'refused';
  if (modelWords.test(words)) return 'unknown-model';
  // Redirects are not followed: the header with the call key must not leave this machine.
  return status < 400 ? 'bad-answer' : 'bad-request';
}

/** The first of them that fits, for an error event after a 200. What fits none is taken for the server's trouble. */
const codesByWords: readonly (readonly [RegExp, ModelErrorCode])[] = [
  [rateWords, 'rate-limited'],
  [overloadWords, 'overloaded'],
  [contextWords, 'context-overflow'],
  [filterWords, 'refused'],
  [authWords, 'auth'],
  [modelWords, 'unknown-model'],
  [/timeout_error/, 'timeout'],
  [/invalid_request|invalid_prompt/, 'bad-request'],
];

function codeOfWords(words: string): ModelErrorCode {
  const told = /(?:^|\s)([45]\d\d)(?:\s|$)/.exec(words)?.[1];
  if (told !== undefined) return codeOf(Number(told), words);
  return codesByWords.find(([pattern]) => pattern.test(words))?.[1] ?? 'server';
}

/** Anthropic and some proxies wrap the error once more: `{ type: 'error', error: { type, message } }`. */
function unwrap(body: unknown): unknown {
  const isWrapped =
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    typeof body.error === 'object' &&
    body.error !== null;
  return isWrapped ? body.error : body;
}

/** Reads what servers put into `error`: an object, a text, or something else altogether. */
function readBody(body: unknown): { readonly text: string; readonly words: string } {
  if (typeof body !== 'object' || body === null) {
    const text = typeof body === 'string' ? body : '';
    return { text, words: text.toLowerCase() };
  }
  const message = 'message' in body ? body.message : undefined;
  const code = 'code' in body ? body.code : undefined;
  const type = 'type' in body ? body.type : undefined;
  const named = [code, type].filter((part) => typeof part === 'string' || typeof part === 'number');
  const text = typeof message === 'string' ? message : JSON.stringify(body);
  return { text, words: [...named, text].join(' ').toLowerCase() };
}

/** Some servers put the status into the body of an error event. */
function statusOf(body: unknown): number | undefined {
  const code = typeof body === 'object' && body !== null && 'code' in body ? Number(body.code) : Number.NaN;
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined;
}

/**
 * Milliseconds. `Retry-After` is seconds or a date (RFC 9110, 10.2.3); a date is read against the answer's own `Date`,
 * so that a wrong clock on this machine does not matter. `retry-after-ms` is OpenAI's.
 */
function readRetryAfter(headers: Headers): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const written = headers.get('retry-after');
  if (written === null || written.trim() === '') return undefined;
  const seconds = Number(written);
  if (seconds >= 0) return seconds * 1000;
  const wait = Date.parse(written) - Date.parse(headers.get('date') ?? '');
  return wait >= 0 ? wait : undefined;
}

/** Codes of Node, undici and TLS that say that the request never reached a server. */
const unreached = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const timedOut = new Set(['ETIMEDOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);

/** A failure of the connection or of reading the answer, by the code deepest in its causes. */
export function failureFromTransport(error: unknown, place: CallPlace): ModelError {
  const causes = causesOf(error);
  const code = causes.map(codeIn).findLast((found) => found !== undefined) ?? '';
  const reason = causes.map((cause) => (cause instanceof Error ? cause.message : '')).findLast(Boolean) ?? '';
  const text = [code, reason.replace(code, '').trim()].filter(Boolean).join(' ');
  if (timedOut.has(code)) return modelError('timeout', text, place, { mayHaveCost: true });
  const isNotHttp = causes.some((cause) => cause instanceof Error && cause.name === 'HTTPParserError');
  if (error instanceof SyntaxError || isNotHttp) {
    return modelError('bad-answer', text, place, { mayHaveCost: true });
  }
  if (place.answering) return modelError('broken-stream', text, place);
  const neverSent = unreached.has(code) || /CERT|TLS|SSL/.test(code);
  if (neverSent || code !== '') return modelError('network', text, place, { mayHaveCost: !neverSent });
  return modelError('bad-request', text, place);
}

/** The error, its cause, and so on. Node tries several addresses and then throws them together. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  let next = error;
  while (next !== undefined && next !== null && causes.length < 8) {
    causes.push(next);
    if (next instanceof AggregateError) next = next.errors[0];
    else next = next instanceof Error ? next.cause : undefined;
  }
  return causes;
}

function codeIn(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}
