import type { ParkedId, SnapshotId } from './change-sets.ts';
import type { RunEventBody } from './events.ts';
import { mustHold, ProjectionError } from './projection-error.ts';
import {
  isTerminal,
  taskStates,
  parentTask,
  taskDepth,
  type FailureMode,
  type Handoff,
  type Role,
  type TaskPath,
  type TaskSpec,
  type TaskState,
  type WakePolicy,
} from './tasks.ts';

/** A task as the events have left it. The object is live: it changes with later events. */
export interface TaskNode {
  readonly path: TaskPath;
  readonly spec: TaskSpec;
  readonly parent: TaskPath | undefined;
  /** In the order of their creation. */
  readonly children: readonly TaskPath[];
  readonly state: TaskState;
  /** 0 before the first agent. After `task.retried` it is the attempt that must be started next. */
  readonly attempt: number;
  /** The highest epoch that a start or a fence has named; 0 before. */
  readonly epoch: number;
  /** The base of the newest agent. */
  readonly base: SnapshotId | undefined;
  readonly model: string | undefined;
  /** The handoff it ended with, or the one that waits with its parked set. */
  readonly handoff: Handoff | undefined;
  /** While its state is `parked`: the set it waits for. */
  readonly parked: ParkedId | undefined;
  /** Commits on trunk, and those of them that were merged with others' edits. */
  readonly commits: number;
  readonly merged: number;
  /** Conflicts its change sets ran into. */
  readonly conflicts: number;
  /** While its state is `sleeping`. */
  readonly wake: WakePolicy | undefined;
  /** Children that are terminal and that no `task.woke` has named; unsorted. */
  readonly undelivered: ReadonlySet<TaskPath>;
  /** Children that are not terminal. */
  readonly unfinishedChildren: number;
  /** Who last called a model for it; its own role before any call. */
  readonly lastRole: Role;
  /** Why its last attempt was given up. */
  readonly failure: { readonly mode: FailureMode; readonly details: string } | undefined;
  /** The sequence number of the newest event that changed it. */
  readonly changedAt: number;
}

/** Once one holds, it holds for ever: barriers of a playbook wait for them. */
type TaskFact = 'committed' | 'ended' | 'parked' | 'started';

/** Any name can be asked for, only facts can be stated. */
interface FactSet extends Iterable<TaskFact> {
  add(fact: TaskFact): void;
  has(name: string): boolean;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface TaskEntry extends Mutable<Omit<TaskNode, 'children' | 'undelivered'>> {
  readonly children: TaskPath[];
  readonly undelivered: Set<TaskPath>;
  readonly facts: FactSet;
}

type TaskEvent = Extract<RunEventBody, { type: `task.${string}` }>;
type EventOf<Type extends TaskEvent['type']> = Extract<TaskEvent, { type: Type }>;

/** A task as JSON can carry it. */
type TaskRecord = Omit<TaskNode, 'undelivered'> & {
  readonly undelivered: readonly TaskPath[];
  readonly facts: readonly TaskFact[];
};

/** The tree as JSON can carry it. */
export interface TreeRecord {
  readonly tasks: readonly TaskRecord[];
  /** In the order in which they came into the state. */
  readonly byState: readonly (readonly [TaskState, readonly TaskPath[]])[];
  readonly workersPeak: number;
}

/** The tree of tasks, with an index by state so that a scheduler need not walk the tree. */
export class TaskTreeProjection {
  readonly nodes: Map<TaskPath, TaskEntry> = new Map();
  readonly byState: Readonly<Record<TaskState, Set<TaskPath>>> = {
    waiting: new Set(),
    running: new Set(),
    sleeping: new Set(),
    parked: new Set(),
    done: new Set(),
    failed: new Set(),
    cancelled: new Set(),
  };
  planners = 0;
  workers = 0;
  workersDone = 0;
  workersLive = 0;
  workersPeak = 0;
  depth = 0;

