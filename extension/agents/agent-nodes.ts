import type { RunEvent } from '#protocol/events.ts';
import type { TaskNode } from '#protocol/projection-tasks.ts';
import type { RunState } from '#protocol/projection.ts';
import { isTerminal, parentTask, type TaskPath } from '#protocol/tasks.ts';

/** An item of the tree. The same object for as long as the run is shown: VS Code knows items by their identity. */
export type AgentNode =
  | { readonly kind: 'task'; readonly path: TaskPath }
  /** Children of a task from an index on, where there are more than anybody scrolls through. */
  | { readonly kind: 'page'; readonly parent: TaskPath; readonly first: number };

type TaskItem = Extract<AgentNode, { kind: 'task' }>;

/** Children that stand below their parent; the others are pages of as many. */
export const pageSize = 250;

/** Where a task stands among its siblings: what works, what waits, what is finished. */
function rankOf({ state }: TaskNode): number {
  if (isTerminal(state)) return 2;
  return state === 'waiting' ? 1 : 0;
}

/** The items of a run's tree, and which of them an event makes new. Knows no editor. */
export class AgentNodes {
  readonly #state: RunState;
  readonly #tasks = new Map<TaskPath, TaskItem>();
  readonly #pages = new Map<string, AgentNode>();
  /** As far as `changes` has told. */
  #told = 0;
  readonly #ranks = new Map<TaskPath, number>();
  #lastShown: { readonly key: string; readonly paths: readonly TaskPath[] } | undefined;

  constructor(state: RunState) {
    this.#state = state;
  }

  roots(): readonly AgentNode[] {
    return this.#state.tasks.has('root') ? [this.item('root')] : [];
  }

  /** The item of a task that exists. */
  item(path: TaskPath): AgentNode {
    const known = this.#tasks.get(path);
    if (known) return known;
    const item: TaskItem = { kind: 'task', path };
    this.#tasks.set(path, item);
    return item;
  }

  children(node: AgentNode, hideFinished: boolean): readonly AgentNode[] {
    const parent = node.kind === 'task' ? node.path : node.parent;
    const shown = this.#shownChildren(parent, hideFinished);
    const first = node.kind === 'task' ? 0 : node.first;
    const tasks = shown.slice(first, first + pageSize).map((path) => this.item(path));
    if (node.kind === 'page') return tasks;
    const pages = Math.max(0, Math.ceil(shown.length / pageSize) - 1);
    return [...tasks, ...Array.from({ length: pages }, (_, page) => this.#page(parent, page))];
  }

  /** How many children of a page's task there are, for `251-500 of 10,000`. */
  shownCount(parent: TaskPath, hideFinished: boolean): number {
    return this.#shownChildren(parent, hideFinished).length;
  }

  parent(node: AgentNode, hideFinished: boolean): AgentNode | undefined {
    if (node.kind === 'page') return this.item(node.parent);
    const parent = parentTask(node.path);
    if (parent === undefined) return undefined;
    const place = this.#shownChildren(parent, hideFinished).indexOf(node.path);
    return place < pageSize ? this.item(parent) : this.#page(parent, Math.floor(place / pageSize) - 1);
  }

  /** True when nothing in the task's subtree can change any more, unless it is woken again. */
  isFinished(path: TaskPath): boolean {
    const node = this.#state.tasks.get(path);
    if (!node || !isTerminal(node.state)) return false;
    return node.unfinishedChildren === 0 && node.children.every((child) => this.isFinished(child));
  }

  /**
   * What must be drawn again since this was last asked: undefined for all of it. A task that has come, or has another
   * place among its siblings, makes its parent new.
   */
  changes(): readonly AgentNode[] | undefined {
    const changed = new Set<TaskPath>();
    let isNew = false;
    for (const node of this.#state.tasks.values()) {
      if (node.changedAt <= this.#told) continue;
      const before = this.#ranks.get(node.path);
      const rank = rankOf(node);
      this.#ranks.set(node.path, rank);
      if (node.parent === undefined) isNew = before === undefined;
      changed.add(before === rank ? node.path : (node.parent ?? node.path));
    }
    this.#told = this.#state.version;
    return isNew ? undefined : this.known(changed);
  }

  /** Those whose items have been given away; the others are drawn when they are asked for. */
  known(paths: Iterable<TaskPath>): readonly AgentNode[] {
    return [...paths].flatMap((path) => this.#tasks.get(path) ?? []);
  }

  #page(parent: TaskPath, page: number): AgentNode {
    const first = (page + 1) * pageSize;
    const key = `${parent} ${first}`;
    const known = this.#pages.get(key) ?? { kind: 'page', parent, first };
    this.#pages.set(key, known);
    return known;
  }

  #shownChildren(parent: TaskPath, hideFinished: boolean): readonly TaskPath[] {
    // Each page of a task asks for all of them.
    const key = `${parent} ${hideFinished} ${this.#state.version}`;
    if (this.#lastShown?.key === key) return this.#lastShown.paths;
    const paths = this.#sortedChildren(parent, hideFinished);
    this.#lastShown = { key, paths };
    return paths;
  }

  #sortedChildren(parent: TaskPath, hideFinished: boolean): readonly TaskPath[] {
    const byRank: [TaskPath[], TaskPath[], TaskPath[]] = [[], [], []];
    for (const path of this.#state.tasks.get(parent)?.children ?? []) {
      const node = this.#state.tasks.get(path);
      if (!node || (hideFinished && this.isFinished(path))) continue;
      byRank[rankOf(node)]?.push(path);
    }
    return byRank.flat();
  }
}

/** Tasks whose spend these events have changed: who called, and all above. */
export function spendersIn(events: readonly RunEvent[]): ReadonlySet<TaskPath> {
  const paths = new Set<TaskPath>();
  for (const event of events) {
    if (event.type !== 'call.settled') continue;
    let path: TaskPath | undefined = event.account;
    for (; path !== undefined && !paths.has(path); path = parentTask(path)) paths.add(path);
  }
  return paths;
}
