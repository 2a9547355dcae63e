import { commands, l10n, Uri, type Disposable, type WorkspaceFolder } from 'vscode';
import type { Messenger } from '../messenger.ts';
import type { RunCommandResult, RunControl } from '../run/run-control.ts';
import { chooseBuildFolder, folderProblem, tellFolderProblem } from '../setup/build-folder.ts';
import { readConfiguration } from '../setup/configuration.ts';
import { isRecord, parseBuildArguments, type BuildArguments } from './build-arguments.ts';
import { buildPlan } from './build-plan.ts';
import type { BuildQuestions } from './build-questions.ts';

export interface BuildParts {
  readonly control: RunControl;
  readonly messenger: Messenger;
  readonly questions: BuildQuestions;
}

/**
 * "Build from Spec…": from the palette and menus it asks step by step, with an argument object it starts at once.
 * Resolves with a RunCommandResult as soon as the run has begun.
 */
export function registerBuildFromSpec(parts: BuildParts): Disposable {
  return commands.registerCommand(
    'swarmwright.buildFromSpec',
    async (given?: unknown): Promise<RunCommandResult> => {
      if (given === undefined || given instanceof Uri) return askAndBuild(parts, given);
      // Some menus hand over an editor's context instead of a resource.
      if (isRecord(given) && given['spec'] === undefined) return askAndBuild(parts, undefined);
      const parsed = parseBuildArguments(given);
      return parsed.kind === 'ok'
        ? build(parts, parsed.value)
        : refuse(parts, l10n.t('Build from Spec: {0}.', parsed.problem));
    },
  );
}

async function askAndBuild(parts: BuildParts, spec: Uri | undefined): Promise<RunCommandResult> {
  const folder = await chooseBuildFolder(spec);
  if (folder === undefined) return { kind: 'backed-out' };
  if (parts.control.view?.mode === 'driving') {
    return refuse(parts, l10n.t('A build is running in this window: stop it first.'));
  }
  const asked = await parts.questions.ask(folder, spec);
  return asked === undefined ? { kind: 'backed-out' } : start(parts, folder.uri, asked);
}

/** Starts at once; places and trust are looked at all the same. */
export async function build(
  parts: Pick<BuildParts, 'control' | 'messenger'>,
  asked: BuildArguments,
): Promise<RunCommandResult> {
  if (asked.folder !== undefined) return start(parts, Uri.file(asked.folder), asked);
  const folder: WorkspaceFolder | undefined = await chooseBuildFolder(Uri.file(asked.spec));
  return folder === undefined ? { kind: 'backed-out' } : start(parts, folder.uri, asked);
}

async function start(
  { control }: Pick<BuildParts, 'control'>,
  folder: Uri,
  asked: BuildArguments,
): Promise<RunCommandResult> {
  const problem = folderProblem(folder);
  if (problem !== undefined) {
    void tellFolderProblem(problem);
    return { kind: 'refused', reason: problem };
  }
  return control.start(buildPlan(folder.fsPath, asked, readConfiguration(folder)));
}

function refuse({ messenger }: BuildParts, reason: string): RunCommandResult {
  messenger.warn({ text: reason, actions: [] });
  return { kind: 'refused', reason };
}
