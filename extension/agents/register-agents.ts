import { commands, Disposable, env, l10n, window, type Memento, type TreeView, type ViewBadge } from 'vscode';
import type { CurrentRun } from '../current-run.ts';
import type { RunView } from '../run-view.ts';
import type { AgentNode } from './agent-nodes.ts';
import { AgentsTree } from './agents-tree.ts';

const hiddenKey = 'swarmwright.agents.finishedHidden';

export interface AgentsParts {
  readonly run: CurrentRun;
  /** What the user prefers in this workspace. */
  readonly memento: Memento;
}

/** The view "Agents" with its filter and the actions on its items. */
export function registerAgents({ run, memento }: AgentsParts): Disposable {
  const tree = new AgentsTree();
  const view = window.createTreeView('swarmwright.agents', { treeDataProvider: tree, showCollapseAll: true });
  const hide = (isHidden: boolean): void => {
    tree.hideFinished(isHidden);
    void commands.executeCommand('setContext', hiddenKey, isHidden);
    void memento.update(hiddenKey, isHidden);
  };
  hide(memento.get(hiddenKey, false));
  tree.see(view.visible);
  const header = new Header(view);
  const show = (shown: RunView | undefined): void => {
    tree.show(shown);
    header.show(shown);
  };
  show(run.view);
  return Disposable.from(
    tree,
    view,
    header,
    run.onDidChange(show),
    view.onDidChangeVisibility(({ visible }) => {
      tree.see(visible);
    }),
    commands.registerCommand('swarmwright.agents.hideFinished', () => {
      hide(true);
    }),
    commands.registerCommand('swarmwright.agents.showFinished', () => {
      hide(false);
    }),
    commands.registerCommand('swarmwright.copyTaskPath', async (node: AgentNode | undefined) => {
      const chosen = node ?? view.selection[0];
      if (chosen?.kind === 'task') await env.clipboard.writeText(chosen.path);
    }),
  );
}

/** What the view says besides its items: how far the run is, and on its badge what waits for the user. */
class Header implements Disposable {
  readonly #view: TreeView<AgentNode>;
  #listener: Disposable | undefined;

  constructor(view: TreeView<AgentNode>) {
    this.#view = view;
  }

  show(shown: RunView | undefined): void {
    this.#listener?.dispose();
    this.#listener = shown?.onDidChange(() => {
      this.#draw(shown);
    });
    this.#draw(shown);
  }

  #draw(shown: RunView | undefined): void {
    const description = shown && progressOf(shown);
    if (this.#view.description !== description) this.#set(description);
    const badge = shown && badgeOf(shown);
    if (this.#view.badge?.tooltip !== badge?.tooltip) this.#view.badge = badge;
  }

  #set(description: string | undefined): void {
    if (description === undefined) delete this.#view.description;
    else this.#view.description = description;
  }

  dispose(): void {
    this.#listener?.dispose();
  }
}

function progressOf({ state }: RunView): string {
  const { workers, workersDone } = state.counts;
  const progress = workers === 0 ? '' : l10n.t('{0} of {1} workers done', workersDone, workers);
  if (state.status !== 'running') return progress;
  return state.paused ? l10n.t('paused') : progress;
}

/** Counts what goes no further without the user. */
function badgeOf({ state, mode }: RunView): ViewBadge | undefined {
  const reason = waitsFor();
  return reason === undefined ? undefined : { value: 1, tooltip: reason };

  function waitsFor(): string | undefined {
    if (mode === 'following') return undefined;
    if (state.status === 'failed') return l10n.t('The run has failed and can be resumed');
    if (state.status === 'interrupted' || (state.status === 'running' && mode === 'open')) {
      return l10n.t('The run was stopped and can be resumed');
    }
    if (state.braked !== undefined && mode === 'open') return l10n.t('The run waits: {0}', state.braked);
    return undefined;
  }
}