  snapshot(): TreeRecord {
    const tasks = [...this.nodes.values()].map(recordOf);
    const byState = taskStates.map((state) => [state, [...this.byState[state]]] as const);
    return { tasks, byState, workersPeak: this.workersPeak };
  }

  /** Of a tree that is empty. */
  restore({ tasks, byState, workersPeak }: TreeRecord): void {
    for (const [state, paths] of byState) for (const path of paths) this.byState[state].add(path);
    for (const record of tasks) {
      this.nodes.set(record.path, {
        ...emptyTask(record.path, record.spec, record.parent, record.changedAt),
        ...record,
        children: [...record.children],
        undelivered: new Set(record.undelivered),
        facts: new Set(record.facts),
      });
      if (record.spec.role === 'worker') this.workers += 1;
      else this.planners += 1;
      this.depth = Math.max(this.depth, taskDepth(record.path));
    }
    const isWorker = (task: TaskPath): boolean => this.get(task).spec.role === 'worker';
    this.workersDone = [...this.byState.done].filter(isWorker).length;
    this.workersLive = [...this.byState.running].filter(isWorker).length;
    this.workersPeak = workersPeak;
  }

  /** @throws ProjectionError `unknown-task` */
  get(task: TaskPath): TaskEntry {
    const entry = this.nodes.get(task);
    if (entry) return entry;
    throw new ProjectionError('unknown-task', `no task ${task} was created`, { task });
  }

  /** Something of it has changed, if it is a task of the tree. */
  touch(task: TaskPath, sequence: number): void {
    const entry = this.nodes.get(task);
    if (entry) entry.changedAt = sequence;
  }

  apply(event: TaskEvent, sequence: number): void {
    switch (event.type) {
      case 'task.created':
        this.#create(event, sequence);
        return;
      case 'task.started':
        this.#start(event);
        break;
      case 'task.slept':
        this.#sleep(event);
        break;
      case 'task.woke':
        this.#wake(event);
        break;
      case 'task.parked':
        this.#park(event);
        break;
      case 'task.retried':
        this.#retry(event);
        break;
      case 'task.ended':
        this.#end(event, sequence);
        break;
      default:
        event satisfies never;
    }
    this.get(event.task).changedAt = sequence;
  }

  #create({ task, spec }: EventOf<'task.created'>, sequence: number): void {
    const parentPath = parentTask(task);
    mustHold(!this.nodes.has(task), 'the task was created before', { task });
    mustHold(parentPath !== undefined || task === 'root', 'the task has no place in the tree', { task });
    const parent = parentPath === undefined ? undefined : this.get(parentPath);
    mustHold(parent?.spec.role !== 'worker', 'a worker has no children', { task });
    this.nodes.set(task, emptyTask(task, spec, parentPath, sequence));
    this.byState.waiting.add(task);
    if (spec.role === 'worker') this.workers += 1;
    else this.planners += 1;
    this.depth = Math.max(this.depth, taskDepth(task));
    if (!parent) return;
    parent.children.push(task);
    parent.unfinishedChildren += 1;
    parent.changedAt = sequence;
  }

