import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem, type FileSystem } from '#edges/file-system.ts';
import type { Change, FileMode } from '#protocol/change-sets.ts';
import type { LandingOutcome } from '#protocol/landing-api.ts';
import { RunProjection } from '#protocol/projection.ts';
import type { LandingReview as Landing } from '#protocol/projection-review.ts';
import { defaultCaps, type LandRequest } from '#protocol/requests.ts';
import type { Provenance } from '#protocol/tasks.ts';
import { MemoryJournal } from '#journal/memory-journal.ts';
import type { Journal } from '#journal/journal.ts';
import { MemoryLogStore } from '#vcs/memory-log-store.ts';
import { createRepository } from '#vcs/open-repository.ts';
import type { Repository } from '#vcs/repository.ts';
import { workspaceSource } from '#vcs/workspace-import.ts';
import { EventLog } from '../event-log.ts';
import { LandingReview } from '../landing-review.ts';
import { Landing as WholeLanding } from '../landing.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

const verify = 'npm test';

const provenance: Provenance = {
  run: 'r',
  task: 'root',
  attempt: 1,
  role: 'harness',
  model: '',
  decisions: [],
  title: 'test',
};

/** What a test may put between the review and the world. */
export interface BenchEdges {
  readonly fileSystem: FileSystem;
  readonly journal: Journal;
}

/** A workspace on the disk that was imported, a trunk to bring into it, and the review of it. */
export class ReviewBench implements AsyncDisposable {
  readonly workspace: string;
  readonly #store: string;
  readonly #repository: Repository;
  readonly #journal: MemoryJournal;
  log: EventLog;
  #review: LandingReview | undefined;
  #edges: BenchEdges;
  #calls = 0;
  #groups = 0;

  private constructor(workspace: string, store: string, repository: Repository, journal: MemoryJournal) {
    this.workspace = workspace;
    this.#store = store;
    this.#repository = repository;
    this.#journal = journal;
    this.#edges = { fileSystem: nodeFileSystem, journal };
    this.log = new EventLog(journal, new RunProjection());
  }

  static async start(before: Files = {}): Promise<ReviewBench> {
    const workspace = await mkdtemp(join(tmpdir(), 'review-'));
    await writeFiles(workspace, before);
    const { repository } = await createRepository(
      { logStore: new MemoryLogStore(), clock: systemClock },
      workspaceSource({ fileSystem: nodeFileSystem, folder: workspace }),
      provenance,
    );
    const store = await mkdtemp(join(tmpdir(), 'review-store-'));
    const bench = new ReviewBench(workspace, store, repository, new MemoryJournal(systemClock));
    await bench.#create();
    return bench;
  }

