import type { BlobHash, SnapshotId } from '#protocol/change-sets.ts';
import type { RunEvent } from '#protocol/events.ts';
import type { RunHistory } from '#protocol/history.ts';
import type { ModelPrice } from '#protocol/model-price.ts';
import type { ResumeRequest } from '#protocol/requests.ts';
import type {
  OpenedRun,
  RecordedRun,
  PriceRequest,
  RunSummary,
  SandboxReport,
  SnapshotText,
  SpecReport,
  StartRequest,
  TaskChange,
  TranscriptPage,
  TrunkFile,
} from '#protocol/runtime-api.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { JournalError } from '#journal/errors.ts';
import type { RunFolders } from '#journal/run-folders.ts';
import { storeOwner } from '#journal/store-lock.ts';
import { detectSandbox } from '#sandbox/detect-sandbox.ts';
import { openSpecification } from '#spec/open-specification.ts';
import type { Edges } from '#swarm/edges.ts';
import { RunError } from '#swarm/errors.ts';
import type { LandingReview } from '#swarm/landing-review.ts';
import { recordRun } from '#swarm/record-run.ts';
import { followStoredRun, inspectRun, openStoredRun, type RunAccess } from '#swarm/run-access.ts';
import { resumeRun, startRun } from '#swarm/session.ts';
import { agentsOf, shownTranscript, storedTranscript } from './agent-transcripts.ts';
import { modelPrices } from './model-prices.ts';
import { ShownRun, type Access, type ShownRunListener } from './shown-run.ts';

/** A page of events: parsing more at once would stall the reader. */
const eventPage = 2000;

/**
 * The runtime behind a transport: runs by their stores. What it is told to do is `RuntimeApi`; a worker thread or a
 * process of its own puts this behind a channel.
 */
export class RuntimeService {
  readonly #edges: Edges;
  readonly #folders: RunFolders;
  readonly #listener: ShownRunListener;
  readonly #runs = new Map<string, ShownRun>();
  /** The newest step of opening or closing, by store. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(edges: Edges, folders: RunFolders, listener: ShownRunListener) {
    this.#edges = edges;
    this.#folders = folders;
    this.#listener = listener;
  }

  async sandbox(): Promise<SandboxReport> {
    const found = await detectSandbox(this.#edges.processes, this.#edges.fileSystem);
    return found.kind === 'bubblewrap' ? { kind: 'bubblewrap' } : found;
  }

  async readSpec(path: string): Promise<SpecReport> {
    const spec = await openSpecification(path, this.#edges.fileSystem);
    const top = spec.outline.filter((section) => section.level === 1);
    const characters = top.reduce((sum, section) => sum + spec.read(section.id).length, 0);
    return { title: spec.title, sections: spec.outline.length, characters };
  }

  async prices(request: PriceRequest): Promise<Readonly<Record<string, ModelPrice>>> {
    return modelPrices(request, this.#edges.scheduler);
  }

  async startRun(request: StartRequest): Promise<OpenedRun> {
    const { workspace } = request;
    const store = request.store ?? (await this.#folders.newStore(workspace));
    const session = await startRun({ ...request, store }, this.#edges, async () =>
      this.#folders.rememberLatest(workspace, store),
    );
    return this.#show({ mode: 'driving', run: session });
  }

  async resumeRun(request: ResumeRequest): Promise<OpenedRun> {
    return this.#inTurn(request.store, async () => {
      const shown = this.#runs.get(request.store);
      if (shown?.isDriven === true) return shown.opened;
      await this.#close(request.store);
      return this.#show({ mode: 'driving', run: await resumeRun(request, this.#edges) });
    });
  }

  async openRun(store: string): Promise<OpenedRun> {
    return this.#inTurn(store, async () => {
      const shown = this.#runs.get(store);
      if (shown) return shown.opened;
      try {
        return this.#show({ mode: 'open', run: await openStoredRun(store, this.#edges) });
      } catch (error) {
        if (!JournalError.is(error, 'in-use')) throw error;
        return this.#show({ mode: 'following', run: await followStoredRun(store, this.#edges) });
      }
    });
  }

  async closeRun(store: string): Promise<void> {
    await this.#inTurn(store, async () => this.#close(store));
  }

  async pauseRun(store: string): Promise<void> {
    const { access } = this.#shown(store);
    if (access.mode === 'driving') await access.run.pause();
  }

  async continueRun(store: string): Promise<void> {
    const { access } = this.#shown(store);
    if (access.mode === 'driving') await access.run.continue();
  }

  async stopRun(store: string): Promise<void> {
    await this.#shown(store).stop();
  }

  async runsOf(workspace: string): Promise<readonly RunSummary[]> {
    const summaries: RunSummary[] = [];
    for (const store of await this.#folders.all(workspace)) {
      // oxlint-disable-next-line no-await-in-loop -- a journal is read whole: one at a time
      const summary = await this.#summary(store);
      if (summary) summaries.push(summary);
    }
    return summaries;
  }

  async snapshot(store: string): Promise<SnapshotText> {
    const { projection } = this.#run(store);
    return { version: projection.version, json: JSON.stringify(projection.snapshot()) };
  }

  async events(store: string, after: number): Promise<readonly RunEvent[]> {
    return this.#run(store).events(after, eventPage);
  }

  async transcriptPage(store: string, agent: string, from: number): Promise<TranscriptPage> {
    const shown = this.#runs.get(store);
    if (shown) return shownTranscript(shown, agent, from);
    // An address that anyone can write names the store: only runs are read that are the user's own.
    if (!(await this.#folders.holds(store))) throw new RunError('not-open', 'the run is not open', { store });
    return storedTranscript(store, agent, from, this.#edges);
  }

  async recordRun(store: string, folder: string): Promise<RecordedRun> {
    return recordRun(store, folder, this.#edges);
  }

  async agentsOf(store: string, task: TaskPath): Promise<readonly string[]> {
    return agentsOf(this.#run(store).projection, task);
  }

  async blob(store: string, hash: BlobHash): Promise<Uint8Array> {
    return this.#run(store).blob(hash);
  }

  async trunkFiles(store: string, folder: string): Promise<readonly TrunkFile[]> {
    return this.#run(store).trunkFiles(folder);
  }

  async fileAt(store: string, commit: SnapshotId, path: string): Promise<Uint8Array | undefined> {
    return this.#run(store).fileAt(commit, path);
  }

  async history(store: string): Promise<RunHistory> {
    return this.#shown(store).history();
  }

  async changesOf(store: string, task: TaskPath): Promise<readonly TaskChange[]> {
    return this.#run(store).changesOf(task);
  }

  /**
   * A step of a landing's review; its events are told before it is answered. @throws RunError `not-open`, `not-owned`
   */
  async review<Result>(store: string, step: (review: LandingReview) => Promise<Result>): Promise<Result> {
    const shown = this.#shown(store);
    try {
      return await step(shown.review);
    } finally {
      shown.flush();
    }
  }

