import { showLog, unexpected, type ErrorFacts, type MessageAction, type Sentences } from './message.ts';

/** The codes of RunError; a test compares them with the runtime's. */
export type RunCode =
  | 'never-started'
  | 'no-models'
  | 'no-sandbox'
  | 'not-open'
  | 'not-owned'
  | 'nothing-to-land'
  | 'playbook-concurrency'
  | 'store-in-workspace'
  | 'unknown-path'
  | 'workspace-in-store'
  | 'workspace-is-store'
  | 'workspace-missing'
  | 'workspace-not-writable';

const build: MessageAction = { kind: 'build' };
const openFolder: MessageAction = { kind: 'open-folder' };

function workspaceOf(facts: ErrorFacts): string {
  return facts.find('workspace', 'path') ?? 'the folder';
}

export const runSentences: Sentences<RunCode> = {
  'never-started': (_facts, words) => ({
    text: words.t('This run was cut off before it began: build again.'),
    actions: [build],
  }),
  'no-models': (facts, words) => ({
    text: words.t('No model is chosen for the {0}.', facts.find('role') ?? words.t('agents')),
    actions: [{ kind: 'choose-models' }, { kind: 'set-api-key' }],
  }),
  'no-sandbox': (facts, words) => ({
    text: words.t(
      'Commands cannot be confined on this machine ({0}): install bubblewrap (Debian, Ubuntu: apt install bubblewrap), or allow commands without a sandbox when you build.',
      facts.find('reason') ?? facts.own,
    ),
    actions: [build],
  }),
  'not-open': unexpected,
  'not-owned': (_facts, words) => ({
    text: words.t(
      'Another window or terminal drives this run: here it can only be watched. Stop it there first.',
    ),
    actions: [],
  }),
  'nothing-to-land': (_facts, words) => ({
    text: words.t('Nothing can land yet: no state of this run has passed its verify command.'),
    actions: [],
  }),
  'playbook-concurrency': (facts, words) => ({
    text: words.t(
      'The playbook needs {0} agents at once, and {1} are allowed: raise the setting, and build again.',
      facts.find('needed') ?? '',
      facts.find('given') ?? '',
    ),
    actions: [{ kind: 'open-settings', setting: 'concurrency' }],
  }),
  'store-in-workspace': (facts, words) => ({
    text: words.t(
      'Runs would be kept inside the folder that is built ({0}): set the variable SWARMWRIGHT_STATE to a folder outside of it.',
      facts.find('store') ?? '',
    ),
    actions: [openFolder],
  }),
  'unknown-path': (facts, words) => ({
    text: words.t('{0} is none of the files that land.', facts.find('path') ?? ''),
    actions: [],
  }),
  'workspace-in-store': (facts, words) => ({
    text: words.t('{0} is a folder in which runs are kept: open another one.', workspaceOf(facts)),
    actions: [openFolder],
  }),
  'workspace-is-store': (facts, words) => ({
    text: words.t('{0} is a folder in which a run is kept: open another one.', workspaceOf(facts)),
    actions: [openFolder],
  }),
  'workspace-missing': (facts, words) => ({
    text: words.t('{0} is no longer there: open a folder to build in.', workspaceOf(facts)),
    actions: [openFolder],
  }),
  'workspace-not-writable': (facts, words) => ({
    text: words.t('{0} cannot be written to: change its rights, or open another folder.', workspaceOf(facts)),
    actions: [openFolder, showLog],
  }),
};
