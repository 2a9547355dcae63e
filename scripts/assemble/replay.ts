import { z } from 'zod';
import { editExactly } from '#agents/tools/exact-edit.ts';
import { parseCallKey } from '#models/playbook/call-keys.ts';
import type { Playbook, PlaybookCall, PlaybookTurn } from '#models/playbook/playbook.ts';
import { parentTask } from '#protocol/tasks.ts';
import { AssemblyTrunk, sameFiles, type Files } from './trunk.ts';

/** A command that a worker runs, with the files that it sees. */
export interface ReplayedCommand {
  readonly key: string;
  readonly command: string;
  readonly files: Files;
  /** The exit code that the turn expects, when it expects one. */
  readonly exit: string | undefined;
}

export interface Assembly {
  readonly files: Files;
  readonly commands: readonly ReplayedCommand[];
  /** Accepted change sets of workers and resolvers; decisions are not among them. */
  readonly commits: number;
  readonly merges: number;
  readonly conflicts: number;
  readonly workers: number;
  readonly planners: number;
  /** What no run could get over, one line each. */
  readonly problems: readonly string[];
}

interface Agent {
  readonly task: string;
  readonly role: 'planner' | 'worker';
  base: Files;
  baseLength: number;
  readonly edits: Map<string, string | null>;
  nextTurn: number;
  state: 'running' | 'sleeping' | 'parked' | 'ended';
}

interface Waiting {
  readonly task: string;
  readonly role: 'planner' | 'worker';
  readonly needs: readonly string[];
}

const writtenPlan = z.object({
  tasks: z.array(
    z.object({
      name: z.string(),
      role: z.enum(['planner', 'worker']),
      depends_on: z.array(z.string()).default([]),
    }),
  ),
});

/** Chooses the turn that is played next: an index below `count`. */
type Choose = (count: number) => number;

/**
 * Plays a playbook on a tree in memory: starts, plans, edits, submits and resolutions, in an order that dependencies and
 * barriers allow. No model, no commands, no scopes: only what decides which files come out.
 */
class Replay {
  readonly #playbook: Playbook;
  readonly #choose: Choose;
  readonly #trunk = new AssemblyTrunk();
  readonly #agents = new Map<string, Agent>();
  readonly #facts = new Set<string>();
  readonly #commands: ReplayedCommand[] = [];
  readonly #problems: string[] = [];
  #waiting: Waiting[] = [{ task: 'root', role: 'planner', needs: [] }];

  constructor(playbook: Playbook, choose: Choose = () => 0) {
    this.#playbook = playbook;
    this.#choose = choose;
  }

  run(): Assembly {
    for (;;) {
      this.#startTasks();
      const playable = this.#playableTurns();
      const chosen = playable[this.#choose(playable.length)];
      if (chosen === undefined) break;
      this.#play(chosen);
    }
    const stuck = [...this.#agents.values()].filter((agent) => agent.state !== 'ended');
    for (const { task, role, nextTurn, state } of stuck) {
      this.#problems.push(`${task} is ${state} for ever; its next turn is '${role} ${task} 1 ${nextTurn}'`);
    }
    for (const { task, needs } of this.#waiting)
      this.#problems.push(`${task} never starts; it needs ${needs.join(', ')}`);
    const agents = [...this.#agents.values()];
    return {
      files: this.#trunk.files,
      commands: this.#commands,
      commits: this.#trunk.commits,
      merges: this.#trunk.merges,
      conflicts: this.#trunk.conflicts,
      workers: agents.filter((agent) => agent.role === 'worker').length,
      planners: agents.filter((agent) => agent.role === 'planner').length,
      problems: this.#problems,
    };
  }

  #startTasks(): void {
    const ready = this.#waiting.filter(({ needs }) =>
      needs.every((task) => this.#facts.has(`${task} ended`)),
    );
    this.#waiting = this.#waiting.filter((task) => !ready.includes(task));
    for (const { task, role } of ready) {
      const { files: base, length: baseLength } = this.#trunk;
      this.#agents.set(task, {
        task,
        role,
        base,
        baseLength,
        edits: new Map(),
        nextTurn: 1,
        state: 'running',
      });
      this.#facts.add(`${task} started`);
    }
  }

  #playableTurns(): PlaybookTurn[] {
    const keys = [...this.#agents.values()]
      .filter((agent) => agent.state === 'running')
      .map(({ role, task, nextTurn }) => `${role} ${task} 1 ${nextTurn}`);
    return [...keys, ...this.#trunk.resolverKeys()].flatMap((key) => {
      const turn = this.#playbook.turns.get(key);
      return turn?.after.every((fact) => this.#facts.has(fact)) === true ? [turn] : [];
    });
  }

  #play(turn: PlaybookTurn): void {
    const key = parseCallKey(turn.key);
    if (key?.kind === 'resolver') {
      for (const call of turn.calls) this.#resolve(turn.key, key.path, call);
      return;
    }
    const agent = this.#agents.get(key?.task ?? '');
    if (agent === undefined) return;
    agent.nextTurn += 1;
    for (const call of turn.calls) {
      const outcome = this.#call(turn.key, agent, call);
      if (outcome !== undefined) this.#compare(turn.key, call, outcome);
    }
  }

