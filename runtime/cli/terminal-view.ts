import { styleText } from 'node:util';
import type { Role, TaskPath, TaskState } from '#protocol/tasks.ts';
import { taskDepth } from '#protocol/tasks.ts';
import { isDriven, shownState, type ShownTaskState } from '#protocol/shown-state.ts';
import type { TaskNode } from '#protocol/projection-tasks.ts';
import type { RunState } from '#protocol/projection.ts';
import { conflictText, handoffText, verification } from './event-lines.ts';
import {
  counted,
  cutToWidth,
  dollars,
  duration,
  oneLine,
  padToWidth,
  shortHash,
  spent,
  textWidth,
  tokenCount,
} from './text.ts';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
}

/** Milliseconds since the Unix epoch. */
export interface ScreenTimes {
  readonly now: number;
  /** Of the newest event. */
  readonly lastEvent?: number | undefined;
  /** When green last moved; unknown when that was in an earlier session. */
  readonly green?: number | undefined;
  /** The events say that it runs, and no process does. */
  readonly cutOff?: boolean;
}

type Style = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow';
type Paint = (style: Style, text: string) => string;

const symbols: Readonly<Record<ShownTaskState, readonly [symbol: string, style: Style]>> = {
  waiting: ['·', 'dim'],
  running: ['●', 'cyan'],
  sleeping: ['◦', 'cyan'],
  interrupted: ['‖', 'dim'],
  parked: ['!', 'yellow'],
  done: ['✓', 'green'],
  failed: ['✗', 'red'],
  cancelled: ['–', 'dim'],
};

/** The order in which tasks get a row when not all fit: what moves or needs attention first. */
const frontier: readonly TaskState[] = [
  'running',
  'parked',
  'failed',
  'sleeping',
  'waiting',
  'done',
  'cancelled',
];

/** The run as lines that fit the terminal, one row of which is left for the cursor. Pure. */
export function renderScreen(state: RunState, size: ScreenSize, times: ScreenTimes): string[] {
  const paint: Paint = size.colour
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
  const header = headerLines(state, times, paint, size.columns);
  const rows = Math.max(0, size.rows - 1);
  const space = rows - header.length - 1;
  const tree =
    space < 1
      ? []
      : ['', ...treeLines(state, { space, columns: size.columns, isDriven: isLive(state, times) }, paint)];
  return [...header, ...tree].slice(0, rows);
}

/** What every surface says when turns are scripted; undefined when a model is asked for each role. */
export function playbookNotice(models: Readonly<Record<Role, string>> | undefined): string | undefined {
  const roles = Object.entries(models ?? {});
  const scripted = roles.filter(([, model]) => model.startsWith('playbook/')).map(([role]) => role);
  if (scripted.length === 0) return undefined;
  if (scripted.length === roles.length) return 'playbook model: scripted turns, no model is asked';
  return `playbook model for ${scripted.join(' and ')}: scripted turns, no model is asked there`;
}

function headerLines(state: RunState, times: ScreenTimes, paint: Paint, columns: number): string[] {
  const title = oneLine(state.options?.specTitle ?? '');
  const notice = playbookNotice(state.options?.models);
  const lines: (readonly [label: string, text: string, style?: Style])[] = [
    ['run', `${title === '' ? '' : `${title} · `}${runText(state, times)}`, 'bold'],
    ...(notice === undefined ? [] : [['models', notice, 'yellow'] as const]),
    ['agents', agentsText(state, isLive(state, times))],
    ['trunk', trunkText(state)],
    ['spend', spendText(state)],
    ['green', greenText(state, times), greenStyle(state)],
    ...(state.braked === undefined ? [] : [['braked', oneLine(state.braked), 'yellow'] as const]),
  ];
  return lines.map(([label, text, style]) => {
    const shown = cutToWidth(text, columns - 8);
    return `${paint('dim', label.padEnd(8))}${style === undefined ? shown : paint(style, shown)}`;
  });
}

function isLive(state: RunState, times: ScreenTimes): boolean {
  return isDriven(state, times.cutOff !== true);
}

