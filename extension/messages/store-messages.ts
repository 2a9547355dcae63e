import {
  resume,
  showLog,
  unexpected,
  type ErrorFacts,
  type MessageAction,
  type Sentence,
  type Sentences,
} from './message.ts';

/** The codes of JournalError; a test compares them with the runtime's. */
export type JournalCode =
  | 'closed'
  | 'damaged'
  | 'in-use'
  | 'io'
  | 'no-store'
  | 'not-empty'
  | 'not-made'
  | 'out-of-order'
  | 'store-exists'
  | 'unknown-format';

/** The codes of VcsError; a test compares them with the runtime's. */
export type VcsCode =
  | 'bad-path'
  | 'closed'
  | 'damaged'
  | 'io'
  | 'no-such-blob'
  | 'no-such-file'
  | 'no-trunk'
  | 'not-parked'
  | 'path-taken'
  | 'protected-path'
  | 'unknown-format'
  | 'unknown-snapshot';

/** The codes of ProjectionError; a test compares them with the runtime's. */
export type ProjectionCode = 'contradiction' | 'gap' | 'unknown-event' | 'unknown-task';

const build: MessageAction = { kind: 'build' };

function storeOf(facts: ErrorFacts): string {
  return facts.find('folder', 'store', 'file', 'path') ?? 'the store';
}

/** SQLite, the log and the file system each say in their own way that a disk is full. */
export function isDiskFull(message: string): boolean {
  return /ENOSPC|EDQUOT|no space left|disk(?: is|) full|SQLITE_FULL/iu.test(message);
}

const io: Sentence = (facts, words) =>
  isDiskFull(facts.own)
    ? {
        text: words.t(
          'The disk is full, so the run has stopped. What was built until then is safe: make room, then resume.',
        ),
        actions: [resume, showLog],
      }
    : {
        text: words.t(
          'The store of the run can no longer be written or read ({0}). What was built until then is safe: check the disk, then resume.',
          facts.own,
        ),
        actions: [resume, showLog],
      };

const damaged: Sentence = (facts, words) => ({
  text: words.t(
    'The store {0} is damaged ({1}). Nothing was deleted: keep a copy of it, and build again.',
    storeOf(facts),
    facts.own,
  ),
  actions: [build, showLog],
});

const otherVersion: Sentence = (facts, words) => ({
  text: words.t(
    'The run in {0} was written by another version of Swarmwright: update the extension, or build again.',
    storeOf(facts),
  ),
  actions: [build],
});

const notFree: Sentence = (facts, words) => ({
  text: words.t('A new run cannot be kept in {0}: it holds something already.', storeOf(facts)),
  actions: [build],
});

export const journalSentences: Sentences<JournalCode> = {
  closed: unexpected,
  damaged,
  'in-use': (facts, words) => {
    const pid = facts.find('pid');
    const owner = pid === undefined ? words.t('another window or terminal') : words.t('process {0}', pid);
    return {
      text: words.t('This run is driven by {0}: stop it there, then resume it here.', owner),
      actions: [],
    };
  },
  io,
  'no-store': (facts, words) => ({
    text: words.t('The run in {0} is no longer there: build again.', storeOf(facts)),
    actions: [build],
  }),
  'not-empty': notFree,
  'not-made': (facts, words) => ({
    text: words.t(
      'The folder {0} in which runs are kept cannot be made: check its rights and the disk.',
      storeOf(facts),
    ),
    actions: [showLog],
  }),
  'out-of-order': unexpected,
  'store-exists': notFree,
  'unknown-format': otherVersion,
};

export const vcsSentences: Sentences<VcsCode> = {
  'bad-path': (facts, words) => ({
    text: words.t('The path {0} cannot be kept: rename the file, and build again.', facts.find('path') ?? ''),
    actions: [build],
  }),
  closed: unexpected,
  damaged,
  io,
  'no-such-blob': unexpected,
  'no-such-file': unexpected,
  'no-trunk': unexpected,
  'not-parked': unexpected,
  'path-taken': unexpected,
  'protected-path': (facts, words) => ({
    text: words.t('The path {0} is protected, and cannot be kept.', facts.find('path') ?? ''),
    actions: [showLog],
  }),
  'unknown-format': otherVersion,
  'unknown-snapshot': unexpected,
};

const contradicts: Sentence = (facts, words) => ({
  text: words.t(
    'The journal of the run contradicts itself ({0}). Nothing was changed: keep its store and report it.',
    facts.own,
  ),
  actions: [showLog],
});

export const projectionSentences: Sentences<ProjectionCode> = {
  contradiction: contradicts,
  gap: contradicts,
  'unknown-event': otherVersion,
  'unknown-task': contradicts,
};
