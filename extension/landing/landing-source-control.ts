import {
  scm,
  ThemeColor,
  FileDecoration,
  l10n,
  EventEmitter,
  window,
  type Disposable,
  type SourceControl,
  type SourceControlResourceGroup,
  type SourceControlResourceState,
  type Uri,
} from 'vscode';
import { isUndecided, type LandingFile } from '#protocol/projection-review.ts';
import { landingScheme, providerId, rowQuery } from './landing-names.ts';
import { fileText } from './landing-words.ts';
import type { ShownLanding, ShownLandings } from './shown-landing.ts';

/** A row: a file of the landing in the version that it shows. */
export interface LandingRow extends SourceControlResourceState {
  readonly landingPath: string;
  readonly version: number;
}

type GroupId = 'conflicts' | 'approval' | 'changes' | 'decided';

/** A file of the landing that stands in its group. */
function groupOf({ state, proposal }: LandingFile): GroupId {
  if (state === 'conflict') return 'conflicts';
  if (state !== 'pending') return 'decided';
  return proposal.approval === undefined ? 'changes' : 'approval';
}

interface Shown {
  readonly id: string;
  readonly control: SourceControl;
  readonly groups: Readonly<Record<GroupId, SourceControlResourceGroup>>;
}

/** The landing in the view "Source Control"; there only while something waits for the user. */
export class LandingSourceControl implements Disposable {
  readonly #landings: ShownLandings;
  #shown: Shown | undefined;

  constructor(landings: ShownLandings) {
    this.#landings = landings;
  }

  draw(pending: ShownLanding | undefined): void {
    if (pending === undefined || this.#shown?.id !== pending.landing.id) this.#hide();
    if (pending === undefined) return;
    this.#shown ??= this.#create(pending);
    const { control, groups } = this.#shown;
    const { landing } = pending;
    const rows: Record<GroupId, LandingRow[]> = { conflicts: [], approval: [], changes: [], decided: [] };
    for (const file of landing.files.values()) rows[groupOf(file)].push(this.#row(pending, file));
    for (const id of ['conflicts', 'approval', 'changes', 'decided'] as const) {
      groups[id].resourceStates = rows[id].toSorted((left, right) =>
        left.landingPath < right.landingPath ? -1 : 1,
      );
    }
    const viewed = rows.changes.filter(
      ({ landingPath }) => landing.files.get(landingPath)?.viewed === true,
    ).length;
    groups.changes.label =
      viewed === 0 ? l10n.t('Changes') : l10n.t('Changes: {0} of {1} Reviewed', viewed, rows.changes.length);
    control.count = landing.undecided;
  }

  dispose(): void {
    this.#hide();
  }

  #hide(): void {
    this.#shown?.control.dispose();
    this.#shown = undefined;
  }

  #create({ landing }: ShownLanding): Shown {
    const root = this.#landings.root.with({ scheme: landingScheme, authority: landing.id, path: '/' });
    const name = landing.verified ? l10n.t('Landing (green)') : l10n.t('Landing (unverified)');
    const control = scm.createSourceControl(providerId, name, root);
    control.inputBox.visible = false;
    control.quickDiffProvider = { provideOriginalResource: (uri) => this.#originalOf(uri) };
    const group = (id: GroupId, label: string): SourceControlResourceGroup => {
      const made = control.createResourceGroup(id, label);
      made.hideWhenEmpty = true;
      return made;
    };
    return {
      id: landing.id,
      control,
      groups: {
        conflicts: group('conflicts', l10n.t('In Conflict with Your Changes')),
        approval: group('approval', l10n.t('Need Your Approval')),
        changes: group('changes', l10n.t('Changes')),
        decided: group('decided', l10n.t('Decided')),
      },
    };
  }

  /** What the agents add is shown as added: a proposal is compared with the file that it may become. */
  #originalOf(uri: Uri): Uri | undefined {
    const { shown } = this.#landings;
    if (uri.scheme !== landingScheme || shown?.landing.id !== uri.authority) return undefined;
    const path = this.#landings.pathOf(uri);
    if (path === undefined) return undefined;
    const isThere = (this.#landings.file(path)?.proposal.seen ?? null) !== null;
    return isThere ? this.#landings.fileUri(path) : this.#landings.emptyUri(shown.landing.id, path);
  }

  #row({ landing }: ShownLanding, file: LandingFile): LandingRow {
    const { path, proposal, state, viewed } = file;
    const isOpen = isUndecided(file);
    return {
      resourceUri: this.#landings.rowUri(path),
      landingPath: path,
      version: proposal.version,
      contextValue: `${groupOf(file)}${viewed ? '.viewed' : ''}`,
      decorations: {
        strikeThrough: isOpen ? proposal.content === null : state === 'discarded',
        faded: !isOpen || viewed,
        tooltip: `${path} · ${fileText(file)}`,
      },
      command: {
        command: 'swarmwright.landing.openChanges',
        title: l10n.t('Open Changes'),
        arguments: [{ landing: landing.id, path, state }],
      },
    };
  }
}

/**
 * Marks rows by what the landing would do, or has done; and files that wait, wherever they are shown, by a mark that no
 * version control uses: nothing of them has changed yet.
 */
export class LandingDecorations implements Disposable {
  readonly #landings: ShownLandings;
  readonly #changed = new EventEmitter<undefined>();
  readonly #registration: Disposable;

  constructor(landings: ShownLandings) {
    this.#landings = landings;
    this.#registration = window.registerFileDecorationProvider({
      onDidChangeFileDecorations: this.#changed.event,
      provideFileDecoration: (uri) => this.#decorationOf(uri),
    });
  }

  draw(): void {
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #decorationOf(uri: Uri): FileDecoration | undefined {
    if (uri.scheme !== 'file' || this.#landings.pending === undefined) return undefined;
    const file = this.#landings.file(this.#landings.pathOf(uri) ?? '');
    if (file === undefined) return undefined;
    if (uri.query === rowQuery) {
      const [badge, color] = markOf(file);
      return new FileDecoration(badge, l10n.t('Landing: {0}', fileText(file)), new ThemeColor(color));
    }
    if (!isUndecided(file)) return undefined;
    return new FileDecoration('L', l10n.t('A landing waits for this file: {0}', fileText(file)));
  }
}

function markOf({ proposal, state }: LandingFile): readonly [badge: string, color: string] {
  if (state === 'conflict') return ['!', 'gitDecoration.conflictingResourceForeground'];
  if (state === 'accepted' || state === 'there') return ['✓', 'testing.iconPassed'];
  if (state === 'discarded') return ['✗', 'gitDecoration.ignoredResourceForeground'];
  if (proposal.movedFrom !== undefined) return ['R', 'gitDecoration.renamedResourceForeground'];
  if (proposal.content === null) return ['D', 'gitDecoration.deletedResourceForeground'];
  if (proposal.seen === null) return ['A', 'gitDecoration.addedResourceForeground'];
  return ['M', 'gitDecoration.modifiedResourceForeground'];
}
