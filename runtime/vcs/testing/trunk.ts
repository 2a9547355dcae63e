import { ManualClock } from '#edges/clock.ts';
import type {
  Change,
  FileMode,
  SnapshotId,
  SubmitId,
  SubmitIntent,
  SubmitOutcome,
  SubmitRequest,
} from '#protocol/change-sets.ts';
import type { FileTree } from '#protocol/file-tree.ts';
import type { Provenance } from '#protocol/tasks.ts';
import { MemoryLogStore } from '../memory-log-store.ts';
import { createRepository, openRepository } from '../open-repository.ts';
import { comparePaths } from '../paths.ts';
import type { Repository } from '../repository.ts';
import type { TrunkSource } from '../workspace-import.ts';

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export const provenance: Provenance = {
  run: 'run',
  task: 'root',
  attempt: 1,
  role: 'worker',
  model: 'test/model',
  decisions: [],
  title: 'a change',
};

/** Files by path; undefined where one is deleted. */
export type Texts = Readonly<Record<string, string | undefined>>;

export function sourceOf(files: Texts): TrunkSource {
  return {
    async *files() {
      for (const [path, text] of Object.entries(files)) {
        yield { path, mode: 'file' as const, content: bytes(text ?? '') };
      }
    },
  };
}

export function writeOf(path: string, text: string, mode: FileMode = 'file'): Change {
  return { kind: 'write', path, mode, content: bytes(text) };
}

function isList(files: Texts | readonly Change[]): files is readonly Change[] {
  return Array.isArray(files);
}

function changesOf(files: Texts | readonly Change[]): readonly Change[] {
  if (isList(files)) return files;
  return Object.entries(files)
    .map(([path, text]): Change => (text === undefined ? { kind: 'delete', path } : writeOf(path, text)))
    .toSorted((left, right) => comparePaths(left.path, right.path));
}

/** All of a tree as text. */
export async function textsOf(tree: FileTree): Promise<Record<string, string>> {
  const paths = [...tree.walk()].map(([path]) => path);
  const contents = await Promise.all(paths.map(async (path) => tree.read(path)));
  return Object.fromEntries(
    paths.map((path, index) => [path, Buffer.from(contents[index] ?? []).toString()]),
  );
}

export interface SubmitOptions {
  readonly base?: SnapshotId;
  readonly scope?: readonly string[];
  readonly intent?: SubmitIntent;
  readonly id?: Partial<SubmitId>;
}

/** A repository on a log in memory, with few words to submit. */
export class TestTrunk {
  readonly repository: Repository;
  readonly #records: Uint8Array[];
  #turn = 0;

  private constructor(repository: Repository, records: Uint8Array[]) {
    this.repository = repository;
    this.#records = records;
  }

  static async with(files: Texts, records: Uint8Array[] = []): Promise<TestTrunk> {
    const options = { logStore: new MemoryLogStore(records), clock: new ManualClock(1000) };
    const { repository } = await createRepository(options, sourceOf(files), provenance);
    return new TestTrunk(repository, records);
  }

  /** The same log, opened by another process. */
  async reopened(): Promise<TestTrunk> {
    const records = [...this.#records];
    const options = { logStore: new MemoryLogStore(records), clock: new ManualClock(2000) };
    const again = new TestTrunk(await openRepository(options), records);
    again.#turn = this.#turn;
    return again;
  }

  request(task: string, changes: Texts | readonly Change[], options: SubmitOptions = {}): SubmitRequest {
    this.#turn += 1;
    return {
      id: { task, epoch: 1, turn: this.#turn, call: 0, ...options.id },
      changeSet: {
        base: options.base ?? this.repository.head().id,
        changes: changesOf(changes),
      },
      scope: options.scope ?? ['**'],
      intent: options.intent ?? { kind: 'work' },
      provenance: { ...provenance, task },
    };
  }

  async submit(
    task: string,
    changes: Texts | readonly Change[],
    options: SubmitOptions = {},
  ): Promise<SubmitOutcome> {
    return this.repository.submit(this.request(task, changes, options));
  }

  async texts(): Promise<Record<string, string>> {
    return textsOf(this.repository.head());
  }
}
