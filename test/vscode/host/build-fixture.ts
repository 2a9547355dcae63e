import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commands, extensions } from 'vscode';
import { greeterFiles, greeterTurns, type WrittenTurn } from '../../command-line/greeter.ts';

/** How a command that starts a run has ended. */
export interface CommandResult {
  readonly kind: string;
  readonly store?: string;
  readonly reason?: string;
}

type Json = Readonly<Record<string, unknown>>;

/** A folder outside of the workspace with a specification and a playbook that builds it. */
export async function greeterProject(turns: readonly WrittenTurn[] = greeterTurns()): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'greeter-'));
  for (const [path, content] of Object.entries(greeterFiles(turns))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** "Build from Spec…" with an argument object. */
export async function build(project: string, more: Json = {}): Promise<CommandResult> {
  return commands.executeCommand<CommandResult>('swarmwright.buildFromSpec', {
    spec: join(project, 'spec.md'),
    playbook: join(project, 'playbook.yaml'),
    verify: 'node greet.mjs',
    ...more,
  });
}

/** The store of a run that has begun. @throws Error with the reason when it has not */
export function storeOf(result: CommandResult): string {
  if (result.kind === 'started' && result.store !== undefined) return result.store;
  throw new Error(`${result.kind}: ${result.reason ?? ''}`);
}

/** The command line, which is another process and reads the same store. */
async function cli(...args: readonly string[]): Promise<string> {
  const root = extensions.getExtension('swarmwright.swarmwright')?.extensionPath ?? '';
  const program = join(root, 'dist', 'cli.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { maxBuffer: 1e8 });
  return stdout;
}

export async function statusOf(store: string): Promise<Json> {
  const status: Json = JSON.parse(await cli('status', '--store', store, '--json'));
  return status;
}

export async function eventTypes(store: string): Promise<readonly string[]> {
  const lines = (await cli('log', '--store', store, '--events', '--json')).trim().split('\n');
  return lines.flatMap((line) => {
    const event: { readonly type?: string } = JSON.parse(line);
    return event.type === undefined ? [] : [event.type];
  });
}

/** Waits for a fact of the journal; what hangs meets the limit of its test. */
export async function untilEvent(store: string, type: string, times = 1): Promise<void> {
  while ((await eventTypes(store)).filter((one) => one === type).length < times) await sleep(100);
}

/** How it stands once nobody drives it any more. */
export async function statusAtEnd(store: string, sessions = 1): Promise<unknown> {
  await untilEvent(store, 'run.ended', sessions);
  return (await statusOf(store))['status'];
}
