/** What is wrong with the form of an API key; whether it is accepted only its provider knows. */
export type KeyProblem = 'empty' | 'has-space' | 'too-short' | 'not-ascii' | 'is-address' | 'is-assignment';

/** Undefined when it may be a key. White space around it, as it comes with a copy, is no part of it. */
export function keyProblem(text: string): KeyProblem | undefined {
  const key = text.trim();
  if (key === '') return 'empty';
  if (/^https?:\/\//iu.test(key)) return 'is-address';
  if (/^(?:export\s+)?[A-Z][A-Z0-9_]*_KEY\s*=/u.test(key)) return 'is-assignment';
  if (/\s/u.test(key)) return 'has-space';
  // A header cannot carry anything else.
  if (!/^[\u0021-\u007E]+$/u.test(key)) return 'not-ascii';
  return key.length < 8 ? 'too-short' : undefined;
}
