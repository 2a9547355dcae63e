import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { Project, type FolderContent } from '../../command-line/project.ts';
import { wordTools } from '../../faults/example.ts';
import { buildFolder } from '../places.ts';
import type { Workbench, WorkbenchWindow } from '../workbench.ts';

interface PlaybookFile {
  readonly turns: {
    readonly key: string;
    readonly calls: { readonly tool: string; readonly args: object }[];
  }[];
}

/**
 * The playbook of the word tools, with one worker, `sort`, that runs a command for some seconds while the others are
 * done or wait: so that there is something to see and to cut off. Returns its path.
 */
export async function pacedPlaybook(seconds: number): Promise<string> {
  const book: PlaybookFile = parse(await readFile(wordTools.playbook, 'utf8'));
  const sort = book.turns.find(({ key }) => key === 'worker root/sort 1 1');
  if (sort === undefined) throw new Error('the playbook of the word tools has no worker root/sort');
  sort.calls.push({ tool: 'run_command', args: { command: `sleep ${seconds}` } });
  const file = join(buildFolder, `word-tools-${seconds}.yaml`);
  await mkdir(buildFolder, { recursive: true });
  await writeFile(`${file}.${process.pid}`, stringify(book));
  await rename(`${file}.${process.pid}`, file);
  return file;
}

/** What the user has before the build: the specification, and a file where the build writes others. */
export const wordToolsWorkspace: Readonly<Record<string, string>> = {
  'spec.md': await readFile(wordTools.spec, 'utf8'),
  'src/mine.txt': 'mine\n',
};

/** A window on a new folder with this name, with the workspace in it. */
export async function openWordTools(
  workbench: Workbench,
  name: string,
): Promise<{ readonly window: WorkbenchWindow; readonly folder: string }> {
  const folder = workbench.server.path(name);
  for (const [path, content] of Object.entries(wordToolsWorkspace)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return { window: await workbench.openWindow(folder), folder };
}

/** What the command line makes of the workspace with a playbook. */
export async function builtByCommandLine(playbook: string): Promise<FolderContent> {
  const files = Object.entries(wordToolsWorkspace).map(([path, content]) => [`workspace/${path}`, content]);
  await using project = await Project.create(Object.fromEntries(files));
  const places = ['--workspace', 'workspace', '--store', 'store'];
  const how = ['--playbook', playbook, '--verify', wordTools.verify, '--json'];
  const { code, stderr } = await project.run(['build', 'workspace/spec.md', ...places, ...how]);
  if (code !== 0) throw new Error(`the build by the command line ended with ${code}: ${stderr}`);
  return await project.workspace();
}

/** How the questions for models and money are answered; the others are the same for all. */
export interface Answers {
  /** Step 2 to 4: planner, worker, resolver. */
  readonly models: readonly [WizardAnswer, WizardAnswer, WizardAnswer];
  /** Step 5. Absent where nothing is spent, so that nothing is asked. */
  readonly budget?: WizardAnswer;
}

export type WizardAnswer = (window: WorkbenchWindow) => Promise<void>;

/** A row of the list, by its label. */
export function row(label: string): WizardAnswer {
  return async (window) => {
    await window.pick(label);
  };
}

/** What is typed, once the input says what it is for. */
export function typed(prompt: string, text: string): WizardAnswer {
  return async (window) => {
    await window.page.locator('.quick-input-widget:visible').getByText(prompt).waitFor();
    await window.answer(text);
  };
}

/** One answer after the other. */
export function inOrder(...answers: readonly WizardAnswer[]): WizardAnswer {
  return async (window) => {
    for (const answer of answers) await answer(window);
  };
}

/** Goes through the questions of "Build from Spec…" in the window's folder, step by step. */
export async function buildWordTools(
  window: WorkbenchWindow,
  folder: string,
  { models, budget }: Answers,
): Promise<void> {
  const steps: readonly WizardAnswer[] = [
    row('spec.md'),
    ...models,
    ...(budget === undefined ? [] : [budget]),
    inOrder(row('Enter a Command…'), typed('exit code 0 means green', wordTools.verify)),
    row(`Build in ${basename(folder)}`),
  ];
  await window.runCommand('Swarmwright: Build from Spec…');
  for (const [index, answer] of steps.entries()) {
    const place = `(${index + 1}/${steps.length})`;
    await window.page.locator('.quick-input-widget:visible .quick-input-title').getByText(place).waitFor();
    await answer(window);
  }
}

/** The answers that have the playbook of the settings play all turns. */
export function playbookAnswers(playbook: string): Answers {
  const scripted = row(`The playbook ${playbook}`);
  return { models: [scripted, scripted, row("The planner's model")] };
}