function runText(state: RunState, times: ScreenTimes): string {
  const silent = times.lastEvent === undefined ? 0 : Math.max(0, times.now - times.lastEvent);
  const worked = state.workedMilliseconds + (isLive(state, times) ? silent : 0);
  const cap = state.options?.caps.minutes;
  return `${times.cutOff === true ? 'cut off' : state.status}, ${duration(worked)}${cap === undefined ? '' : ` of ${duration(cap * 60_000)}`}`;
}

function agentsText(state: RunState, isRunDriven: boolean): string {
  const working = state.tasksIn('running').size;
  const live = isRunDriven ? working : 0;
  const slots = state.options?.caps.concurrency;
  const parts = [`${live}${slots === undefined ? '' : ` of ${slots}`} live`];
  const interrupted = working + state.tasksIn('sleeping').size;
  if (!isRunDriven && interrupted > 0) parts.push(`${interrupted} interrupted`);
  const shown: readonly (readonly [TaskState, string])[] = [
    ...(isRunDriven ? [['sleeping', 'waiting for children'] as const] : []),
    ['done', 'done'],
    ['parked', 'parked'],
    ['failed', 'failed'],
  ];
  for (const [name, text] of shown) {
    const { size } = state.tasksIn(name);
    if (size > 0) parts.push(`${size} ${text}`);
  }
  parts.push(counted(state.tasks.size, 'task'));
  return parts.join(' · ');
}

function trunkText(state: RunState): string {
  const { commits, merges, conflicts } = state.counts;
  const texts = [counted(commits, 'commit'), counted(merges, 'merge')];
  if (conflicts.raised === 0) return [...texts, 'no conflicts'].join(' · ');
  const ends = [`${conflicts.resolved} resolved`];
  if (conflicts.dropped > 0) ends.push(`${conflicts.dropped} dropped`);
  ends.push(`${conflicts.open} open`);
  return [...texts, `${counted(conflicts.raised, 'conflict')} (${ends.join(', ')})`].join(' · ');
}

function spendText(state: RunState): string {
  const { booked } = state.ledger;
  const caps = state.options?.caps;
  const money = `${spent(booked)}${caps?.usd === undefined ? '' : ` of ${dollars(caps.usd)}`}`;
  const limit = caps?.tokens === undefined ? '' : ` of ${tokenCount(caps.tokens)}`;
  return `${money} · ${tokenCount(booked.tokens)}${limit} tokens`;
}

function greenText(state: RunState, times: ScreenTimes): string {
  const { green, head, lastVerification } = state;
  if (state.options?.verify === undefined) return 'no verify command: what is built stays unverified';
  const failed =
    lastVerification !== undefined && !(lastVerification.ended === 'exit' && lastVerification.exitCode === 0)
      ? verification(lastVerification)
      : undefined;
  if (green === undefined) return failed === undefined ? 'none yet' : `none yet: ${failed}`;
  const age = times.green === undefined ? '' : `, ${duration(times.now - times.green)} ago`;
  const behind =
    head === undefined || green.sequence === undefined ? 0 : Math.max(0, head.sequence - green.sequence);
  const distance = behind === 0 ? 'at the head' : `${counted(behind, 'commit')} behind the head`;
  return `${shortHash(green.snapshot)}${age}, ${distance}${failed === undefined ? '' : `; ${failed}`}`;
}

function greenStyle(state: RunState): Style {
  if (state.green === undefined) return 'dim';
  return state.green.snapshot === state.head?.snapshot ? 'green' : 'yellow';
}

interface TreePlace {
  /** Rows and columns that the tree may take. */
  readonly space: number;
  readonly columns: number;
  /** Somebody works on the run. */
  readonly isDriven: boolean;
}

function treeLines(state: RunState, place: TreePlace, paint: Paint): string[] {
  const { space, columns } = place;
  const fits = state.tasks.size <= space;
  const chosen = fits ? new Set(state.tasks.keys()) : chooseTasks(state, space - 1);
  const nodes = inTreeOrder(state, chosen);
  const names = nodes.map((node) => `${'  '.repeat(taskDepth(node.path))}${nameOf(node)}`);
  const width = Math.min(Math.floor(columns * 0.4), Math.max(0, ...names.map(textWidth)));
  const lines = nodes.map((node, index) =>
    taskLine(state, node, names[index] ?? '', { ...place, width }, paint),
  );
  if (fits) return lines;
  return [...lines, paint('dim', cutToWidth(moreText(state, chosen, place.isDriven), columns))];
}

