import {
  commands,
  Disposable,
  window,
  workspace,
  TabInputText,
  TabInputTextDiff,
  type ExtensionContext,
} from 'vscode';
import type { LandingApi } from '#protocol/landing-api.ts';
import { errorReport, RemoteError } from '#protocol/rpc.ts';
import type { CurrentRun } from '../current-run.ts';
import { Messenger } from '../messenger.ts';
import { Pace } from '../pace.ts';
import type { RuntimeThread } from '../runtime-thread.ts';
import { DecisionGroups } from './decision-groups.ts';
import { FileQueue } from './file-queue.ts';
import { registerLandingCommands } from './landing-commands.ts';
import { LandingDecisions } from './landing-decisions.ts';
import { BaseFiles, ProposalFiles } from './landing-files.ts';
import { baseScheme, landingScheme } from './landing-names.ts';
import { LandingNotice } from './landing-notice.ts';
import { LandingRefresh } from './landing-refresh.ts';
import { LandingDecorations, LandingSourceControl } from './landing-source-control.ts';
import { LandingWatch } from './landing-watch.ts';
import { OpenFileEdits } from './open-file-edits.ts';
import { ProposalEdits } from './proposal-edits.ts';
import { ShownLandings, type ShownLanding } from './shown-landing.ts';
import type { Log } from '../safe-log.ts';

export interface LandingParts {
  readonly context: ExtensionContext;
  readonly thread: RuntimeThread;
  readonly run: CurrentRun;
  readonly output: Log;
}

/** Milliseconds between two drawings: a thousand rows that are built ten times a second would keep the host busy. */
const drawInterval = 250;

/** The review of what lands: documents, source control, decorations, decisions, and what notices the user's own edits. */
export function registerLanding({ context, thread, run, output }: LandingParts): Disposable {
  const api = (): LandingApi => thread.api;
  const messenger = new Messenger(output);
  const onError = (error: unknown): void => {
    // What was looked at is no longer there; what is there now is shown.
    if (RemoteError.is(error, 'LandingError')) messenger.log(errorReport(error));
    else messenger.error(error);
  };
  const landings = new ShownLandings(run);
  const proposals = new ProposalFiles(landings, api);
  const queue = new FileQueue();
  const edits = new ProposalEdits(landings, proposals, onError);
  const decisions = new LandingDecisions({
    landings,
    api,
    edits: new OpenFileEdits(api),
    proposals: edits,
    queue,
    groups: new DecisionGroups(),
  });
  const control = new LandingSourceControl(landings);
  const decorations = new LandingDecorations(landings);
  const drawing = new LandingDrawing({
    landings,
    control,
    decorations,
    notice: new LandingNotice(context.workspaceState),
    api,
    onError,
  });
  return Disposable.from(
    landings,
    proposals,
    control,
    decorations,
    drawing,
    edits,
    new LandingWatch({ landings, api, queue, edits, onError }),
    workspace.registerFileSystemProvider(landingScheme, proposals, { isCaseSensitive: true }),
    workspace.registerFileSystemProvider(baseScheme, new BaseFiles(landings, api), {
      isCaseSensitive: true,
      isReadonly: true,
    }),
    registerLandingCommands({ landings, decisions, api, onError }),
  );
}

interface DrawingParts {
  readonly landings: ShownLandings;
  readonly control: LandingSourceControl;
  readonly decorations: LandingDecorations;
  readonly notice: LandingNotice;
  readonly api: () => LandingApi;
  readonly onError: (error: unknown) => void;
}

/** Draws the landing wherever it is shown, when it has changed. */
class LandingDrawing implements Disposable {
  readonly #parts: DrawingParts;
  readonly #subscription: Disposable;
  readonly #keys = new Map<string, boolean>();
  readonly #pace: Pace;
  readonly #refresh: LandingRefresh;

  constructor(parts: DrawingParts) {
    this.#parts = parts;
    this.#pace = new Pace(drawInterval, () => {
      this.#draw();
    });
    this.#refresh = new LandingRefresh(() => {
      this.#pace.ask();
    }, parts.onError);
    this.#subscription = parts.landings.onDidChange(() => {
      this.#pace.ask();
    });
    this.#pace.see(true);
    this.#draw();
  }

  dispose(): void {
    this.#pace.dispose();
    this.#refresh.dispose();
    this.#subscription.dispose();
  }

  #draw(): void {
    const { landings, control, decorations, notice, api } = this.#parts;
    const { pending, shown, view } = landings;
    this.#tell('swarmwright.hasLanding', pending !== undefined);
    this.#tell('swarmwright.landingStale', pending?.isStale === true);
    this.#tell('swarmwright.canUndoDecision', (shown?.review.decisions.length ?? 0) > 0);
    // Rows whose commands are enabled by then.
    control.draw(pending);
    decorations.draw();
    if (pending === undefined) return;
    // Nobody has looked at it yet: it follows green.
    if (pending.isStale && isUntouched(pending)) {
      const { store, landing } = pending;
      this.#refresh.run(landing.green, async () => api().refreshLanding(store, landing.id));
    }
    // While agents work, more may come: the user must act once they have ended.
    else if (view?.mode === 'open') notice.draw(pending);
  }

  #tell(key: string, value: boolean): void {
    if (this.#keys.get(key) === value) return;
    this.#keys.set(key, value);
    void commands.executeCommand('setContext', key, value);
  }
}

function isUntouched({ landing }: ShownLanding): boolean {
  for (const { state, viewed, proposal } of landing.files.values()) {
    if (state === 'accepted' || state === 'discarded' || viewed || proposal.edited) return false;
  }
  return !window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => {
      if (input instanceof TabInputText) return input.uri.scheme === landingScheme;
      // A diff of many files is no input that the API knows.
      return input instanceof TabInputTextDiff
        ? input.modified.scheme === landingScheme
        : input === undefined;
    }),
  );
}
