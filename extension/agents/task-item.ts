import { env, l10n, MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { TaskNode } from '#protocol/projection-tasks.ts';
import type { RunState } from '#protocol/projection.ts';
import { shownState, type ShownTaskState } from '#protocol/shown-state.ts';
import type { Role } from '#protocol/tasks.ts';
import { spendText } from '../spend-text.ts';

/** Text of models in a tooltip is cut here: a hover is no place to read a page. */
const tooltipText = 600;

function stateWord(node: TaskNode, isDriven: boolean): string {
  if (isDriven && node.lastRole === 'resolver' && node.state === 'parked') {
    return l10n.t('conflict being resolved');
  }
  const state = shownState(node.state, isDriven);
  switch (state) {
    case 'waiting':
      return node.attempt > 1 ? l10n.t('starts again') : l10n.t('waiting');
    case 'running':
      return l10n.t('working');
    case 'sleeping':
      return l10n.t('waits for its tasks');
    case 'interrupted':
      return l10n.t('interrupted');
    case 'parked':
      return l10n.t('parked');
    case 'done':
      return l10n.t('done');
    case 'failed':
      return l10n.t('failed');
    case 'cancelled':
      return l10n.t('cancelled');
    default:
      return state satisfies never;
  }
}

function roleWord(role: Role): string {
  switch (role) {
    case 'planner':
      return l10n.t('planner');
    case 'worker':
      return l10n.t('worker');
    case 'resolver':
      return l10n.t('resolver');
    default:
      return role satisfies never;
  }
}

const roleIcons: Readonly<Record<Role, string>> = {
  planner: 'type-hierarchy-sub',
  worker: 'tools',
  resolver: 'git-merge',
};

/** While it is open the icon tells the role, once it has ended how: the colour never says it alone. */
const stateIcons: Readonly<Record<ShownTaskState, { readonly icon?: string; readonly color: string }>> = {
  waiting: { color: 'disabledForeground' },
  running: { color: 'charts.blue' },
  sleeping: { color: 'descriptionForeground' },
  interrupted: { color: 'disabledForeground' },
  parked: { icon: 'git-pull-request-draft', color: 'charts.orange' },
  done: { icon: 'pass', color: 'testing.iconPassed' },
  failed: { icon: 'error', color: 'testing.iconFailed' },
  cancelled: { icon: 'circle-slash', color: 'testing.iconSkipped' },
};

function iconOf(node: TaskNode, isDriven: boolean): ThemeIcon {
  const { icon, color } = stateIcons[shownState(node.state, isDriven)];
  const role =
    isDriven && node.state === 'parked' && node.lastRole === 'resolver' ? 'resolver' : node.spec.role;
  const shown = icon === undefined || role === 'resolver' ? roleIcons[role] : icon;
  return new ThemeIcon(shown, new ThemeColor(color));
}

/** The part of `provider/name` that tells models apart. */
function modelName(model: string | undefined): string {
  return model?.slice(model.indexOf('/') + 1) ?? '';
}

export interface TaskItemOptions {
  /** Tells runs apart: an item of another run is another item. */
  readonly run: string;
  readonly title: string;
  readonly isFinished: boolean;
  /** Somebody works on the run. */
  readonly isDriven: boolean;
}

/** A task as the tree shows it. Its tooltip is made when it is asked for. */
export function taskItem(
  node: TaskNode,
  state: RunState,
  { run, title, isFinished, isDriven }: TaskItemOptions,
): TreeItem {
  const item = new TreeItem(title, collapsibleState(node, isFinished));
  item.id = `${run}:${node.path}`;
  item.iconPath = iconOf(node, isDriven);
  const spend = spendText(state.ledger.subtree(node.path), env.language, (tokens) =>
    l10n.t('{0} tokens', tokens),
  );
  const facts = [stateWord(node, isDriven), modelName(node.model), spend].filter((part) => part !== '');
  item.description = facts.join(' · ');
  item.accessibilityInformation = { label: [title, roleWord(node.spec.role), ...facts].join(', ') };
  const isStarted = node.attempt > 0 && node.model !== undefined;
  if (isStarted) {
    item.command = {
      command: 'swarmwright.openTranscript',
      title: l10n.t('Open Transcript'),
      // The newest agent's: who looks through the tree by keys is asked nothing, and stays there.
      arguments: [node.path, node.attempt, { preserveFocus: true }],
    };
  }
  item.contextValue = [
    'task',
    ...(isStarted ? ['started'] : []),
    ...(node.commits > 0 ? ['committed'] : []),
  ].join(' ');
  return item;
}

/**
 * At first sight the frontier is open and what is finished is closed, below the root; from then on it is the user's, as VS Code keeps
 * what an item once was. A planner can always get children, so it is never a leaf while it works.
 */
function collapsibleState(node: TaskNode, isFinished: boolean): TreeItemCollapsibleState {
  if (node.spec.role === 'worker') return TreeItemCollapsibleState.None;
  if (!isFinished || node.parent === undefined) return TreeItemCollapsibleState.Expanded;
  return node.children.length > 0 ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None;
}

/** What models wrote goes in as text, never as Markdown. */
export function taskTooltip(node: TaskNode, state: RunState, isDriven: boolean): MarkdownString {
  const tooltip = new MarkdownString();
  const add = (name: string, text: string): void => {
    if (text === '') return;
    if (tooltip.value !== '') tooltip.appendMarkdown('\n\n');
    tooltip.appendText(`${name}: ${cut(text)}`);
  };
  const { spec, handoff, failure, commits, conflicts, attempt } = node;
  add(l10n.t('Task'), `${node.path} (${roleWord(spec.role)}, ${stateWord(node, isDriven)})`);
  add(l10n.t('Goal'), spec.goal);
  add(l10n.t('Scope'), [...spec.scope, ...spec.shared].join(', '));
  add(l10n.t('Model'), node.model ?? '');
  const { calls, usage } = state.ledger.subtree(node.path);
  const number = new Intl.NumberFormat(env.language);
  const tokens = number.format(usage.inputTokens + usage.outputTokens);
  if (calls > 0) add(l10n.t('Calls'), l10n.t('{0}, {1} tokens', number.format(calls), tokens));
  if (commits > 0) add(l10n.t('Commits'), number.format(commits));
  if (conflicts > 0) add(l10n.t('Conflicts'), number.format(conflicts));
  if (attempt > 1 && failure) add(l10n.t('Attempt'), `${attempt} (${failure.mode}: ${failure.details})`);
  if (handoff) add(l10n.t('Handoff'), handoff.summary);
  return tooltip;
}

function cut(text: string): string {
  return text.length > tooltipText ? `${text.slice(0, tooltipText)}…` : text;
}
