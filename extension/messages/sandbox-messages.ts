import { resume, showLog, type Sentences } from './message.ts';
import { runSentences } from './run-messages.ts';

/** The codes of SandboxError; a test compares them with the runtime's. */
export type SandboxCode = 'checkout' | 'no-sandbox' | 'not-started' | 'unsafe-path';

export const sandboxSentences: Sentences<SandboxCode> = {
  checkout: (facts, words) => ({
    text: words.t(
      'The files for a command could not be written ({0}): check the disk and its free space, then resume.',
      facts.own,
    ),
    actions: [resume, showLog],
  }),
  'no-sandbox': runSentences['no-sandbox'],
  'not-started': (facts, words) => ({
    text: words.t(
      'A command could not be started ({0}): check the sandbox, then resume.',
      facts.find('reason') ?? facts.own,
    ),
    actions: [resume, showLog],
  }),
  'unsafe-path': (facts, words) => ({
    text: words.t(
      '{0} cannot be shown to commands: change it in the settings.',
      facts.find('path') ?? facts.own,
    ),
    actions: [{ kind: 'open-settings', setting: 'toolchains' }],
  }),
};
