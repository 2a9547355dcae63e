import { LanguageModelError, LanguageModelTextPart, type CancellationToken, type Progress } from 'vscode';

export const misbehaviours = [
  'blocked',
  'not-found',
  'no-permissions',
  'plain-error',
  /** Part of a text, then an error. */
  'broken-stream',
  /** Part of a text, then nothing until the caller cancels. */
  'stall',
  /** An answer without any part. */
  'empty',
] as const;

export type Misbehaviour = (typeof misbehaviours)[number];

/** What a provider does instead of answering. */
export async function misbehave(
  how: Misbehaviour,
  progress: Progress<LanguageModelTextPart>,
  token: CancellationToken,
): Promise<void> {
  switch (how) {
    case 'blocked':
      throw LanguageModelError.Blocked('the quota of this month is used up');
    case 'not-found':
      throw LanguageModelError.NotFound('there is no such model');
    case 'no-permissions':
      throw LanguageModelError.NoPermissions('the user has said no');
    case 'plain-error':
      throw new Error('529 overloaded');
    case 'broken-stream':
      progress.report(new LanguageModelTextPart('Let me '));
      throw new Error('terminated');
    case 'stall':
      progress.report(new LanguageModelTextPart('Let me '));
      await cancelled(token);
      return undefined;
    case 'empty':
      return undefined;
    default:
      return how satisfies never;
  }
}

async function cancelled(token: CancellationToken): Promise<void> {
  if (token.isCancellationRequested) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const subscription = token.onCancellationRequested(() => {
    resolve();
  });
  await promise;
  subscription.dispose();
}
