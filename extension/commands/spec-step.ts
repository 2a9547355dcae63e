import { join } from 'node:path';
import {
  l10n,
  QuickPickItemKind,
  RelativePattern,
  type Uri,
  window,
  workspace,
  type QuickPickItem,
} from 'vscode';
import type { BuildDraft } from './last-build.ts';
import { pickStep, type StepOutcome, type StepPlace } from './quick-steps.ts';
import { rankSpecs, specExtensions } from './spec-candidates.ts';

interface SpecItem extends QuickPickItem {
  readonly path?: string;
  readonly browse?: 'file' | 'folder';
}

/** At most so many files are offered: who has more browses. */
const offered = 100;

/** The specification: a file of the folder, or any file or folder. */
export async function askSpec(draft: BuildDraft, place: Omit<StepPlace, 'title'>): Promise<StepOutcome> {
  const items = await specItems(draft);
  const answer = await pickStep({
    ...place,
    title: l10n.t('Build from Spec'),
    placeholder: l10n.t('The specification: a file, or a folder of them'),
    items,
    active: items.find(({ path }) => path !== undefined && path === draft.spec),
  });
  if (answer.kind !== 'answered') return answer.kind;
  const { path, browse } = answer.value;
  const chosen = path ?? (browse && (await browseFor(browse, draft.folder.uri)));
  if (chosen === undefined) return askSpec(draft, place);
  draft.spec = chosen;
  return 'answered';
}

async function specItems({ folder }: BuildDraft): Promise<readonly SpecItem[]> {
  const pattern = new RelativePattern(folder, `**/*.{${specExtensions.join(',')}}`);
  const files = await workspace.findFiles(pattern, '**/{node_modules,.git,dist,build,out,target}/**', 500);
  const paths = files.map((file) => workspace.asRelativePath(file, false));
  const found = rankSpecs(paths).slice(0, offered);
  return [
    ...found.map((path): SpecItem => ({ label: `$(file) ${path}`, path: join(folder.uri.fsPath, path) })),
    { label: l10n.t('Elsewhere'), kind: QuickPickItemKind.Separator },
    { label: `$(file) ${l10n.t('Browse for a File…')}`, browse: 'file', alwaysShow: true },
    { label: `$(folder) ${l10n.t('Browse for a Folder…')}`, browse: 'folder', alwaysShow: true },
  ];
}

async function browseFor(kind: 'file' | 'folder', folder: Uri): Promise<string | undefined> {
  const [chosen] =
    (await window.showOpenDialog({
      defaultUri: folder,
      canSelectFiles: kind === 'file',
      canSelectFolders: kind === 'folder',
      title: l10n.t('The specification'),
      openLabel: l10n.t('Build from This'),
      ...(kind === 'file' ? { filters: { [l10n.t('Specifications')]: [...specExtensions] } } : {}),
    })) ?? [];
  return chosen?.fsPath;
}
