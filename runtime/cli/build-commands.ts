import { resolve } from 'node:path';
import type { BuildRequest } from '#protocol/requests.ts';
import { landRun, resumeRun, type RunSession, startRun } from '#swarm/session.ts';
import type { Host } from './host.ts';
import { type Interrupts, withInterrupts } from './interrupts.ts';
import type { BuildCommand, LandCommand, ResumeCommand } from './options.ts';
import type { Output } from './output.ts';
import { report, runToEnd } from './run-flow.ts';
import { landingCounts, landingLines } from './landing-report.ts';
import { findStore, runFolders } from './state-folder.ts';
import { waitingReason } from './waiting-reason.ts';

/** `build`: from a specification to a workspace. */
export async function build(host: Host, output: Output, command: BuildCommand): Promise<number> {
  const workspace = resolve(host.cwd, command.workspace);
  const folders = runFolders(host);
  const store =
    command.store === undefined ? await folders.newStore(workspace) : resolve(host.cwd, command.store);
  const request: BuildRequest = {
    specPath: resolve(host.cwd, command.spec),
    workspace,
    store,
    models: command.models,
    ...(command.playbook === undefined ? {} : { playbook: resolve(host.cwd, command.playbook) }),
    ...(command.baseUrl === undefined ? {} : { baseUrl: command.baseUrl }),
    ...(command.verify === undefined ? {} : { verify: command.verify }),
    caps: command.caps,
    land: command.land,
    unsandboxed: command.unsandboxed,
    toolchains: command.toolchains.map((folder) => resolve(host.cwd, folder)),
    environment: host.environment,
  };
  return withInterrupts(host, async (interrupts) => {
    const session = await startRun(request, host.edges, async () => folders.rememberLatest(workspace, store));
    return goOn(host, output, session, interrupts, command);
  });
}

/** `resume`: what was interrupted, to its end. */
export async function resume(host: Host, output: Output, command: ResumeCommand): Promise<number> {
  const store = await findStore(host, command);
  const request = {
    store,
    caps: command.caps,
    environment: host.environment,
    ...(command.unsandboxed ? { unsandboxed: true } : {}),
    ...(command.verify === undefined ? {} : { verify: command.verify }),
    ...(command.baseUrl === undefined ? {} : { baseUrl: command.baseUrl }),
    models: command.models,
  };
  return withInterrupts(host, async (interrupts) => {
    const session = await resumeRun(request, host.edges);
    const { json } = command;
    return goOn(host, output, session, interrupts, { land: session.projection.options?.land ?? true, json });
  });
}

async function goOn(
  host: Host,
  output: Output,
  session: RunSession,
  interrupts: Interrupts,
  options: { readonly land: boolean; readonly json: boolean },
): Promise<number> {
  const outcome = await runToEnd(host, output, session, interrupts, {
    land: options.land,
    onForced: (forced) => {
      report(host, output, forced, options.json);
    },
  });
  return report(host, output, outcome, options.json);
}

/** `land`: the newest green state into the workspace. */
export async function land(host: Host, output: Output, command: LandCommand): Promise<number> {
  const store = await findStore(host, command);
  const landed = await landRun(
    store,
    { approve: command.approve, take: command.take, notes: command.notes },
    host.edges,
  );
  const waiting = landed.files.filter((file) => file.result === 'waits');
  for (const line of landingLines(landed, `${host.invocation} land`, store)) output.line(line);
  if (command.json) {
    const { changed, kept } = landingCounts(landed.files);
    output.json({
      verified: landed.verified,
      landed_files: changed,
      kept_files: kept,
      waiting_files: waiting.map((file) => ({ path: file.path, reason: waitingReason(file) })),
      files: landed.files,
      store,
    });
  }
  return waiting.length === 0 ? 0 : 1;
}