/** The liveliest tasks with the tasks above them, so that each row has its place in the tree. */
function chooseTasks(state: RunState, space: number): Set<TaskPath> {
  const chosen = new Set<TaskPath>();
  for (const name of frontier) {
    for (const path of state.tasksIn(name)) {
      if (chosen.size >= space) return chosen;
      const chain = [];
      for (let at: TaskPath | undefined = path; at !== undefined && !chosen.has(at);) {
        chain.push(at);
        at = state.task(at).parent;
      }
      if (chosen.size + chain.length <= space) for (const each of chain) chosen.add(each);
    }
  }
  return chosen;
}

function inTreeOrder(state: RunState, chosen: ReadonlySet<TaskPath>): TaskNode[] {
  const nodes: TaskNode[] = [];
  const stack: TaskPath[] = chosen.has('root') ? ['root'] : [];
  for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
    const node = state.task(path);
    nodes.push(node);
    stack.push(...node.children.filter((child) => chosen.has(child)).toReversed());
  }
  return nodes;
}

function moreText(state: RunState, chosen: ReadonlySet<TaskPath>, isRunDriven: boolean): string {
  const counts = new Map<ShownTaskState, number>();
  for (const name of frontier) {
    const shown = shownState(name, isRunDriven);
    for (const path of state.tasksIn(name)) {
      if (!chosen.has(path)) counts.set(shown, (counts.get(shown) ?? 0) + 1);
    }
  }
  const hidden = [...counts].map(([name, count]) => `${count} ${name}`);
  return `… ${state.tasks.size - chosen.size} more: ${hidden.join(', ')}`;
}

function nameOf(node: TaskNode): string {
  return oneLine(node.path.slice(node.path.lastIndexOf('/') + 1));
}

function taskLine(
  state: RunState,
  node: TaskNode,
  name: string,
  { width, columns, isDriven: isRunDriven }: TreePlace & { readonly width: number },
  paint: Paint,
): string {
  const [symbol, style] = symbols[shownState(node.state, isRunDriven)];
  const indent = name.length - name.trimStart().length;
  const shown = padToWidth(cutToWidth(name.slice(indent), width - indent), width - indent);
  const start = `${' '.repeat(indent)}${paint(style, symbol)} ${shown}`;
  const rest = `  ${node.spec.role.padEnd(7)}  ${taskText(state, node, isRunDriven)}`;
  return `${start}${paint('dim', cutToWidth(rest, columns - width - 2))}`;
}

function taskText(state: RunState, node: TaskNode, isRunDriven: boolean): string {
  const parked = state.openParkedOf(node.path);
  if (parked !== undefined && node.state !== 'failed') {
    if (parked.conflicts.length === 0) return 'held: its paths are frozen';
    const resolver = isRunDriven && node.lastRole === 'resolver' ? ' · resolver at work' : '';
    return `conflict: ${parked.conflicts.map(conflictText).join(', ')}${resolver}`;
  }
  const shown = shownState(node.state, isRunDriven);
  switch (shown) {
    case 'waiting': {
      const { dependsOn } = node.spec;
      return dependsOn.length === 0 ? 'waits' : `waits for ${dependsOn.map(oneLine).join(', ')}`;
    }
    case 'running':
      return [oneLine(node.model ?? ''), attemptText(node), commitText(node)]
        .filter((text) => text !== '')
        .join(' · ');
    case 'sleeping':
      return `waits for ${counted(node.unfinishedChildren, 'task')}`;
    case 'interrupted':
      return ['interrupted', attemptText(node), commitText(node)].filter((text) => text !== '').join(' · ');
    case 'parked':
      return 'its change set waits off trunk';
    case 'done':
    case 'failed':
    case 'cancelled':
      return node.handoff === undefined ? shown : handoffText(node.handoff);
    default:
      shown satisfies never;
      return '';
  }
}

function attemptText(node: TaskNode): string {
  return node.attempt > 1 ? `attempt ${node.attempt}` : '';
}

function commitText(node: TaskNode): string {
  return node.commits === 0 ? '' : counted(node.commits, 'commit');
}
