import type { Conflict } from '#protocol/change-sets.ts';
import type { Dollars, Evidence, LandedFile, RunEvent } from '#protocol/events.ts';
import type { Handoff } from '#protocol/tasks.ts';
import { counted, cutToWidth, dollars, duration, oneLine, safeLines, shortHash, tokenCount } from './text.ts';
import { waitingReason } from './waiting-reason.ts';

/** How an event reads in a log. `always`: told while a run goes on; the others only by `log --events`. */
export interface EventLine {
  readonly always: boolean;
  /** One word. */
  readonly label: string;
  readonly text: string;
}

type EventOf<Area extends string> = Extract<RunEvent, { type: `${Area}.${string}` }>;

/** One line for the event; foreign text in it is made safe. */
export function eventLine(event: RunEvent): EventLine {
  switch (event.type) {
    case 'run.created':
    case 'run.resumed':
    case 'run.imported':
    case 'run.braked':
    case 'run.paused':
    case 'run.continued':
    case 'run.ended':
      return runLine(event);
    case 'task.created':
    case 'task.started':
    case 'task.slept':
    case 'task.woke':
    case 'task.parked':
    case 'task.retried':
    case 'task.ended':
      return taskLine(event);
    case 'decision.recorded': {
      const { question, revision, choice, owner } = event.decision;
      return always('decided', `${question}@${revision} by ${owner}: ${oneLine(choice)}`);
    }
    case 'vcs.committed':
    case 'vcs.parked':
    case 'vcs.rejected':
    case 'vcs.dropped':
    case 'vcs.fenced':
      return vcsLine(event);
    case 'call.reserved':
    case 'call.settled':
    case 'call.lost':
    case 'call.released':
      return callLine(event);
    case 'command.ran': {
      const { task, command, exitCode, milliseconds, rerun } = event;
      const end = exitCode === null ? 'was ended' : `exit ${exitCode}`;
      const again = rerun ? ', run again after a resume' : '';
      return quiet('ran', `${task}: ${oneLine(command)} (${end}, ${duration(milliseconds)}${again})`);
    }
    case 'verify.passed':
      return always('green', `${shortHash(event.evidence.snapshot)}: ${verification(event.evidence)}`);
    case 'verify.failed':
      return always('not green', `${shortHash(event.evidence.snapshot)}: ${verification(event.evidence)}`);
    case 'landing.started':
    case 'landing.file':
    case 'landing.ended':
    case 'landing.offered':
    case 'landing.refreshed':
    case 'landing.proposed':
    case 'landing.viewed':
    case 'landing.intended':
    case 'landing.decided':
      return landingLine(event);
    default:
      event satisfies never;
      return always('unknown', 'an event that this version does not know');
  }
}

function always(label: string, text: string): EventLine {
  return { always: true, label, text };
}

function quiet(label: string, text: string): EventLine {
  return { always: false, label, text };
}

function runLine(event: EventOf<'run'>): EventLine {
  switch (event.type) {
    case 'run.created':
      return always('run', `${oneLine(event.options.specTitle)} in ${oneLine(event.options.workspace)}`);
    case 'run.resumed': {
      const lost = event.lostCalls.length;
      const calls = lost === 0 ? '' : `; cut off and made again: ${counted(lost, 'model call')}`;
      return always('resumed', `${event.notes.map(oneLine).join('; ') || 'nothing was lost'}${calls}`);
    }
    case 'run.imported': {
      const left = event.leftOut.length === 0 ? '' : `, ${event.leftOut.length} left out`;
      return always('imported', `${counted(event.files, 'file')} of the workspace${left}`);
    }
    case 'run.braked':
      return always('braked', oneLine(event.reason));
    case 'run.paused':
      return always('paused', 'no model call is begun');
    case 'run.continued':
      return always('continued', '');
    case 'run.ended':
      return always(event.status, event.reasons.map(oneLine).join('; '));
    default:
      event satisfies never;
      return quiet('run', '');
  }
}

function taskLine(event: EventOf<'task'>): EventLine {
  const { task } = event;
  switch (event.type) {
    case 'task.created':
      return quiet('planned', `${task} (${event.spec.role}): ${oneLine(event.spec.goal)}`);
    case 'task.started': {
      const attempt = event.attempt > 1 ? `, attempt ${event.attempt}` : '';
      return always('started', `${task} (${oneLine(event.model)}${attempt})`);
    }
    case 'task.slept':
      return quiet('waits', `${task} for its tasks`);
    case 'task.woke':
      return quiet(
        'woke',
        `${task}${event.handoffs.length === 0 ? '' : ` for ${event.handoffs.join(', ')}`}`,
      );
    case 'task.parked':
      return quiet('parked', `${task} is finished, its change set waits off trunk`);
    case 'task.retried':
      return always('retried', `${task} (${event.mode}): ${oneLine(event.details)}`);
    case 'task.ended':
      return always(event.state, `${task}: ${handoffText(event.handoff)}`);
    default:
      event satisfies never;
      return quiet('task', '');
  }
}

/** What a handoff says, in one line. */
export function handoffText(handoff: Handoff): string {
  const cut = handoff.synthetic === undefined ? '' : `ended by the harness (${handoff.synthetic}): `;
  return `${cut}${oneLine(handoff.summary)}`;
}

