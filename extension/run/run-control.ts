import { l10n, window } from 'vscode';
import type { Caps } from '#protocol/events.ts';
import type { ProviderName } from '#protocol/providers.ts';
import type { StartRequest } from '#protocol/runtime-api.ts';
import type { Role } from '#protocol/tasks.ts';
import type { CurrentRun } from '../current-run.ts';
import type { EditorModels } from '../editor-models/editor-models.ts';
import type { Messenger } from '../messenger.ts';
import type { RunView } from '../run-view.ts';
import type { RuntimeThread } from '../runtime-thread.ts';
import type { KeyStore } from '../setup/key-store.ts';
import type { SandboxConsent } from '../setup/sandbox-consent.ts';
import { mayBeLost } from './in-flight.ts';

/** How a command that starts or goes on with a run has ended. */
export type RunCommandResult =
  | { readonly kind: 'started'; readonly store: string }
  /** The user has been told why. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'backed-out' };

/** What is left of a build request when keys and the sandbox are seen to. */
export type BuildPlan = Omit<StartRequest, 'environment' | 'unsandboxed'>;

export interface ResumePlan {
  readonly store: string;
  readonly caps?: Partial<Caps>;
  readonly models?: Readonly<Partial<Record<Role, string>>>;
  readonly baseUrls?: Readonly<Partial<Record<ProviderName, string>>>;
}

export interface RunControlParts {
  readonly run: CurrentRun;
  readonly thread: RuntimeThread;
  readonly keys: KeyStore;
  readonly consent: SandboxConsent;
  readonly messenger: Messenger;
  readonly editorModels: EditorModels;
}

/** Starts, resumes, pauses and stops the run of this window, and says what stands in the way. */
export class RunControl {
  readonly #parts: RunControlParts;

  constructor(parts: RunControlParts) {
    this.#parts = parts;
  }

  get view(): RunView | undefined {
    return this.#parts.run.view;
  }

  async start(plan: BuildPlan): Promise<RunCommandResult> {
    if (this.view?.mode === 'driving') {
      return this.#refuse(l10n.t('A build is running in this window: stop it first.'));
    }
    return this.#begin(Object.values(plan.models), async (unsandboxed, environment) =>
      this.#parts.run.start({ ...plan, unsandboxed, environment }),
    );
  }

  async resume(plan: ResumePlan): Promise<RunCommandResult> {
    const { store, caps = {}, ...changes } = plan;
    const models = { ...this.view?.state.options?.models, ...plan.models };
    return this.#begin(Object.values(models), async (unsandboxed, environment) =>
      this.#parts.run.resume({ store, caps, ...changes, unsandboxed, environment }),
    );
  }

  /** Shows a run without driving it. @throws RemoteError */
  async show(store: string): Promise<RunView> {
    return this.#parts.run.open(store);
  }

  async pause(): Promise<void> {
    const { view } = this;
    if (view?.mode !== 'driving') return;
    await this.#told(async () => this.#parts.thread.api.pauseRun(view.store));
  }

  async continue(): Promise<void> {
    const { view } = this;
    if (view?.mode !== 'driving') return;
    await this.#told(async () => this.#parts.thread.api.continueRun(view.store));
  }

  /** Asks only while money would be lost. Resolves once the run has ended. */
  async stop(): Promise<void> {
    const { view } = this;
    if (view?.mode !== 'driving') return;
    if (mayBeLost(view.state.ledger) && !(await this.#mayStop())) return;
    await this.#told(async () => this.#parts.thread.api.stopRun(view.store));
  }

  async #mayStop(): Promise<boolean> {
    const stop = l10n.t('Stop');
    const pause = l10n.t('Pause Instead');
    const answer = await window.showWarningMessage(
      l10n.t('Stop the build?'),
      {
        modal: true,
        detail: l10n.t(
          'Agents wait for answers of models. These are paid for, and lost when the build stops now. Pausing lets them finish. Everything else is kept, and the build can be resumed.',
        ),
      },
      stop,
      pause,
    );
    if (answer === pause) await this.pause();
    return answer === stop;
  }

  async #begin(
    models: readonly string[],
    step: (unsandboxed: boolean, environment: Readonly<Record<string, string>>) => Promise<RunView>,
  ): Promise<RunCommandResult> {
    try {
      const consent = await this.#parts.consent.ask();
      if (consent === undefined) return { kind: 'backed-out' };
      await this.#parts.editorModels.ask(models);
      const environment = await this.#parts.keys.environment();
      const { store } = await window.withProgress({ location: { viewId: 'swarmwright.agents' } }, async () =>
        step(consent.unsandboxed, environment),
      );
      return { kind: 'started', store };
    } catch (error) {
      return { kind: 'refused', reason: this.#parts.messenger.error(error) };
    }
  }

  #refuse(reason: string): RunCommandResult {
    this.#parts.messenger.warn({ text: reason, actions: [] });
    return { kind: 'refused', reason };
  }

  async #told(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#parts.messenger.error(error);
    }
  }
}
