import type { ErrorReport } from '#protocol/rpc.ts';
import {
  ErrorFacts,
  resume,
  showLog,
  unexpected,
  type Message,
  type Sentence,
  type Words,
} from './message.ts';
import { modelSentences } from './model-messages.ts';
import { recordingSentences } from './recording-messages.ts';
import { runSentences } from './run-messages.ts';
import { sandboxSentences } from './sandbox-messages.ts';
import { specSentences } from './spec-messages.ts';
import { isDiskFull, journalSentences, projectionSentences, vcsSentences } from './store-messages.ts';

const gone: Sentence = (_facts, words) => ({
  text: words.t('The runtime has stopped. Nothing that was built is lost: resume the run.'),
  actions: [resume, showLog],
});

const busy: Sentence = (_facts, words) => ({
  text: words.t('A build is running in this window: stop it first.'),
  actions: [],
});

/** What the file system says. */
const system: Readonly<Record<string, Sentence>> = {
  EACCES: (facts, words) => ({
    text: words.t('A file may not be read or written ({0}): change its rights.', facts.own),
    actions: [showLog],
  }),
  EPERM: (facts, words) => ({
    text: words.t('A file may not be changed ({0}): change its rights.', facts.own),
    actions: [showLog],
  }),
  EROFS: (facts, words) => ({
    text: words.t('The file system is read-only ({0}): open a folder that can be written.', facts.own),
    actions: [{ kind: 'open-folder' }],
  }),
  ENOENT: (facts, words) => ({
    text: words.t('A file is not there ({0}).', facts.own),
    actions: [showLog],
  }),
  EMFILE: (_facts, words) => ({
    text: words.t('Too many files are open: raise the limit of the system (ulimit -n), then resume.'),
    actions: [resume],
  }),
  ENOSPC: journalSentences.io,
  EDQUOT: journalSentences.io,
};

/** By the name of an error's class. */
const areas: Readonly<Record<string, Readonly<Record<string, Sentence>>>> = {
  Error: system,
  HostModelError: modelSentences,
  JournalError: journalSentences,
  ModelError: modelSentences,
  ProjectionError: projectionSentences,
  Rpc: { gone },
  RecordingError: recordingSentences,
  RunError: runSentences,
  SandboxError: sandboxSentences,
  SpecError: specSentences,
  VcsError: vcsSentences,
  Window: { busy },
};

/** What an error of the runtime means for the user, and what to do. */
export function errorMessage(report: ErrorReport, words: Words): Message {
  const facts = new ErrorFacts(report);
  const area = Object.hasOwn(areas, report.area) ? areas[report.area] : undefined;
  const sentence = area && Object.hasOwn(area, report.code) ? area[report.code] : undefined;
  if (sentence) return sentence(facts, words);
  // A full disk also shows as an error of a library.
  return isDiskFull(report.message) ? journalSentences.io(facts, words) : unexpected(facts, words);
}
