import { l10n, QuickPickItemKind, Uri, workspace, type QuickPickItem } from 'vscode';
import type { BuildDraft } from './last-build.ts';
import { sizeText, type ModelChoices } from './model-choices.ts';
import { inputStep, pickStep, type StepOutcome, type StepPlace } from './quick-steps.ts';
import { verifyCandidates, verifySources, type VerifySource } from './verify-candidates.ts';

type Place = Omit<StepPlace, 'title'>;

/** Dollars that are proposed when nothing was chosen before. */
const proposedBudget = 10;

/** Whether anything can be spent: what a playbook plays costs nothing. */
export function canSpend({ models, configuration }: BuildDraft): boolean {
  return Object.keys(models).length > 0 || configuration.playbook === undefined;
}

/** The budget in dollars. Not asked where it could not be kept, as the price of a model is not known. */
export async function askBudget(
  draft: BuildDraft,
  choices: ModelChoices,
  place: Place,
): Promise<StepOutcome> {
  const models = Object.values(draft.models);
  if (!(await choices.arePriced(models, draft.configuration))) {
    draft.budgetUsd = undefined;
    return tellNoBudget(place);
  }
  const answer = await inputStep({
    ...place,
    title: l10n.t('Build from Spec'),
    prompt: l10n.t('Dollars that the build may spend on models. Empty: no budget'),
    value: String(draft.budgetUsd ?? proposedBudget),
    check: (text) =>
      text.trim() === '' || Number(text) > 0 ? undefined : l10n.t('A number above zero, or nothing, please.'),
  });
  if (answer.kind !== 'answered') return answer.kind;
  draft.budgetUsd = answer.value.trim() === '' ? undefined : Number(answer.value);
  return 'answered';
}

async function tellNoBudget(place: Place): Promise<StepOutcome> {
  const answer = await pickStep({
    ...place,
    title: l10n.t('Build from Spec'),
    placeholder: l10n.t('The price of a model is not known, so no budget in dollars can be kept'),
    items: [
      {
        label: l10n.t('Go on without a budget'),
        alwaysShow: true,
        detail: l10n.t('Caps on tokens and minutes hold as they are set'),
      },
    ],
  });
  return answer.kind === 'answered' ? 'answered' : answer.kind;
}

interface VerifyItem extends QuickPickItem {
  readonly command?: string;
  readonly type?: true;
}

/** The command that proves a state to be green. */
export async function askVerify(draft: BuildDraft, place: Place): Promise<StepOutcome> {
  const title = l10n.t('Build from Spec');
  const candidates = verifyCandidates(await verifyFiles(draft.folder.uri));
  const before = draft.verify;
  const items: readonly VerifyItem[] = [
    ...(before === undefined || before === ''
      ? []
      : [{ label: before, description: l10n.t('chosen before'), command: before }]),
    ...candidates
      .filter(({ command }) => command !== before)
      .map(({ command, source }) => ({ label: command, description: source, command })),
    { label: '', kind: QuickPickItemKind.Separator },
    { label: `$(edit) ${l10n.t('Enter a Command…')}`, type: true, alwaysShow: true },
    {
      label: `$(circle-slash) ${l10n.t('None')}`,
      detail: l10n.t('What is built is then called unverified'),
      command: '',
      alwaysShow: true,
    },
  ];
  const answer = await pickStep({
    ...place,
    title,
    placeholder: l10n.t('The command that proves that it builds and passes'),
    items,
  });
  if (answer.kind !== 'answered') return answer.kind;
  if (answer.value.type !== true) {
    draft.verify = answer.value.command;
    return 'answered';
  }
  const typed = await inputStep({
    ...place,
    title,
    prompt: l10n.t('It runs in a sandbox, in a copy of the files; exit code 0 means green'),
    value: before ?? '',
    check: (text) => (text.trim() === '' ? l10n.t('A command, please.') : undefined),
  });
  if (typed.kind === 'back') return askVerify(draft, place);
  if (typed.kind === 'answered') draft.verify = typed.value.trim();
  return typed.kind;
}

async function verifyFiles(folder: Uri): Promise<ReadonlyMap<VerifySource, string>> {
  const found = new Map<VerifySource, string>();
  await Promise.all(
    verifySources.map(async (source) => {
      try {
        const bytes = await workspace.fs.readFile(Uri.joinPath(folder, source));
        found.set(source, new TextDecoder().decode(bytes));
      } catch {
        // It is not there.
      }
    }),
  );
  return found;
}

/** Says what will happen before anything is spent. */
export async function confirmBuild(draft: BuildDraft, place: Place): Promise<StepOutcome> {
  const { spec = '', folder, models, budgetUsd, verify, characters } = draft;
  const inside = workspace.getWorkspaceFolder(Uri.file(spec)) !== undefined;
  const size = characters === undefined ? '' : ` (${sizeText(characters)})`;
  const facts: readonly QuickPickItem[] = [
    {
      label: `$(file) ${l10n.t('Specification')}`,
      description: `${workspace.asRelativePath(spec)}${size}`,
      ...(inside
        ? {}
        : { detail: l10n.t('It lies outside of the folder: it is read once, when the build starts') }),
    },
    {
      label: `$(hubot) ${l10n.t('Models')}`,
      description: modelLine(draft),
    },
    {
      label: `$(credit-card) ${l10n.t('Budget')}`,
      description: budgetUsd === undefined ? l10n.t('none') : `$${budgetUsd}`,
    },
    {
      label: `$(check) ${l10n.t('Verified by')}`,
      description: verify === undefined || verify === '' ? l10n.t('nothing') : verify,
    },
  ];
  const go: QuickPickItem = {
    label: `$(play) ${l10n.t('Build in {0}', folder.name)}`,
    detail: l10n.t('Nothing in the folder changes before you have reviewed what is built'),
  };
  const answer = await pickStep({
    ...place,
    title: l10n.t('Build from Spec'),
    placeholder:
      Object.keys(models).length === 0
        ? l10n.t('Nothing is spent: turns are scripted')
        : l10n.t('Start the build?'),
    items: [go, { label: l10n.t('What was chosen'), kind: QuickPickItemKind.Separator }, ...facts],
    active: go,
  });
  if (answer.kind !== 'answered') return answer.kind;
  // The facts are there to be read; choosing one asks again.
  return answer.value === go ? 'answered' : confirmBuild(draft, place);
}

function modelLine({ models, configuration }: BuildDraft): string {
  const { planner, worker, resolver } = models;
  if (planner === undefined && worker === undefined && resolver === undefined) {
    return l10n.t('all turns from {0}', configuration.playbook ?? '');
  }
  const scripted = configuration.playbook ?? l10n.t('none');
  return l10n.t(
    'planners {0}, workers {1}, resolvers {2}',
    planner ?? scripted,
    worker ?? scripted,
    resolver ?? planner ?? scripted,
  );
}
