import { CodedError } from '#protocol/errors.ts';
import { hostModelErrorArea, type HostModelErrorCode } from '#protocol/host-models.ts';

/** Why a model of the editor gave no answer. Its name crosses to the runtime, which makes a ModelError of it. */
export class HostModelError extends CodedError<HostModelErrorCode> {
  constructor(
    code: HostModelErrorCode,
    message: string,
    details: Readonly<Record<string, string | number>> = {},
    cause?: unknown,
  ) {
    super(code, message, details, cause);
    // The bundle's names are short ones.
    this.name = hostModelErrorArea;
  }

  static is(error: unknown, code?: HostModelErrorCode): error is HostModelError {
    return error instanceof HostModelError && (code === undefined || error.code === code);
  }
}

/** Codes of the editor's own errors (`LanguageModelError`). */
const editorCodes: Readonly<Record<string, HostModelErrorCode>> = {
  NotFound: 'unknown-model',
  NoPermissions: 'auth',
  Blocked: 'quota',
};

/**
 * What providers write into plain errors, first match first. They come from servers of all kinds, through extensions of
 * all kinds, so only words are looked for that servers agree on.
 */
const spoken: readonly (readonly [RegExp, HostModelErrorCode])[] = [
  [/rate.?limit|too many requests|\b429\b/iu, 'rate-limited'],
  [
    /context.{0,12}(length|window|limit)|too (long|many tokens|large)|max\w*.{0,12}tokens|token limit/iu,
    'context-overflow',
  ],
  [/quota|billing|credit|allowance|premium request|\b402\b/iu, 'quota'],
  [/overloaded|unavailable|at capacity|\b(503|529)\b/iu, 'overloaded'],
  [/timed? ?out|deadline|\b(408|504)\b/iu, 'timeout'],
  [/content.?(filter|policy|management)|responsible ai|was filtered|safety/iu, 'refused'],
  [/unauthori[sz]ed|forbidden|not signed in|sign in|permission|api key|\b(401|403)\b/iu, 'auth'],
  [/(model|deployment).{0,40}(not (found|exist|supported|available)|no longer|removed)/iu, 'unknown-model'],
  [/ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|network|fetch failed|socket|terminated|offline/iu, 'network'],
];

/** What a server says instead of an answer. Of everything else nobody here can tell how far the answer had come. */
const beforeAnswer: ReadonlySet<HostModelErrorCode> = new Set([
  'auth',
  'context-overflow',
  'overloaded',
  'quota',
  'rate-limited',
  'unknown-model',
]);

/** @param hasBegun whether a part of the answer had come */
export function failureOf(error: unknown, model: string, hasBegun: boolean): HostModelError {
  if (HostModelError.is(error)) return error;
  const told = messagesOf(error);
  const message = told[0] ?? 'no reason was given';
  const own = editorCode(error);
  const code = own ?? codeOf(told.join('\n')) ?? 'server';
  const removed = own === 'unknown-model' ? { removed: 'true' } : {};
  const mayHaveCost = Number(hasBegun || !beforeAnswer.has(code));
  return new HostModelError(code, message, { model, mayHaveCost, ...removed }, error);
}

function editorCode(error: unknown): HostModelErrorCode | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return Object.hasOwn(editorCodes, error.code) ? editorCodes[error.code] : undefined;
}

function codeOf(text: string): HostModelErrorCode | undefined {
  return spoken.find(([pattern]) => pattern.test(text))?.[1];
}

/** Of the error and what caused it: an editor's `Unknown` wraps the provider's. */
function messagesOf(error: unknown): readonly string[] {
  const messages: string[] = [];
  let current = error;
  for (let depth = 0; depth < 4 && current !== undefined && current !== null; depth += 1) {
    if (!(current instanceof Error)) {
      messages.push(typeof current === 'string' ? current : JSON.stringify(current));
      break;
    }
    messages.push(current.message);
    current = current.cause;
  }
  return messages.filter((message) => message !== '');
}