  #start({ task, attempt, epoch, base, model }: EventOf<'task.started'>): void {
    const entry = this.get(task);
    mustBeIn(entry, ['waiting'], 'started');
    const expected = Math.max(entry.attempt, 1);
    mustHold(attempt === expected, 'another attempt is due', { task, attempt, expected });
    mustHold(epoch >= entry.epoch, 'the epoch is fenced off', { task, epoch, fence: entry.epoch });
    Object.assign(entry, { attempt, epoch, base, model });
    entry.facts.add('started');
    this.#move(entry, 'running');
  }

  #sleep({ task, wake }: EventOf<'task.slept'>): void {
    const entry = this.get(task);
    mustHold(entry.spec.role === 'planner', 'only planners wait for children', { task });
    mustBeIn(entry, ['running'], 'slept');
    this.#move(entry, 'sleeping');
    entry.wake = wake;
  }

  /** A planner that is done is woken too when a late handoff reaches it. */
  #wake({ task, handoffs }: EventOf<'task.woke'>): void {
    const entry = this.get(task);
    mustHold(entry.spec.role === 'planner', 'only planners wait for children', { task });
    mustBeIn(entry, ['sleeping', 'done'], 'woke');
    for (const child of handoffs) {
      mustHold(entry.undelivered.has(child), 'the handoff is not waiting for this planner', { task, child });
    }
    if (entry.state === 'done') this.#countUnfinished(entry, 1);
    for (const child of handoffs) entry.undelivered.delete(child);
    this.#move(entry, 'running');
  }

  #park({ task, parked, handoff }: EventOf<'task.parked'>): void {
    const entry = this.get(task);
    mustBeIn(entry, ['running'], 'parked');
    this.#move(entry, 'parked');
    Object.assign(entry, { parked, handoff });
  }

  #retry({ task, attempt, mode, details }: EventOf<'task.retried'>): void {
    const entry = this.get(task);
    mustBeIn(entry, ['running', 'sleeping', 'parked'], 'retried');
    const expected = entry.attempt + 1;
    mustHold(attempt === expected, 'another attempt is due', { task, attempt, expected });
    this.#move(entry, 'waiting');
    Object.assign(entry, { attempt, handoff: undefined, failure: { mode, details } });
  }

  #end({ task, state, handoff }: EventOf<'task.ended'>, sequence: number): void {
    const entry = this.get(task);
    mustHold(isTerminal(state), 'a task ends in a terminal state', { task, state });
    mustBeIn(entry, ['waiting', 'running', 'sleeping', 'parked'], 'ended');
    this.#move(entry, state);
    entry.handoff = handoff;
    entry.facts.add('ended');
    this.#countUnfinished(entry, -1);
    const parent = entry.parent === undefined ? undefined : this.get(entry.parent);
    if (!parent) return;
    parent.undelivered.add(task);
    parent.changedAt = sequence;
  }

  #countUnfinished(entry: TaskEntry, step: number): void {
    if (entry.parent !== undefined) this.get(entry.parent).unfinishedChildren += step;
  }

  #move(entry: TaskEntry, state: TaskState): void {
    if (entry.spec.role === 'worker') {
      if (entry.state === 'running') this.workersLive -= 1;
      if (state === 'running') this.workersLive += 1;
      if (state === 'done') this.workersDone += 1;
      this.workersPeak = Math.max(this.workersPeak, this.workersLive);
    }
    this.byState[entry.state].delete(entry.path);
    this.byState[state].add(entry.path);
    entry.state = state;
    entry.wake = undefined;
    entry.parked = undefined;
  }
}

function recordOf(entry: TaskEntry): TaskRecord {
  const { children, undelivered, facts } = entry;
  return { ...entry, children: [...children], undelivered: [...undelivered], facts: [...facts] };
}

function emptyTask(
  path: TaskPath,
  spec: TaskSpec,
  parent: TaskPath | undefined,
  sequence: number,
): TaskEntry {
  return {
    path,
    spec,
    parent,
    children: [],
    state: 'waiting',
    attempt: 0,
    epoch: 0,
    base: undefined,
    model: undefined,
    handoff: undefined,
    parked: undefined,
    commits: 0,
    merged: 0,
    conflicts: 0,
    wake: undefined,
    undelivered: new Set(),
    unfinishedChildren: 0,
    lastRole: spec.role,
    failure: undefined,
    changedAt: sequence,
    facts: new Set<TaskFact>(),
  };
}

function mustBeIn(entry: TaskEntry, states: readonly TaskState[], event: string): void {
  mustHold(states.includes(entry.state), `a task that is ${entry.state} cannot be ${event}`, {
    task: entry.path,
    state: entry.state,
    event,
  });
}