  /** The pairs of the result's first line, as far as a replay can know them. */
  #call(key: string, agent: Agent, call: PlaybookCall): Readonly<Record<string, string>> | undefined {
    const argument = (name: string): string => textOf(call.args[name]);
    switch (call.tool) {
      case 'edit_file':
        return this.#edit(agent, argument('path'), argument('old'), argument('new'));
      case 'write_file':
        agent.edits.set(argument('path'), argument('content'));
        return { outcome: 'written', path: argument('path') };
      case 'delete_file':
        agent.edits.set(argument('path'), null);
        return { outcome: 'deleted', path: argument('path') };
      case 'move_file':
        agent.edits.set(argument('to'), viewOf(agent).get(argument('from')) ?? '');
        agent.edits.set(argument('from'), null);
        return { outcome: 'moved', from: argument('from'), to: argument('to') };
      case 'run_command':
        this.#commands.push({
          key,
          command: argument('command'),
          files: viewOf(agent),
          exit: call.expect.get('exit'),
        });
        return undefined;
      case 'read_file': {
        const path = argument('path');
        // A planner has no view: it reads trunk.
        const files = agent.role === 'planner' ? this.#trunk.files : viewOf(agent);
        return files.has(path) ? { path } : { outcome: 'invalid', problem: `no such file: ${path}` };
      }
      case 'submit':
        return this.#submit(agent);
      case 'plan':
        return this.#plan(agent, call);
      case 'finish':
        return this.#finish(agent);
      case 'sync':
        this.#problems.push(`'${key}': a replay knows no sync`);
        return undefined;
      default:
        return undefined;
    }
  }

  #edit(agent: Agent, path: string, old: string, replacement: string): Readonly<Record<string, string>> {
    const before = viewOf(agent).get(path);
    if (before === undefined) return { outcome: 'invalid', problem: `no such file: ${path}` };
    const edit = editExactly(before, old, replacement);
    if (edit.kind === 'refused') return { outcome: 'invalid', problem: edit.problem };
    agent.edits.set(path, edit.text);
    return { outcome: 'edited', path };
  }

  #submit(agent: Agent): Readonly<Record<string, string>> {
    const outcome = this.#trunk.submit(agent.task, agent.base, agent.baseLength, agent.edits);
    agent.edits.clear();
    // After a conflict it goes on with its turns; that its set is parked counts once it has finished.
    if (outcome['outcome'] === 'conflicted') {
      this.#facts.add(`${agent.task} parked`);
      return outcome;
    }
    agent.base = this.#trunk.files;
    agent.baseLength = this.#trunk.length;
    this.#facts.add(`${agent.task} committed`);
    return outcome;
  }

  #plan(agent: Agent, call: PlaybookCall): Readonly<Record<string, string>> {
    const { tasks } = writtenPlan.parse(call.args);
    for (const { name, role, depends_on: dependsOn } of tasks) {
      const needs = dependsOn.map((sibling) => `${agent.task}/${sibling}`);
      this.#waiting.push({ task: `${agent.task}/${name}`, role, needs });
    }
    agent.state = 'sleeping';
    return { outcome: 'accepted', tasks: String(tasks.length) };
  }

  #finish(agent: Agent): Readonly<Record<string, string>> {
    const submitted = agent.edits.size === 0 ? 'nothing' : (this.#submit(agent)['outcome'] ?? '');
    if (this.#trunk.isParked(agent.task)) agent.state = 'parked';
    else this.#end(agent);
    return { outcome: 'finished', submitted };
  }

  #resolve(key: string, path: string, call: PlaybookCall): void {
    const { action, content } = call.args;
    const task = this.#trunk.resolve(key, path, action === 'write' ? textOf(content) : null);
    const agent = this.#agents.get(task ?? '');
    if (agent === undefined) return;
    this.#facts.add(`${agent.task} committed`);
    if (agent.state === 'parked') this.#end(agent);
  }

  #end(agent: Agent): void {
    agent.state = 'ended';
    this.#facts.add(`${agent.task} ended`);
    const planner = this.#agents.get(parentTask(agent.task) ?? '');
    if (planner?.state !== 'sleeping') return;
    const children = [...this.#agents.values(), ...this.#waiting].filter(
      ({ task }) => parentTask(task) === planner.task,
    );
    if (children.every(({ task }) => this.#facts.has(`${task} ended`))) planner.state = 'running';
  }

  #compare(key: string, call: PlaybookCall, outcome: Readonly<Record<string, string>>): void {
    const refused = outcome['outcome'] === 'invalid' && !call.expect.has('outcome');
    const differing = [...call.expect].filter(([name, value]) => name in outcome && outcome[name] !== value);
    if (!refused && differing.length === 0) return;
    const came = Object.entries(outcome).map(([name, value]) => `${name}=${value}`);
    this.#problems.push(`'${key}': ${call.tool} gave ${came.join(' ')}`);
  }
}

/** What the tools would refuse counts as empty here: the swarm's own checks name it better. */
function textOf(argument: unknown): string {
  return typeof argument === 'string' ? argument : '';
}

function viewOf(agent: Agent): Files {
  const view = new Map(agent.base);
  for (const [path, content] of agent.edits) {
    if (content === null) view.delete(path);
    else view.set(path, content);
  }
  return view;
}

/** Plays it once in its own order and `times` in others; a difference of what comes out is a problem. */
export function replayInManyOrders(playbook: Playbook, times: number, next: () => number): Assembly {
  const first = new Replay(playbook).run();
  const problems = new Set(first.problems);
  for (let round = 0; round < times; round += 1) {
    const other = new Replay(playbook, (count) => Math.floor(next() * count)).run();
    for (const problem of other.problems) problems.add(problem);
    if (!sameFiles(first.files, other.files))
      problems.add('other files come out in another order of the turns');
  }
  return { ...first, problems: [...problems] };
}
