import type { Sentences } from './message.ts';

/** The codes of RecordingError; a test compares them with the runtime's. */
export type RecordingCode = 'not-empty' | 'nothing-recorded';

export const recordingSentences: Sentences<RecordingCode> = {
  'not-empty': (facts, words) => ({
    text: words.t(
      'The folder {0} is not empty: name a new one for the playbook.',
      facts.find('folder') ?? '',
    ),
    actions: [],
  }),
  'nothing-recorded': (_facts, words) => ({
    text: words.t('No model has answered in this run yet: there is nothing to record.'),
    actions: [],
  }),
};
