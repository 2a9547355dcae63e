import { l10n, Uri, window, type QuickPickItem } from 'vscode';
import type { Caps } from '#protocol/events.ts';
import { RemoteError } from '#protocol/rpc.ts';
import type { RunSummary } from '#protocol/runtime-api.ts';
import type { Role } from '#protocol/tasks.ts';
import type { Messenger } from '../messenger.ts';
import { plainText } from '../plain-text.ts';
import { capReached, raisedCap, readRaise, type SpendCap } from '../run/cap-reached.ts';
import type { RunCommandResult, RunControl } from '../run/run-control.ts';
import { isResumable } from '../status-text.ts';
import type { RunView } from '../run-view.ts';
import type { RuntimeThread } from '../runtime-thread.ts';
import { chooseBuildFolder, folderProblem, tellFolderProblem } from '../setup/build-folder.ts';
import { readConfiguration } from '../setup/configuration.ts';
import type { BuildQuestions } from './build-questions.ts';
import { parseResumeArguments, type ResumeArguments } from './resume-arguments.ts';

export interface ResumeParts {
  readonly control: RunControl;
  readonly thread: RuntimeThread;
  readonly messenger: Messenger;
  readonly questions: BuildQuestions;
  /** When models are to be chosen and there is no run that could go on. */
  readonly build: () => Promise<RunCommandResult>;
}

type Changes =
  | { readonly caps?: Partial<Caps>; readonly models?: Partial<Record<Role, string>> }
  | 'backed-out';

/** "Resume": continues a paused run, or goes on with one that has stopped, has failed or was cut off. */
export class ResumeCommand {
  readonly #parts: ResumeParts;

  constructor(parts: ResumeParts) {
    this.#parts = parts;
  }

  async run(given: unknown): Promise<RunCommandResult> {
    const asked = parseResumeArguments(given);
    const { control } = this.#parts;
    const { view } = control;
    if (view?.mode === 'driving' && (asked.store === undefined || asked.store === view.store)) {
      await control.continue();
      return { kind: 'started', store: view.store };
    }
    const isShown = view !== undefined && (isResumable(view) || view.mode === 'following');
    const store = asked.store ?? (isShown ? view.store : undefined);
    if (store === undefined && asked.choose === 'models') return this.#parts.build();
    const found = store ?? (await this.#pickRun());
    return found === undefined ? { kind: 'backed-out' } : this.#resume(found, asked);
  }

  async #resume(store: string, asked: ResumeArguments): Promise<RunCommandResult> {
    const view = await this.#show(store);
    if (view === undefined) return { kind: 'refused', reason: l10n.t('The run cannot be shown.') };
    if (view.mode === 'following') return this.#refuseFollowed(store);
    const folder = view.state.options?.workspace;
    const problem = folder === undefined ? undefined : folderProblem(Uri.file(folder));
    if (problem !== undefined) {
      void tellFolderProblem(problem);
      return { kind: 'refused', reason: problem };
    }
    const changes = await this.#changes(view, asked);
    if (changes === 'backed-out') return { kind: 'backed-out' };
    const { baseUrls } = readConfiguration(folder === undefined ? undefined : Uri.file(folder));
    return this.#parts.control.resume({ store, baseUrls, ...changes });
  }

  #refuseFollowed(store: string): RunCommandResult {
    const error = {
      area: 'JournalError',
      code: 'in-use',
      message: 'another process drives it',
      details: { store },
    };
    return { kind: 'refused', reason: this.#parts.messenger.error(new RemoteError(error)) };
  }

