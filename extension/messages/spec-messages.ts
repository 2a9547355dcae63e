import type { ErrorFacts, MessageAction, Sentences } from './message.ts';

/** The codes of SpecError; a test compares them with the runtime's. */
export type SpecCode =
  | 'binary'
  | 'empty'
  | 'missing'
  | 'no-such-section'
  | 'too-large'
  | 'unknown-encoding'
  | 'unreadable'
  | 'wrong-kind';

const build: MessageAction = { kind: 'build' };

function pathOf(facts: ErrorFacts): string {
  return facts.find('path', 'file') ?? 'the specification';
}

export const specSentences: Sentences<SpecCode> = {
  binary: (facts, words) => ({
    text: words.t(
      '{0} is not text: a specification is a Markdown, text or HTML file, or a folder of them.',
      pathOf(facts),
    ),
    actions: [build],
  }),
  empty: (facts, words) => ({
    text: words.t('{0} holds no specification: write what is to be built into it.', pathOf(facts)),
    actions: [{ kind: 'open-file', path: pathOf(facts) }],
  }),
  missing: (facts, words) => ({
    text: words.t('There is no specification at {0}: choose another one.', pathOf(facts)),
    actions: [build],
  }),
  'no-such-section': (facts, words) => ({
    text: words.t('The specification has no section {0}.', facts.find('section', 'id') ?? ''),
    actions: [],
  }),
  'too-large': (facts, words) => ({
    text: words.t(
      '{0} is too large for a specification: split it into several files, or shorten it.',
      pathOf(facts),
    ),
    actions: [build],
  }),
  'unknown-encoding': (facts, words) => ({
    text: words.t(
      '{0} is written in an encoding that cannot be read with certainty: save it as UTF-8.',
      pathOf(facts),
    ),
    actions: [{ kind: 'open-file', path: pathOf(facts) }],
  }),
  unreadable: (facts, words) => ({
    text: words.t('{0} cannot be read: change its rights, or choose another one.', pathOf(facts)),
    actions: [build],
  }),
  'wrong-kind': (facts, words) => ({
    text: words.t('{0} is no Markdown, text or HTML file and no folder of them.', pathOf(facts)),
    actions: [build],
  }),
};
