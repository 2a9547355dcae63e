import {
  commands,
  Disposable,
  l10n,
  ProgressLocation,
  TabInputText,
  TabInputTextDiff,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { LandingApi, LandingTarget } from '#protocol/landing-api.ts';
import { isUndecided, type LandingFile } from '#protocol/projection-review.ts';
import type { Command, LandingDecisions, Progress } from './landing-decisions.ts';
import { approvalsFor, confirmReplace, confirmUndo, report, tellWhole } from './landing-questions.ts';
import type { HostOutcome } from './landing-words.ts';
import { openChanges, openFile, viewAllChanges, viewChanges } from './landing-views.ts';
import type { ShownLanding, ShownLandings } from './shown-landing.ts';

export interface LandingCommandParts {
  readonly landings: ShownLandings;
  readonly decisions: LandingDecisions;
  readonly api: () => LandingApi;
  readonly onError: (error: unknown) => void;
}

/** What a command on files does; what came of it goes to the caller. */
type FileStep = (
  files: readonly LandingFile[],
  shown: ShownLanding,
) => Promise<readonly HostOutcome[] | void>;

/** Files that take long enough to be called off. */
const slow = 50;

/** Commands on the landing: each works on rows, on the document that is in sight, or on paths that are given. */
export function registerLandingCommands(parts: LandingCommandParts): Disposable {
  const run = new LandingCommands(parts);
  const register = (name: string, step: FileStep): Disposable =>
    commands.registerCommand(name, async (...given: unknown[]) => run.on(given, step));
  return Disposable.from(
    register('swarmwright.landing.openChanges', async ([file]) => openChanges(parts.landings, file)),
    register('swarmwright.landing.openFile', async ([file]) => openFile(parts.landings, file)),
    register('swarmwright.landing.accept', async (files, shown) => run.accept(run.begin(shown), files)),
    register('swarmwright.landing.discard', async (files, shown) => run.discard(run.begin(shown), files)),
    register('swarmwright.landing.replace', async (files, shown) => run.replace(shown, files)),
    register('swarmwright.landing.markReviewed', async (files, shown) => run.view(shown, files, true)),
    register('swarmwright.landing.markNotReviewed', async (files, shown) => run.view(shown, files, false)),
    commands.registerCommand('swarmwright.landing.viewAllChanges', async () =>
      run.whole(async () => viewAllChanges(parts.landings)),
    ),
    commands.registerCommand('swarmwright.landing.acceptAll', async () =>
      run.whole(async (shown) => run.acceptAll(shown)),
    ),
    commands.registerCommand('swarmwright.landing.discardAll', async () =>
      run.whole(async (shown) => run.discardAll(shown)),
    ),
    commands.registerCommand('swarmwright.landing.refresh', async () =>
      run.whole(async ({ store, landing }) => parts.api().refreshLanding(store, landing.id)),
    ),
    commands.registerCommand('swarmwright.undoLastDecision', async () => run.undo()),
  );
}

function undecided({ landing }: ShownLanding): readonly LandingFile[] {
  return [...landing.files.values()].filter(isUndecided);
}

class LandingCommands {
  readonly #parts: LandingCommandParts;

  constructor(parts: LandingCommandParts) {
    this.#parts = parts;
  }

  readonly #look = async (files: readonly LandingFile[]): Promise<void> =>
    viewChanges(this.#parts.landings, files);

  async on(given: readonly unknown[], step: FileStep): Promise<readonly HostOutcome[]> {
    return this.whole(async (shown) => {
      const files = this.#filesOf(given, shown);
      return files.length > 0 ? step(files, shown) : undefined;
    });
  }

  async whole(
    step: (shown: ShownLanding) => Promise<readonly HostOutcome[] | void>,
  ): Promise<readonly HostOutcome[]> {
    const { shown } = this.#parts.landings;
    if (shown === undefined || !workspace.isTrusted) return [];
    try {
      const outcomes = (await step(shown)) ?? [];
      report(outcomes);
      return outcomes;
    } catch (error) {
      this.#parts.onError(error);
      return [];
    }
  }

  begin(shown: ShownLanding): Command {
    return this.#parts.decisions.begin(shown);
  }

  async acceptAll(shown: ShownLanding): Promise<readonly HostOutcome[]> {
    const command = this.begin(shown);
    const outcomes = await this.accept(command, undecided(shown));
    void this.#tell(command, 'accepted', outcomes);
    return outcomes;
  }

  async accept(command: Command, files: readonly LandingFile[]): Promise<readonly HostOutcome[]> {
    const open = files.filter(isUndecided);
    const approvals = await approvalsFor(open, this.#look);
    if (approvals === undefined) return [];
    const wanted = open.filter(
      ({ path, proposal }) => proposal.approval === undefined || approvals.includes(path),
    );
    return this.#withProgress(l10n.t('Accepting files'), wanted.length, async (progress) =>
      this.#parts.decisions.accept(
        command,
        wanted.map(targetOf),
        { approve: approvals, replace: [] },
        progress,
      ),
    );
  }

  async replace(shown: ShownLanding, files: readonly LandingFile[]): Promise<readonly HostOutcome[]> {
    const open = files.filter(({ state }) => state === 'conflict');
    if (open.length === 0 || !(await confirmReplace(open, this.#look))) return [];
    const paths = open.map(({ path }) => path);
    const allowed = { approve: paths, replace: paths };
    return this.#parts.decisions.accept(this.begin(shown), open.map(targetOf), allowed);
  }

  async discard(command: Command, files: readonly LandingFile[]): Promise<readonly HostOutcome[]> {
    const open = files.filter(isUndecided);
    return this.#parts.decisions.discard(command, open.map(targetOf));
  }

  async discardAll(shown: ShownLanding): Promise<readonly HostOutcome[]> {
    const files = undecided(shown);
    const discard = l10n.t('Discard All');
    const chosen = await window.showWarningMessage(
      l10n.t('Discard what the build proposes for {0} files?', files.length),
      { modal: true, detail: l10n.t('Your files stay as they are. "Undo Last Decision" takes it back.') },
      discard,
    );
    if (chosen !== discard) return [];
    const command = this.begin(shown);
    const outcomes = await this.discard(command, files);
    void this.#tell(command, 'discarded', outcomes);
    return outcomes;
  }

  async view(
    { store, landing }: ShownLanding,
    files: readonly LandingFile[],
    viewed: boolean,
  ): Promise<void> {
    const open = files.filter(isUndecided);
    await Promise.all(
      open.map(async (file) => this.#parts.api().markViewed(store, landing.id, targetOf(file), viewed)),
    );
  }

  /** What one command decided; without its group, the last one. */
  async undo(group?: string): Promise<readonly HostOutcome[]> {
    const title = l10n.t('Undoing the last decision');
    return this.whole(async (shown) =>
      this.#parts.decisions.undo(
        shown,
        confirmUndo,
        async (count, step) => this.#withProgress(title, count, step),
        group,
      ),
    );
  }

  /** When all is decided the landing is gone from sight: this says where it went. */
  async #tell(
    { group }: Command,
    kind: 'accepted' | 'discarded',
    outcomes: readonly HostOutcome[],
  ): Promise<void> {
    const count = outcomes.filter((outcome) => outcome.kind === 'done').length;
    if (count > 0 && (await tellWhole(kind, count))) await this.undo(group);
  }

  async #withProgress(
    title: string,
    count: number,
    step: (progress: Progress) => Promise<readonly HostOutcome[]>,
  ): Promise<readonly HostOutcome[]> {
    if (count <= slow) return step({});
    return window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      async (bar, token) =>
        step({
          token,
          told: (done) => {
            bar.report({ increment: (100 * done) / count });
          },
        }),
    );
  }

  /** Rows, their groups, addresses, or nothing: then the editor that is in sight. */
  #filesOf(given: readonly unknown[], shown: ShownLanding): readonly LandingFile[] {
    const named = given.flat().flatMap((one) => this.#pathsIn(one));
    const paths = named.length > 0 ? named : this.#pathsIn(activeUri());
    return [...new Set(paths)].flatMap((path) => this.#seen(shown, path, given) ?? []);
  }

  /** A row stands for the version that it shows. */
  #seen({ landing }: ShownLanding, path: string, given: readonly unknown[]): LandingFile | undefined {
    const file = landing.files.get(path);
    const row = given.flat().find((one) => isRow(one) && one.landingPath === path);
    if (file === undefined || !isRow(row) || row.version === file.proposal.version) return file;
    return { ...file, proposal: { ...file.proposal, version: row.version } };
  }

  #pathsIn(given: unknown): readonly string[] {
    if (given instanceof Uri) return [this.#parts.landings.pathOf(given) ?? []].flat();
    if (typeof given !== 'object' || given === null) return [];
    if ('landingPath' in given && typeof given.landingPath === 'string') return [given.landingPath];
    if ('path' in given && typeof given.path === 'string') return [given.path];
    if (!('resourceStates' in given) || !Array.isArray(given.resourceStates)) return [];
    return given.resourceStates.flatMap((row: unknown) => this.#pathsIn(row));
  }
}

function isRow(given: unknown): given is { readonly landingPath: string; readonly version: number } {
  return typeof given === 'object' && given !== null && 'landingPath' in given && 'version' in given;
}

function activeUri(): Uri | undefined {
  const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
  if (input instanceof TabInputText) return input.uri;
  if (!(input instanceof TabInputTextDiff)) return undefined;
  return input.modified.query === '' ? input.modified : input.original;
}

function targetOf({ path, proposal }: LandingFile): LandingTarget {
  return { path, version: proposal.version };
}