  /** What the user is asked depends on why the run has stopped, so it is shown first. */
  async #show(store: string): Promise<RunView | undefined> {
    const { view } = this.#parts.control;
    if (view?.store === store && view.mode !== 'following') return view;
    try {
      return await this.#parts.control.show(store);
    } catch (error) {
      this.#parts.messenger.error(error);
      return undefined;
    }
  }

  async #changes(view: RunView, asked: ResumeArguments): Promise<Changes> {
    const { state } = view;
    const models = asked.models ?? (asked.choose === 'models' ? await this.#askModels(view) : {});
    if (models === undefined) return 'backed-out';
    if (asked.budgetUsd !== undefined) return { models, caps: { usd: asked.budgetUsd } };
    const cap = capReached(state) ?? (asked.choose === 'budget' ? 'usd' : undefined);
    if (cap === undefined || state.caps === undefined) return { models };
    const raised = await askRaise(cap, state.caps);
    return raised === undefined ? 'backed-out' : { models, caps: { [cap]: raised } };
  }

  async #askModels(view: RunView): Promise<Partial<Record<Role, string>> | undefined> {
    return this.#parts.questions.askModels(view.state.options?.models ?? {});
  }

  async #pickRun(): Promise<string | undefined> {
    const folder = await chooseBuildFolder(undefined);
    if (folder === undefined) return undefined;
    const runs = await this.#runsOf(folder.uri.fsPath);
    const [first, ...others] = runs;
    if (first === undefined) {
      void window.showInformationMessage(plainText(l10n.t('No run to resume in {0}.', folder.name)));
      return undefined;
    }
    if (others.length === 0) return first.store;
    const picked = await window.showQuickPick(runs.map(runItem), {
      title: l10n.t('Resume'),
      placeHolder: l10n.t('The run to go on with'),
    });
    return picked?.store;
  }

  async #runsOf(folder: string): Promise<readonly RunSummary[]> {
    try {
      const runs = await this.#parts.thread.api.runsOf(folder);
      return runs.filter(({ status }) => status !== 'complete' && status !== 'empty');
    } catch (error) {
      this.#parts.messenger.error(error);
      return [];
    }
  }
}

function runItem(run: RunSummary): QuickPickItem & { readonly store: string } {
  return {
    label: run.specTitle,
    description: run.owner ? l10n.t('driven by another window or terminal') : statusWord(run.status),
    detail: l10n.t('{0}, {1} tasks', new Date(run.lastEvent).toLocaleString(), run.tasks),
    store: run.store,
  };
}

function statusWord(status: RunSummary['status']): string {
  switch (status) {
    case 'running':
      return l10n.t('cut off');
    case 'interrupted':
      return l10n.t('stopped');
    case 'partial':
      return l10n.t('incomplete');
    case 'failed':
      return l10n.t('failed');
    case 'complete':
      return l10n.t('complete');
    case 'empty':
      return l10n.t('not begun');
    default:
      status satisfies never;
      return '';
  }
}

async function askRaise(cap: SpendCap, caps: Caps): Promise<number | undefined> {
  const now = caps[cap];
  const text = await window.showInputBox({
    title: l10n.t('Raise the Cap'),
    prompt: capPrompt(cap, now),
    value: String(raisedCap(cap, caps)),
    ignoreFocusOut: true,
    validateInput: (typed) =>
      readRaise(typed, cap, caps) === undefined ? l10n.t('A number above {0}, please.', now ?? 0) : undefined,
  });
  return text === undefined ? undefined : readRaise(text, cap, caps);
}

function capPrompt(cap: SpendCap, now: number | undefined): string {
  switch (cap) {
    case 'usd':
      return now === undefined
        ? l10n.t('Dollars that the run may spend on models, from its beginning')
        : l10n.t('The budget of ${0} is used up. Dollars that the run may spend, from its beginning', now);
    case 'tokens':
      return l10n.t(
        'The cap of {0} tokens is reached. Tokens that the run may use, from its beginning',
        now ?? 0,
      );
    case 'minutes':
      return l10n.t(
        'The cap of {0} minutes is reached. Minutes that the run may take, from its beginning',
        now ?? 0,
      );
    default:
      cap satisfies never;
      return '';
  }
}
