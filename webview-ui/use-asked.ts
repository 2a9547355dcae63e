import { useEffect, useEffectEvent, useRef, useState } from 'react';

export type Asked<Answer> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Milliseconds between two questions about the same thing. */
const interval = 500;

/**
 * Asks the host, and asks again when what the answer depends on has changed. An old answer stays until the new one is
 * there, unless it is about something else.
 * @param about what the question is about
 * @param version changes when another answer is to be expected
 */
export function useAsked<Answer>(ask: () => Promise<Answer>, about: string, version: string): Asked<Answer> {
  const [asked, setAsked] = useState<{ readonly about: string; readonly result: Asked<Answer> }>();
  const last = useRef({ about: '', version: '', time: Number.NEGATIVE_INFINITY });
  const question = useEffectEvent(ask);
  useEffect(() => {
    const run = async (): Promise<void> => {
      last.current = { about, version, time: performance.now() };
      const result = await answerOf(question);
      // An answer that has been overtaken is newer than none: in a busy run the next question is always under way.
      if (last.current.about === about) setAsked({ about, result });
    };
    const isSame = last.current.about === about;
    const wait = isSame ? Math.max(0, last.current.time + interval - performance.now()) : 0;
    const timer = setTimeout(() => void run(), wait);
    return () => {
      clearTimeout(timer);
    };
  }, [about, version]);
  return asked?.about === about ? asked.result : { kind: 'waiting' };
}

async function answerOf<Answer>(ask: () => Promise<Answer>): Promise<Asked<Answer>> {
  try {
    return { kind: 'answer', answer: await ask() };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
