import {
  env,
  EventEmitter,
  l10n,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  type Disposable,
  type Event,
  type TreeDataProvider,
} from 'vscode';
import { isDriven } from '#protocol/shown-state.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { Pace } from '../pace.ts';
import type { RunView } from '../run-view.ts';
import { AgentNodes, pageSize, spendersIn, type AgentNode } from './agent-nodes.ts';
import { taskItem, taskTooltip } from './task-item.ts';

/** Milliseconds between two updates, and between two that only tell what the tasks below have spent. */
const updateInterval = 250;
const spendInterval = 2000;

/** The task tree of the run that this window shows. Draws itself anew only while it is seen. */
export class AgentsTree implements TreeDataProvider<AgentNode>, Disposable {
  readonly #changed = new EventEmitter<readonly AgentNode[] | undefined>();
  readonly #updates: Pace;
  readonly #spends: Pace;
  readonly #spenders = new Set<TaskPath>();
  #shown: { readonly view: RunView; readonly nodes: AgentNodes; readonly listener: Disposable } | undefined;
  #hideFinished = false;
  /** As it was drawn last: when a run ends or is gone on with, what its tasks are called changes without an event of theirs. */
  #isDriven = false;

  constructor() {
    this.#updates = new Pace(updateInterval, () => {
      const changes = this.#shown?.nodes.changes();
      if (changes === undefined || changes.length > 0) this.#changed.fire(changes);
    });
    this.#spends = new Pace(spendInterval, () => {
      const items = this.#shown?.nodes.known(this.#spenders) ?? [];
      this.#spenders.clear();
      if (items.length > 0) this.#changed.fire(items);
    });
  }

  readonly onDidChangeTreeData: Event<AgentNode[] | undefined> = (listener, thisArgs, disposables) =>
    this.#changed.event((nodes) => listener.call(thisArgs, nodes && [...nodes]), undefined, disposables);

  get view(): RunView | undefined {
    return this.#shown?.view;
  }

  /** Another run, or none. */
  show(view: RunView | undefined): void {
    this.#shown?.listener.dispose();
    this.#shown = undefined;
    this.#spenders.clear();
    if (view) {
      const listener = view.onDidChange((events) => {
        for (const path of spendersIn(events)) this.#spenders.add(path);
        if (this.#spenders.size > 0) this.#spends.ask();
        this.#updates.ask();
        const driven = isDrivenView(view);
        if (this.#isDriven !== driven) this.#changed.fire(undefined);
        this.#isDriven = driven;
      });
      this.#isDriven = isDrivenView(view);
      const nodes = new AgentNodes(view.state);
      nodes.changes();
      this.#shown = { view, nodes, listener };
    }
    this.#changed.fire(undefined);
  }

  /** Whether anybody sees the tree: else nothing is drawn. */
  see(isSeen: boolean): void {
    this.#updates.see(isSeen);
    this.#spends.see(isSeen);
  }

  hideFinished(isHidden: boolean): void {
    this.#hideFinished = isHidden;
    this.#changed.fire(undefined);
  }

  getChildren(node?: AgentNode): AgentNode[] {
    const { nodes } = this.#shown ?? {};
    if (!nodes) return [];
    return [...(node ? nodes.children(node, this.#hideFinished) : nodes.roots())];
  }

  getParent(node: AgentNode): AgentNode | undefined {
    return this.#shown?.nodes.parent(node, this.#hideFinished);
  }

  getTreeItem(node: AgentNode): TreeItem {
    const shown = this.#shown;
    const task = node.kind === 'task' ? shown?.view.state.tasks.get(node.path) : undefined;
    if (!shown || (node.kind === 'task' && !task)) return new TreeItem('');
    const { state } = shown.view;
    const run = state.options?.run ?? '';
    if (!task) return this.#pageItem(node, run, shown.nodes);
    const name = task.path.slice(task.path.lastIndexOf('/') + 1);
    const title = task.parent === undefined ? (state.options?.specTitle ?? name) : name;
    return taskItem(task, state, {
      run,
      title,
      isFinished: shown.nodes.isFinished(task.path),
      isDriven: isDrivenView(shown.view),
    });
  }

  resolveTreeItem(item: TreeItem, node: AgentNode): TreeItem {
    const { view } = this;
    const task = node.kind === 'task' ? view?.state.tasks.get(node.path) : undefined;
    if (view && task) item.tooltip = taskTooltip(task, view.state, isDrivenView(view));
    return item;
  }

  dispose(): void {
    this.#updates.dispose();
    this.#spends.dispose();
    this.#shown?.listener.dispose();
    this.#changed.dispose();
  }

  #pageItem(node: AgentNode, run: string, nodes: AgentNodes): TreeItem {
    if (node.kind !== 'page') return new TreeItem('');
    const number = new Intl.NumberFormat(env.language);
    const count = nodes.shownCount(node.parent, this.#hideFinished);
    const last = Math.min(node.first + pageSize, count);
    const title = l10n.t(
      '{0}-{1} of {2}',
      number.format(node.first + 1),
      number.format(last),
      number.format(count),
    );
    const item = new TreeItem(title, TreeItemCollapsibleState.Collapsed);
    item.id = `${run}:${node.parent} ${node.first}`;
    item.iconPath = new ThemeIcon('ellipsis');
    return item;
  }
}

function isDrivenView({ state, mode }: RunView): boolean {
  return isDriven(state, mode !== 'open');
}
