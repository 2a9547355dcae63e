import type { RunEvent, RunEventBody, RunOptions } from '#protocol/events.ts';
import { RunProjection } from '#protocol/projection.ts';
import type { Handoff, TaskPath, TaskSpec } from '#protocol/tasks.ts';
import { defaultCaps } from '#protocol/requests.ts';
import type { Conflict } from '#protocol/change-sets.ts';

type CreateChange = Partial<Omit<RunOptions, 'verify'>> & { readonly verify?: string | null };

/** Events of a run, made by hand for tests of what is shown. */
export class SampleRun {
  readonly events: RunEvent[] = [];
  readonly projection: RunProjection = new RunProjection();
  #time: number;
  #position = 1;
  #commits = 0;

  constructor(start = 1_000_000) {
    this.#time = start;
  }

  get time(): number {
    return this.#time;
  }

  wait(milliseconds: number): this {
    this.#time += milliseconds;
    return this;
  }

  add(...bodies: readonly RunEventBody[]): this {
    for (const body of bodies) {
      const event = { ...body, sequence: this.events.length + 1, time: this.#time };
      this.events.push(event);
      this.projection.apply(event);
    }
    return this;
  }

  /** Without `verify` when that is null. */
  create({ verify = 'node --test', ...change }: CreateChange = {}): this {
    return this.add(
      {
        type: 'run.created',
        options: {
          run: 'run',
          specPath: '/specs/shop.md',
          specTitle: 'A shop',
          workspace: '/home/shop',
          models: { planner: 'openai/large', worker: 'openai/small', resolver: 'openai/large' },
          caps: { ...defaultCaps, usd: 5, tokens: 1_000_000 },
          land: true,
          unsandboxed: false,
          ...(verify === null ? {} : { verify }),
          ...change,
        },
      },
      {
        type: 'vcs.committed',
        position: 1,
        commit: snapshot(0),
        task: '',
        role: 'harness',
        title: 'Import',
        paths: [],
        mergedPaths: [],
      },
      { type: 'run.imported', snapshot: snapshot(0), files: 0, leftOut: [] },
    );
  }

  task(task: TaskPath, role: 'planner' | 'worker', change: Partial<TaskSpec> = {}): this {
    return this.add({
      type: 'task.created',
      task,
      spec: {
        name: task.slice(task.lastIndexOf('/') + 1),
        role,
        goal: `Do ${task}`,
        scope: ['**'],
        shared: [],
        decides: [],
        acceptance: [],
        sections: [],
        dependsOn: [],
        ...change,
      },
    });
  }

  start(task: TaskPath, model = 'openai/small'): this {
    return this.add({ type: 'task.started', task, attempt: 1, epoch: 1, base: snapshot(0), model });
  }

  sleep(task: TaskPath): this {
    return this.add({ type: 'task.slept', task, wake: 'all' });
  }

  commit(task: TaskPath, title: string, mergedPaths: readonly string[] = [], resolves?: string): this {
    this.#position += 1;
    this.#commits += 1;
    return this.add({
      type: 'vcs.committed',
      position: this.#position,
      commit: snapshot(this.#commits),
      task,
      role: resolves === undefined ? 'worker' : 'resolver',
      title,
      paths: ['src/a.js', ...mergedPaths],
      mergedPaths,
      ...(resolves === undefined ? {} : { resolves }),
    });
  }

  park(
    task: TaskPath,
    parked: string,
    conflicts: readonly Conflict[],
    later: { readonly round?: number; readonly replaces?: string } = {},
  ): this {
    this.#position += 1;
    return this.add({
      type: 'vcs.parked',
      position: this.#position,
      parked,
      task,
      conflicts,
      round: 1,
      ...later,
    });
  }

  drop(parked: string, reason: string): this {
    this.#position += 1;
    return this.add({ type: 'vcs.dropped', position: this.#position, parked, reason });
  }

  verify(exitCode: number, tail = ''): this {
    const evidence = {
      snapshot: snapshot(this.#commits),
      command: 'node --test',
      exitCode,
      ended: 'exit',
      milliseconds: 1200,
      tail,
      environment: 'bubblewrap 0.8.0',
    } as const;
    return this.add({ type: exitCode === 0 ? 'verify.passed' : 'verify.failed', evidence });
  }

  end(task: TaskPath, summary: string, change: Partial<Handoff> = {}): this {
    return this.add({
      type: 'task.ended',
      task,
      state: change.status === 'failed' ? 'failed' : 'done',
      handoff: {
        status: 'done',
        summary,
        verification: 'unit-tests',
        deviations: [],
        findings: [],
        concerns: [],
        ...change,
      },
    });
  }
}

/** The id of the commit with this number. */
export function snapshot(number: number): string {
  return number.toString(16).padStart(8, '0').repeat(8);
}

export function sampleConflict(path: string, task: TaskPath, trunkTask: TaskPath): Conflict {
  return { path, kind: 'content', trunkTasks: [trunkTask], task };
}