  async shutDown(): Promise<void> {
    const stores = new Set([...this.#runs.keys(), ...this.#turns.keys()]);
    await Promise.all([...stores].map(async (store) => this.closeRun(store)));
  }

  async #close(store: string): Promise<void> {
    const shown = this.#runs.get(store);
    this.#runs.delete(store);
    await shown?.close();
  }

  /**
   * One after the other on a store: who opens it while it is being opened would meet this very process as its owner, and
   * follow instead of steering.
   */
  async #inTurn<Result>(store: string, step: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(store);
    const turn = (async () => {
      await before;
      return step();
    })();
    const done = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(store, done);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(store) === done) this.#turns.delete(store);
    }
  }

  #show(access: Access): OpenedRun {
    const shown = new ShownRun(access, this.#edges.scheduler, this.#listener);
    this.#runs.set(shown.store, shown);
    return shown.opened;
  }

  #shown(store: string): ShownRun {
    const shown = this.#runs.get(store);
    if (shown) return shown;
    throw new RunError('not-open', 'the run is not open', { store });
  }

  #run(store: string): RunAccess {
    return this.#shown(store).access.run;
  }

  /** Undefined for a folder that holds no run, or one that cannot be read: the others are listed all the same. */
  async #summary(store: string): Promise<RunSummary | undefined> {
    try {
      const { projection, events } = await inspectRun(store, this.#edges);
      const { options, status, tasks } = projection;
      if (options === undefined) return undefined;
      const owner = await storeOwner(store, this.#edges.fileSystem);
      return {
        store,
        specTitle: options.specTitle,
        specPath: options.specPath,
        status,
        started: events[0]?.time ?? 0,
        lastEvent: events.at(-1)?.time ?? 0,
        tasks: tasks.size,
        ...(owner === undefined ? {} : { owner }),
      };
    } catch {
      return undefined;
    }
  }
}
