import type { LandingReport, RunStatus } from '#protocol/events.ts';
import type { BuildRequest, LandRequest, ResumeRequest } from '#protocol/requests.ts';
import { createStore, openStore, type RunStore } from '#journal/run-store.ts';
import { keysIn } from '#models/provider.ts';
import { detectSandbox } from '#sandbox/detect-sandbox.ts';
import { specificationTitle } from '#spec/open-specification.ts';
import type { Edges } from './edges.ts';
import { RunError } from './errors.ts';
import { checkPlaces } from './places.ts';
import { chooseModels, choicesOf, type RoleModels } from './run-models.ts';
import { openRun, type ResumedOptions } from './open-run.ts';
import { inspectRun, openStoredRun, type OwnedRun } from './run-access.ts';
import { removeStoredSpec, writeStoredSpec } from './stored-spec.ts';

/** An open run that can be driven: this process owns its store. */
export interface RunSession extends OwnedRun {
  /**
   * Builds until the run is complete, partial or failed; `interrupted` when the signal aborts (everything is durable,
   * and `resumeRun` goes on). Does not land.
   * @throws the error that stopped it: the run has ended as failed, and can be resumed
   */
  drive(signal: AbortSignal): Promise<RunStatus>;
  /** No model call is begun until `continue`; what is in flight is finished. Nothing happens to a run that is not driven. */
  pause(): Promise<void>;
  continue(): Promise<void>;
}

async function mustHaveSandbox(unsandboxed: boolean, edges: Edges): Promise<void> {
  if (unsandboxed) return;
  const found = await detectSandbox(edges.processes, edges.fileSystem);
  if (found.kind === 'none') throw new RunError('no-sandbox', found.reason, { reason: found.reason });
}

/**
 * Starts a run. Everything that can be wrong with the request is found before a store is made. `told` is called once the
 * run can be resumed.
 * @throws RunError, SpecError, ModelError, JournalError, VcsError: nothing was started and no store is left behind
 */
export async function startRun(
  request: BuildRequest,
  edges: Edges,
  told: () => Promise<void> = async () => undefined,
): Promise<RunSession> {
  const { fileSystem, randomness } = edges;
  const { workspace, store: folder } = await checkPlaces(request, fileSystem);
  const specTitle = await specificationTitle(request.specPath, fileSystem);
  const models = await chooseModels(request, edges);
  await mustHaveSandbox(request.unsandboxed, edges);
  const store = await createStore(folder, edges);
  try {
    await writeStoredSpec(request.specPath, store.paths.folder, fileSystem);
    return await openRun({
      edges,
      store,
      models,
      secrets: keysIn(request.environment),
      created: {
        told,
        options: {
          run: randomness.hex(8),
          specPath: request.specPath,
          specTitle,
          workspace,
          models: choicesOf(models),
          caps: request.caps,
          land: request.land,
          unsandboxed: request.unsandboxed,
          ...(request.baseUrl === undefined ? {} : { baseUrl: request.baseUrl }),
          ...(request.baseUrls === undefined ? {} : { baseUrls: request.baseUrls }),
          ...(request.playbook === undefined ? {} : { playbook: request.playbook }),
          ...(request.verify === undefined ? {} : { verify: request.verify }),
          ...(request.toolchains === undefined ? {} : { toolchains: request.toolchains }),
        },
      },
    });
  } catch (error) {
    await removeStoredSpec(store.paths.folder, fileSystem);
    await store.discard();
    throw error;
  }
}

/** Goes on with a run. @throws as startRun, and JournalError `no-store`, `in-use`; the store stays as it is */
export async function resumeRun(request: ResumeRequest, edges: Edges): Promise<RunSession> {
  const before = (await inspectRun(request.store, edges)).projection;
  const { options } = before;
  if (options === undefined)
    throw new RunError('never-started', 'no run was created in the store', { store: request.store });
  await checkPlaces({ ...options, store: request.store }, edges.fileSystem);
  const caps = { ...options.caps, ...request.caps };
  const { verify = options.verify, baseUrl = options.baseUrl, baseUrls = options.baseUrls } = request;
  const models: RoleModels = await chooseModels(
    {
      models: { ...options.models, ...request.models },
      ...(options.playbook === undefined ? {} : { playbook: options.playbook }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(baseUrls === undefined ? {} : { baseUrls }),
      caps,
      environment: request.environment,
    },
    edges,
  );
  const changes: ResumedOptions = {
    models: choicesOf(models),
    unsandboxed: request.unsandboxed ?? options.unsandboxed,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(baseUrls === undefined ? {} : { baseUrls }),
    ...(verify === undefined ? {} : { verify }),
  };
  await mustHaveSandbox(changes.unsandboxed, edges);
  const store: RunStore = await openStore(request.store, edges);
  try {
    const secrets = keysIn(request.environment);
    return await openRun({ edges, store, models, secrets, resumed: { caps, changes } });
  } catch (error) {
    await store.release();
    throw error;
  }
}

/**
 * Lands what a run has built, without going on with it: no model and no sandbox is needed.
 * @throws RunError `nothing-to-land`, `never-started`, those of places; JournalError `no-store`, `in-use`
 */
export async function landRun(folder: string, request: LandRequest, edges: Edges): Promise<LandingReport> {
  const run = await openStoredRun(folder, edges);
  try {
    return await run.land(request);
  } finally {
    await run.close();
  }
}
