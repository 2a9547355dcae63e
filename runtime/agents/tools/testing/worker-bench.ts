import { ManualClock } from '#edges/clock.ts';
import type { FileMode, SubmitOutcome } from '#protocol/change-sets.ts';
import type { Handoff, Provenance, TaskPath } from '#protocol/tasks.ts';
import type { CommandResult } from '#sandbox/command-runner.ts';
import { SpecError } from '#spec/errors.ts';
import type { Specification } from '#spec/specification.ts';
import { MemoryLogStore } from '#vcs/memory-log-store.ts';
import { createRepository } from '#vcs/open-repository.ts';
import type { Repository, SyncResult, View } from '#vcs/repository.ts';
import type { SourceFile } from '#vcs/workspace-import.ts';
import type { WorkerContext } from '../context.ts';
import { runToolCall } from '../tool.ts';
import { workerTools } from '../toolsets.ts';

/** A file's text or bytes, or what else it is. */
export type BenchFile = string | Uint8Array | { readonly mode: FileMode; readonly content: string };

/** A worker on a real repository in memory: its tools, and what they did to its view. */
export class WorkerBench implements WorkerContext {
  readonly repository: Repository;
  readonly view: View;
  readonly scope: readonly string[];
  readonly spec: Specification = shortSpecification;
  /** What the next command gives. */
  command: CommandResult = {
    exitCode: 0,
    ended: 'exit',
    output: '',
    milliseconds: 3,
    changed: [],
    environment: 'bench',
  };
  /** Paths with parked work of others. */
  readonly notes: Map<string, string> = new Map();
  handoff: Handoff | undefined;
  readonly #task: TaskPath;
  #submits = 0;

  private constructor(repository: Repository, task: TaskPath, scope: readonly string[]) {
    this.repository = repository;
    this.view = repository.openView(repository.head().id);
    this.scope = scope;
    this.#task = task;
  }

  static async open(
    files: Readonly<Record<string, BenchFile>>,
    scope: readonly string[] = ['**'],
  ): Promise<WorkerBench> {
    const source = Object.entries(files).map(([path, file]) => toSource(path, file));
    const options = { logStore: new MemoryLogStore(), clock: new ManualClock() };
    const { repository } = await createRepository(
      options,
      { files: () => yieldAll(source) },
      provenance('root', ''),
    );
    return new WorkerBench(repository, 'root/one', scope);
  }

  async sync(): Promise<SyncResult> {
    return this.view.sync();
  }

  get tree(): View {
    return this.view;
  }

  /** Another worker on the same trunk. */
  other(scope: readonly string[] = ['**']): WorkerBench {
    return new WorkerBench(this.repository, 'root/two', scope);
  }

  note(path: string): string | undefined {
    return this.notes.get(path);
  }

  async runCommand(): Promise<CommandResult> {
    return this.command;
  }

  async submit(title: string, breakageReason: string | undefined): Promise<SubmitOutcome> {
    this.#submits += 1;
    const outcome = await this.repository.submit({
      id: { task: this.#task, epoch: 1, turn: this.#submits, call: 0 },
      changeSet: this.view.changeSet(),
      scope: this.scope,
      intent: breakageReason === undefined ? { kind: 'work' } : { kind: 'breakage', reason: breakageReason },
      provenance: provenance(this.#task, title),
    });
    if (outcome.kind === 'committed' || outcome.kind === 'merged') this.view.advance(outcome.commit);
    return outcome;
  }

  async finish(handoff: Handoff, title?: string): Promise<SubmitOutcome | 'nothing'> {
    const outcome =
      this.view.edits().length === 0 ? 'nothing' : await this.submit(title ?? handoff.summary, undefined);
    if (outcome === 'nothing' || outcome.kind !== 'rejected') this.handoff = handoff;
    return outcome;
  }

  /** Calls a tool as a model would; the text of its result. */
  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return (await this.callFully(name, args)).text;
  }

  async callFully(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<{ readonly text: string; readonly ends?: boolean }> {
    const call = { id: '1', name, args: JSON.stringify(args) };
    return runToolCall(workerTools, call, this, new AbortController().signal);
  }

  /** The bytes of a file, read as Latin-1, so that each byte shows. */
  async bytes(path: string): Promise<string> {
    return Buffer.from(await this.view.read(path)).toString('latin1');
  }
}

const sections: Readonly<Record<string, string>> = {
  select: '# SELECT\n\nRows of a table.\n\n## WHERE\n\nKeeps the rows for which it is true.\n',
  'select/where': '## WHERE\n\nKeeps the rows for which it is true.\n',
};

const shortSpecification: Specification = {
  title: 'MiniSQL',
  outline: [
    { id: 'select', title: 'SELECT', level: 1, document: 'spec.md', firstLine: 1, lastLine: 7 },
    { id: 'select/where', title: 'WHERE', level: 2, document: 'spec.md', firstLine: 5, lastLine: 7 },
  ],
  read(id) {
    const text = sections[id];
    if (text === undefined) throw new SpecError('no-such-section', `no section ${id}; near: select`);
    return text;
  },
  search: (query) =>
    query === 'rows' ? [{ section: 'select', document: 'spec.md', line: 3, text: 'Rows of a table.' }] : [],
};

function provenance(task: TaskPath, title: string): Provenance {
  return { run: 'bench', task, attempt: 1, role: 'worker', model: 'bench/none', decisions: [], title };
}

function toSource(path: string, file: BenchFile): SourceFile {
  if (typeof file === 'string') return { path, mode: 'file', content: Buffer.from(file) };
  if (file instanceof Uint8Array) return { path, mode: 'file', content: file };
  return { path, mode: file.mode, content: Buffer.from(file.content) };
}

async function* yieldAll(files: readonly SourceFile[]): AsyncGenerator<SourceFile> {
  yield* files;
}
