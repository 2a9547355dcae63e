import type { Caps, RunEvent, RunOptions, RunStatus } from '#protocol/events.ts';
import type { RunStore } from '#journal/run-store.ts';
import { PauseGate } from '#agents/pause-gate.ts';
import { Ledger } from '#models/ledger.ts';
import { createCommandRunner } from '#sandbox/create-command-runner.ts';
import { openSpecification } from '#spec/open-specification.ts';
import { Claims } from './claims.ts';
import type { Edges } from './edges.ts';
import type { SwarmEnvironment } from './environment.ts';
import type { EventLog } from './event-log.ts';
import { JournalFacts } from './journal-facts.ts';
import { openParts, type NewRun, type OpenedParts } from './open-parts.ts';
import { PartsAccess } from './run-access.ts';
import { openModels, type RoleModels } from './run-models.ts';
import type { RunSession } from './session.ts';
import { storedSpecPath } from './stored-spec.ts';
import { Swarm } from './swarm.ts';

/** What the user may have changed when a run goes on. */
export type ResumedOptions = Pick<RunOptions, 'baseUrl' | 'baseUrls' | 'models' | 'unsandboxed' | 'verify'>;

interface OpenRequest {
  readonly edges: Edges;
  readonly store: RunStore;
  readonly models: RoleModels;
  /** Keys, which the journal must not hold. */
  readonly secrets: readonly string[];
  /** Present for a new run. */
  readonly created?: NewRun;
  /** For a run that goes on: what holds from here. */
  readonly resumed?: { readonly caps: Caps; readonly changes: ResumedOptions };
}

/** Opens log and journal, brings them together, and composes the swarm. Nothing works before `drive`. */
export async function openRun(request: OpenRequest): Promise<RunSession> {
  const parts = await openParts(request.edges, request.store, request.created, request.secrets);
  try {
    return await compose(request, parts);
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function compose(request: OpenRequest, opened: OpenedParts): Promise<RunSession> {
  const { edges, store, models } = request;
  const { repository, log, follower, events } = opened;
  const { resumed } = request;
  const caps = resumed?.caps ?? opened.options.caps;
  const options: RunOptions = { ...opened.options, ...resumed?.changes, caps };
  const ledger = Ledger.restore(caps, events);
  await plantTree(log, options, opened);
  const runner = createCommandRunner({
    ...edges,
    root: store.paths.checkouts,
    sandbox: options.unsandboxed ? 'none' : 'bubblewrap',
    toolchains: options.toolchains ?? [],
  });
  const gate = new PauseGate();
  const environment: SwarmEnvironment = {
    options,
    gate,
    clock: edges.clock,
    scheduler: edges.scheduler,
    repository,
    log,
    follower,
    claims: new Claims(log),
    spec: await openSpecification(storedSpecPath(options.specPath, store.paths.folder), edges.fileSystem),
    runner,
    sandboxed: !options.unsandboxed,
    modelFor: openModels(models, { facts: new JournalFacts(log), ledger, log, edges, gate }),
  };
  const close = async (): Promise<void> => {
    try {
      await runner.close();
    } finally {
      try {
        await opened.close();
      } finally {
        await store.release();
      }
    }
  };
  const begin = async (): Promise<void> => {
    if (resumed) await resume(log, ledger, events, repository.reports, resumed);
  };
  return new OpenSession({ environment, edges, opened, store: store.paths.folder, begin, close });
}

/** Calls that were in flight when the run was killed were made: what they may have cost stays booked. */
async function resume(
  log: EventLog,
  ledger: Ledger,
  events: readonly RunEvent[],
  notes: readonly string[],
  { caps, changes }: { readonly caps: Caps; readonly changes: ResumedOptions },
): Promise<void> {
  const lost = ledger.open.map(({ key }) => {
    const event = events.findLast((one) => one.type === 'call.reserved' && one.key === key);
    if (event?.type !== 'call.reserved') throw new Error(`the reservation of '${key}' is not in the journal`);
    const { account, role, model, tokens, usd } = event;
    return { type: 'call.lost', key, account, role, model, tokens, usd, reason: 'killed' } as const;
  });
  const lostCalls = lost.map(({ key }) => key);
  await log.publish({ type: 'run.resumed', lostCalls, notes, caps, options: changes }, ...lost);
  for (const key of lostCalls) ledger.lose(key);
}

/** The first events of a run; each is skipped where an earlier session has told it. */
async function plantTree(log: EventLog, options: RunOptions, { imported }: OpenedParts): Promise<void> {
  if (!log.projection.imported) {
    const { snapshot, files } = imported;
    const leftOut = imported.leftOut.map(({ path, reason }) => `${path}: ${reason}`);
    await log.publish({ type: 'run.imported', snapshot, files, leftOut });
  }
  if (log.projection.tasks.has('root')) return;
  await log.publish({
    type: 'task.created',
    task: 'root',
    spec: {
      name: 'root',
      role: 'planner',
      goal: `Build what the specification "${options.specTitle}" describes, all of it.`,
      scope: ['**'],
      shared: [],
      decides: [],
      acceptance: [
        'Every section of the specification is built.',
        ...(options.verify === undefined ? [] : [`Trunk passes \`${options.verify}\`.`]),
      ],
      sections: [],
      dependsOn: [],
    },
  });
}

interface SessionParts {
  readonly environment: SwarmEnvironment;
  readonly edges: Edges;
  readonly opened: OpenedParts;
  readonly store: string;
  /** Tells the journal that the run goes on; nothing for a new run. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

class OpenSession extends PartsAccess implements RunSession {
  readonly #parts: SessionParts;
  readonly #environment: SwarmEnvironment;

  constructor(parts: SessionParts) {
    super(parts.store, parts.opened, parts.edges, async () => parts.close());
    this.#parts = parts;
    this.#environment = parts.environment;
  }

  async drive(signal: AbortSignal): Promise<RunStatus> {
    // A session that only lands does not resume the run.
    await this.#parts.begin();
    return new Swarm(this.#environment).drive(signal);
  }

  async pause(): Promise<void> {
    const { gate, log } = this.#environment;
    if (gate.isClosed || log.projection.status !== 'running') return;
    gate.close();
    await log.publish({ type: 'run.paused' });
  }

  async continue(): Promise<void> {
    const { gate, log } = this.#environment;
    if (!gate.isClosed) return;
    // Published first: time counts again before a call is made. A run that has ended meanwhile is not continued.
    if (log.projection.paused) await log.publish({ type: 'run.continued' });
    gate.open();
  }
}
