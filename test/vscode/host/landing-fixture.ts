import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commands, extensions, Uri, workspace, type TextDocument } from 'vscode';
import { closingTurn, finishCall, planTurn, type WrittenCall } from '../../command-line/greeter.ts';
import { build, greeterProject, storeOf, untilEvent } from './build-fixture.ts';

/** What came of a command on a file. */
export interface Outcome {
  readonly path: string;
  readonly kind: string;
  readonly obstacle?: string;
}

interface LandingEvent {
  readonly type: string;
  readonly path?: string;
  readonly outcome?: string;
  readonly landing?: string;
  readonly proposal?: {
    readonly version: number;
    readonly obstacle?: string;
    readonly content: { readonly hash: string } | null;
  };
}

export const folder = 'land';

export function uriOf(name: string): Uri {
  const [root] = workspace.workspaceFolders ?? [];
  if (root === undefined) throw new Error('there is no folder');
  return Uri.joinPath(root.uri, folder, name);
}

export async function writeUserFiles(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(uriOf(name).fsPath), { recursive: true });
    await writeFile(uriOf(name).fsPath, content);
  }
}

/** Builds by what one worker calls, to green; returns the store once the landing is offered. */
export async function buildLanding(calls: readonly WrittenCall[]): Promise<string> {
  const [plan] = planTurn.calls;
  const task = {
    name: 'greet',
    role: 'worker',
    goal: 'Write.',
    scope: [`${folder}/**`, 'AGENTS.md'],
    acceptance: ['It is written.'],
  };
  const turns = [
    { ...planTurn, calls: [{ tool: plan?.tool ?? 'plan', args: { wake: 'all', tasks: [task] } }] },
    closingTurn,
    { key: 'worker root/greet 1 1', calls: [...calls, finishCall] },
  ];
  const store = storeOf(await build(await greeterProject(turns), { verify: 'true' }));
  await untilEvent(store, 'run.ended');
  await untilEvent(store, 'landing.offered');
  return store;
}

export async function landingEvents(store: string): Promise<readonly LandingEvent[]> {
  const root = extensions.getExtension('swarmwright.swarmwright')?.extensionPath ?? '';
  const args = [join(root, 'dist', 'cli.js'), 'log', '--store', store, '--events', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
  return stdout
    .trim()
    .split('\n')
    .map((line): LandingEvent => JSON.parse(line));
}

/** Waits for an event of a file that is new since `after` of them were there. */
export async function untilLanding(
  store: string,
  name: string,
  holds: (event: LandingEvent) => boolean,
): Promise<LandingEvent> {
  const path = `${folder}/${name}`;
  for (;;) {
    const found = (await landingEvents(store)).findLast((event) => event.path === path && holds(event));
    if (found) return found;
    await sleep(100);
  }
}

export async function decide(command: string, ...names: readonly string[]): Promise<readonly Outcome[]> {
  const given = names.map((name) => ({ path: `${folder}/${name}` }));
  return commands.executeCommand<readonly Outcome[]>(`swarmwright.${command}`, given);
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}

export async function landingUri(store: string, name: string): Promise<Uri> {
  const offered = (await landingEvents(store)).findLast(({ type }) => type === 'landing.offered');
  return uriOf(name).with({ scheme: 'swarm-landing', authority: offered?.landing ?? '' });
}

export function lines(document: TextDocument): readonly string[] {
  return document.getText().split(/\r?\n/u);
}