function vcsLine(event: EventOf<'vcs'>): EventLine {
  const { position } = event;
  switch (event.type) {
    case 'vcs.committed': {
      const { task, title, paths, mergedPaths, resolves } = event;
      const merged = mergedPaths.length === 0 ? '' : `; merged with others' edits: ${somePaths(mergedPaths)}`;
      const text = `${task}: ${oneLine(title)} (${counted(paths.length, 'file')}${merged})`;
      // The log begins with the import, which has an event of its own.
      if (position === 1) return quiet('import', text);
      if (resolves !== undefined) return always('resolved', text);
      return always(mergedPaths.length === 0 ? 'commit' : 'merge', text);
    }
    case 'vcs.parked': {
      const round = event.round > 1 ? `, round ${event.round}` : '';
      if (event.conflicts.length === 0) return always('held', `${event.task}: its paths are frozen`);
      return always('conflict', `${event.task}: ${event.conflicts.map(conflictText).join('; ')}${round}`);
    }
    case 'vcs.rejected':
      return quiet('rejected', `${event.task} (${oneLine(event.code)}): ${oneLine(event.details)}`);
    case 'vcs.dropped':
      return always('dropped', `the change set ${oneLine(event.parked)}: ${oneLine(event.reason)}`);
    case 'vcs.fenced':
      return quiet('fenced', `${event.task}, epoch ${event.epoch} (log record ${position})`);
    default:
      event satisfies never;
      return quiet('log', '');
  }
}

/** Which file, how, and against whom. */
export function conflictText(conflict: Conflict): string {
  const against = conflict.trunkTasks.length === 0 ? '' : ` against ${conflict.trunkTasks.join(', ')}`;
  return `${oneLine(conflict.path)} (${conflict.kind})${against}`;
}

function somePaths(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map(oneLine).join(', ');
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}

function callPrice(usd: Dollars): string {
  return usd === null ? 'price unknown' : dollars(usd);
}

function callLine(event: EventOf<'call'>): EventLine {
  const key = oneLine(event.key);
  switch (event.type) {
    case 'call.reserved':
      return quiet('reserved', `${key}: at most ${tokenCount(event.tokens)} tokens, ${callPrice(event.usd)}`);
    case 'call.settled': {
      const { inputTokens, cachedInputTokens, outputTokens } = event.usage;
      const cached = cachedInputTokens === 0 ? '' : ` (${tokenCount(cachedInputTokens)} cached)`;
      const tokens = `${tokenCount(inputTokens)}${cached} in, ${tokenCount(outputTokens)} out`;
      return quiet('settled', `${key}: ${tokens}, ${callPrice(event.usd)}, ${oneLine(event.model)}`);
    }
    case 'call.lost':
      return quiet('lost', `${key}: ${oneLine(event.reason)}; its upper bound stays booked`);
    case 'call.released':
      return quiet('released', `${key}: ${oneLine(event.reason)}`);
    default:
      event satisfies never;
      return quiet('call', '');
  }
}

/** What was executed, and how it ended. */
export function verification(evidence: Evidence): string {
  const took = duration(evidence.milliseconds);
  const command = oneLine(evidence.command);
  switch (evidence.ended) {
    case 'exit':
      return `\`${command}\` ended with ${evidence.exitCode ?? '?'} in ${took}`;
    case 'signal':
      return `\`${command}\` was ended by a signal after ${took}`;
    case 'time-limit':
      return `\`${command}\` did not end within ${took}`;
    case 'output-limit':
      return `\`${command}\` wrote more than a command may, and was ended after ${took}`;
    case 'not-started':
      return `\`${command}\` could not be started`;
    default:
      evidence.ended satisfies never;
      return command;
  }
}

const tailLines = 20;
const tailColumns = 160;

/** The end of what a verification wrote that has failed, for below its line; none for other events. */
export function outputLines(event: RunEvent): string[] {
  if (event.type !== 'verify.failed') return [];
  const lines = safeLines(event.evidence.tail.trimEnd());
  const shown = lines.slice(-tailLines).map((line) => cutToWidth(line, tailColumns));
  const cut = lines.length > shown.length ? [`… ${counted(lines.length - shown.length, 'line')} before`] : [];
  return shown.join('') === '' ? [] : [...cut, ...shown];
}

function landingLine(event: EventOf<'landing'>): EventLine {
  switch (event.type) {
    case 'landing.started': {
      const state = event.verified ? 'green' : 'unverified';
      return always('landing', `${shortHash(event.snapshot)} (${state}), ${counted(event.paths, 'file')}`);
    }
    case 'landing.file':
      return landedLine(event.file);
    case 'landing.ended': {
      const waits = event.waiting === 0 ? '' : `, ${event.waiting} waiting`;
      return always('landed', `${counted(event.landed, 'path')} settled${waits}`);
    }
    case 'landing.offered':
    case 'landing.refreshed': {
      const state = event.verified ? 'green' : 'unverified';
      return quiet('offers', `${shortHash(event.green)} (${state}) for review`);
    }
    case 'landing.decided':
      return quiet(event.outcome, oneLine(event.path));
    case 'landing.proposed':
    case 'landing.viewed':
    case 'landing.intended':
      return quiet(event.type.slice('landing.'.length), oneLine(event.path));
    default:
      event satisfies never;
      return quiet('landing', '');
  }
}

function landedLine(file: LandedFile): EventLine {
  const path = oneLine(file.path);
  if (file.result === 'waits') return always('waits', `${path}: ${oneLine(waitingReason(file))}`);
  if (file.result === 'kept') return always('kept', `${path}: yours differs from what was built`);
  return quiet(file.result, path);
}