  async #create(): Promise<void> {
    await this.log.publish({
      type: 'run.created',
      options: {
        run: 'r',
        specPath: '/spec.md',
        specTitle: 'spec',
        workspace: this.workspace,
        models: { planner: 'p/p', worker: 'p/p', resolver: 'p/p' },
        verify,
        caps: defaultCaps,
        land: false,
        unsandboxed: false,
      },
    });
    const [record] = this.#repository.records(0);
    if (record?.kind === 'commit') await this.#tellCommit(record.commit, record.position);
    await this.reopen();
  }

  get review(): LandingReview {
    if (this.#review) return this.#review;
    throw new Error('the bench has not been started');
  }

  get landing(): Landing {
    const { landing } = this.log.projection.review;
    if (landing) return landing;
    throw new Error('no landing is offered');
  }

  /** Puts changes on trunk. */
  async build(
    changes: Readonly<Record<string, string | Uint8Array | null>>,
    mode: FileMode = 'file',
  ): Promise<void> {
    await this.submit(
      Object.entries(changes).map(([path, content]): Change =>
        content === null
          ? { kind: 'delete', path }
          : { kind: 'write', path, mode, content: bytesOf(content) },
      ),
    );
  }

  async submit(changes: readonly Change[]): Promise<void> {
    this.#calls += 1;
    const outcome = await this.#repository.submit({
      id: { task: 'root', epoch: 1, turn: 1, call: this.#calls },
      changeSet: {
        base: this.#repository.head().id,
        changes: changes.toSorted((left, right) => (left.path < right.path ? -1 : 1)),
      },
      scope: [],
      intent: { kind: 'harness' },
      provenance,
    });
    if (outcome.kind !== 'committed') throw new Error(`the build was ${outcome.kind}`);
    const record = this.#repository.records(0).at(-1);
    await this.#tellCommit(outcome.commit, record?.position ?? 0);
  }

  async #tellCommit(commit: string, position: number): Promise<void> {
    const of = { position, commit, task: 'root', role: 'harness', title: 'test' } as const;
    await this.log.publish({ type: 'vcs.committed', ...of, paths: [], mergedPaths: [] });
  }

  /** Trunk is verified: what it has is offered. */
  async green(): Promise<void> {
    await this.log.publish({
      type: 'verify.passed',
      evidence: {
        snapshot: this.#repository.head().id,
        command: verify,
        exitCode: 0,
        ended: 'exit',
        milliseconds: 1,
        tail: '',
        environment: '',
      },
    });
    await this.settled();
  }

  async settled(): Promise<void> {
    await this.review.sight(this.log.projection.review.landing?.id ?? '', []).catch(() => undefined);
  }

  /** `path state`, with what stands in the way. */
  rows(): readonly string[] {
    return [...this.landing.files.values()]
      .map(({ path, state, proposal: { obstacle, approval } }) =>
        [path, state, obstacle ?? [], approval === undefined ? [] : 'asks'].flat().join(' '),
      )
      .toSorted();
  }

  version(path: string): number {
    return this.landing.files.get(path)?.proposal.version ?? 0;
  }

  async proposal(path: string): Promise<string | null> {
    const side = this.landing.files.get(path)?.proposal.content ?? null;
    return side === null ? null : Buffer.from(await this.review.content(side.hash)).toString();
  }

  async accept(
    paths: readonly string[],
    more: { approve?: readonly string[]; replace?: readonly string[] } = {},
  ): Promise<readonly string[]> {
    const { approve = [], replace = [] } = more;
    return outcomesOf(await this.review.accept({ ...this.#command(paths), approve, replace }));
  }

  async discard(paths: readonly string[]): Promise<readonly string[]> {
    return outcomesOf(await this.review.discard(this.#command(paths)));
  }

  #command(paths: readonly string[]): Parameters<LandingReview['discard']>[0] {
    this.#groups += 1;
    const files = paths.map((path) => ({ path, version: this.version(path) }));
    return { landing: this.landing.id, group: `g${this.#groups}`, files };
  }

  /** Takes back the newest group, as Undo Last Decision does. */
  async undo(): Promise<readonly string[]> {
    const { decisions } = this.log.projection.review;
    const group = decisions.at(-1)?.group;
    const outcomes: LandingOutcome[] = [];
    for (const one of decisions.filter((each) => each.group === group).toReversed()) {
      outcomes.push(await this.review.undo(one.decision));
    }
    return outcomesOf(outcomes);
  }

  async sightDisk(...paths: readonly string[]): Promise<void> {
    await this.review.sight(
      this.landing.id,
      paths.map((path) => ({ path, where: 'disk' as const })),
    );
  }

  async sightEditor(path: string, text: string): Promise<void> {
    await this.review.sight(this.landing.id, [{ path, where: 'editor', bytes: bytesOf(text) }]);
  }

  /** As after a kill: nothing is left but journal, store and workspace. */
  async reopen(edges: Partial<BenchEdges> = {}): Promise<void> {
    this.#edges = { fileSystem: nodeFileSystem, journal: this.#journal, ...edges };
    this.log = new EventLog(this.#edges.journal, new RunProjection());
    for (const event of await this.#journal.events(0)) this.log.projection.apply(event);
    this.#review = this.#newReview();
    await this.review.start();
  }

  #newReview(): LandingReview {
    const { fileSystem } = this.#edges;
    const parts = { workspace: this.workspace, repository: this.#repository, log: this.log, fileSystem };
    return new LandingReview(parts, join(this.#store, 'landing'), (error) => {
      throw error;
    });
  }

  /** The landing of the terminal. */
  async landWhole(request: Partial<LandRequest> = {}): Promise<readonly string[]> {
    const replaced = join(this.#store, 'replaced');
    const parts = {
      workspace: this.workspace,
      fileSystem: nodeFileSystem,
      repository: this.#repository,
      log: this.log,
    };
    const { files } = await new WholeLanding({ ...parts, replaced }).land({ approve: [], ...request });
    return files.map(
      (file) => `${file.path} ${file.result === 'waits' ? `waits: ${file.reason}` : file.result}`,
    );
  }

  async write(files: Files): Promise<void> {
    await writeFiles(this.workspace, files);
  }

  async read(path: string): Promise<string> {
    return readFile(join(this.workspace, path), 'utf8');
  }

  async readBytes(path: string): Promise<Buffer> {
    return readFile(join(this.workspace, path));
  }

  path(...names: readonly string[]): string {
    return join(this.workspace, ...names);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.review.stop();
    await this.#repository.close();
    await rm(this.workspace, { recursive: true });
    await rm(this.#store, { recursive: true });
  }
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

function outcomesOf(outcomes: readonly LandingOutcome[]): readonly string[] {
  return outcomes.map((outcome) => {
    const { path, kind } = outcome;
    if (outcome.kind === 'obstacle') return `${path} ${outcome.obstacle}`;
    return outcome.kind === 'failed' ? `${path} failed ${outcome.code}` : `${path} ${kind}`;
  });
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
