import type { TaskNode } from '#protocol/projection-tasks.ts';
import type { RunState } from '#protocol/projection.ts';
import { isTerminal, parentTask, type TaskPath } from '#protocol/tasks.ts';

/** A line of the tree. Position and size count among its siblings that are shown, from 1. */
export interface TaskRow {
  readonly node: TaskNode;
  /** 1 for the root. */
  readonly level: number;
  readonly position: number;
  readonly size: number;
  /** Undefined for a leaf. */
  readonly isOpen: boolean | undefined;
}

export interface TaskFilter {
  readonly hideFinished: boolean;
  /** Words that must all occur in what is known of a task. */
  readonly text: string;
}

/** Finds out once for each node, for one drawing. */
class Finished {
  readonly #state: RunState;
  readonly #known = new Map<TaskPath, boolean>();

  constructor(state: RunState) {
    this.#state = state;
  }

  /** True when nothing in the task's subtree can change any more, unless it is woken again. */
  has(node: TaskNode): boolean {
    const known = this.#known.get(node.path);
    if (known !== undefined) return known;
    const isFinished =
      isTerminal(node.state) &&
      node.unfinishedChildren === 0 &&
      node.children.every((child) => this.has(this.#state.task(child)));
    this.#known.set(node.path, isFinished);
    return isFinished;
  }
}

/** Which subtrees are open: at first sight the root and where work goes on; from then on it is the user's. */
export class Expansion {
  readonly #open: Map<TaskPath, boolean>;

  /** @param known how they were when the page was last seen */
  constructor(known: Iterable<readonly [TaskPath, boolean]> = []) {
    this.#open = new Map(known);
  }

  get known(): readonly (readonly [TaskPath, boolean])[] {
    return [...this.#open];
  }

  /** How many are known. */
  get size(): number {
    return this.#open.size;
  }

  set(path: TaskPath, isOpen: boolean): void {
    this.#open.set(path, isOpen);
  }

  /** Opens all that a task stands in. */
  reveal(task: TaskPath): void {
    for (let path = parentTask(task); path !== undefined; path = parentTask(path)) this.set(path, true);
  }

  isOpen(path: TaskPath, isFinished: () => boolean): boolean {
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    const isOpen = path === 'root' || !isFinished();
    this.#open.set(path, isOpen);
    return isOpen;
  }
}

function matches(node: TaskNode, words: readonly string[]): boolean {
  const { path, spec, state, model } = node;
  const text = `${path} ${spec.role} ${state} ${model ?? ''} ${spec.goal}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Tasks that the filter leaves, with all that stand above them; undefined when it leaves all. */
function leftBy(filter: TaskFilter, state: RunState, finished: Finished): ReadonlySet<TaskPath> | undefined {
  const words = filter.text.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0 && !filter.hideFinished) return undefined;
  const left = new Set<TaskPath>();
  for (const node of state.tasks.values()) {
    if (filter.hideFinished && finished.has(node)) continue;
    if (!matches(node, words)) continue;
    let path: TaskPath | undefined = node.path;
    for (; path !== undefined && !left.has(path); path = state.task(path).parent) left.add(path);
  }
  return left;
}

/** The lines of the tree from top to bottom. Where a text is looked for, its places are open. */
export function taskRows(state: RunState, expansion: Expansion, filter: TaskFilter): readonly TaskRow[] {
  const rows: TaskRow[] = [];
  const finished = new Finished(state);
  const left = leftBy(filter, state, finished);
  const isSearched = filter.text.trim() !== '';
  const add = (paths: readonly TaskPath[], level: number): void => {
    const shown = left ? paths.filter((path) => left.has(path)) : paths;
    for (const [index, path] of shown.entries()) {
      const node = state.task(path);
      const children = left ? node.children.filter((child) => left.has(child)) : node.children;
      const isOpen =
        children.length === 0 ? undefined : isSearched || expansion.isOpen(path, () => finished.has(node));
      rows.push({ node, level, position: index + 1, size: shown.length, isOpen });
      if (isOpen === true) add(children, level + 1);
    }
  };
  if (state.tasks.has('root')) add(['root'], 1);
  return rows;
}
