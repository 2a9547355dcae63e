import { mergeFile } from '#vcs/merge-file.ts';

export type Files = ReadonlyMap<string, string>;

type Edits = ReadonlyMap<string, string | null>;

interface Parked {
  readonly task: string;
  readonly base: Files;
  readonly edits: Map<string, string | null>;
  /** By path, the key of the resolver's turn. */
  readonly keys: Map<string, string>;
}

/** Trunk as far as a replay needs it: files, merges, and what is parked. */
export class AssemblyTrunk {
  #files: Files = new Map();
  readonly #log: { readonly task: string; readonly paths: readonly string[] }[] = [];
  readonly #parked: Parked[] = [];
  merges = 0;
  conflicts = 0;

  get files(): Files {
    return this.#files;
  }

  /** Commits so far: with the files, all that a base is. */
  get length(): number {
    return this.#log.length;
  }

  get commits(): number {
    return this.#log.length;
  }

  isParked(task: string): boolean {
    return this.#parked.some((set) => set.task === task);
  }

  resolverKeys(): readonly string[] {
    return this.#parked.flatMap((set) => [...set.keys.values()]);
  }

  submit(task: string, base: Files, baseLength: number, edits: Edits): Readonly<Record<string, string>> {
    const { files, merged, conflicts } = mergeInto(this.#files, base, edits);
    if (conflicts.length > 0) {
      const keys = conflicts.map((path) => [path, this.#resolverKey(task, path, baseLength)] as const);
      this.#parked.push({ task, base, edits: new Map(edits), keys: new Map(keys) });
      this.conflicts += conflicts.length;
      return { outcome: 'conflicted', paths: conflicts.join(',') };
    }
    this.#commit(task, files, edits);
    if (merged.length === 0) return { outcome: 'committed', files: String(edits.size) };
    this.merges += 1;
    return { outcome: 'merged', files: String(edits.size), merged: merged.join(',') };
  }

  /** Gives the task whose parked set went to trunk with this, if it was the last of its conflicts. */
  resolve(key: string, path: string, content: string | null): string | undefined {
    const set = this.#parked.find(({ keys }) => keys.get(path) === key);
    if (set === undefined) return undefined;
    set.keys.delete(path);
    set.edits.set(path, content);
    if (set.keys.size > 0) return undefined;
    this.#parked.splice(this.#parked.indexOf(set), 1);
    // What was settled replaces trunk's side; the other paths merge as always.
    const settled = new Map([...set.base, [path, this.#files.get(path) ?? '']]);
    this.#commit(set.task, mergeInto(this.#files, settled, set.edits).files, set.edits);
    return set.task;
  }

  #resolverKey(task: string, path: string, baseLength: number): string {
    const others = this.#log.slice(baseLength).filter((commit) => commit.paths.includes(path));
    const tasks = [...new Set([task, ...others.map((commit) => commit.task)])].toSorted();
    return `resolver ${path} ${tasks.join('+')} 1 1`;
  }

  #commit(task: string, files: Files, edits: Edits): void {
    this.#files = files;
    this.#log.push({ task, paths: [...edits.keys()] });
  }
}

interface SetMerge {
  readonly files: Files;
  readonly merged: readonly string[];
  readonly conflicts: readonly string[];
}

function mergeInto(trunk: Files, base: Files, edits: Edits): SetMerge {
  const files = new Map(trunk);
  const merged: string[] = [];
  const conflicts: string[] = [];
  for (const [path, content] of edits) {
    const [before, theirs] = [base.get(path), trunk.get(path)];
    if (theirs === before || theirs === content) {
      if (content === null) files.delete(path);
      else files.set(path, content);
    } else if (before === undefined || theirs === undefined || content === null) {
      conflicts.push(path);
    } else {
      const merge = mergeFile(encode(before), encode(theirs), encode(content));
      if (merge.kind === 'conflict') conflicts.push(path);
      else {
        merged.push(path);
        files.set(path, new TextDecoder().decode(merge.content));
      }
    }
  }
  return { files, merged, conflicts };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function sameFiles(left: Files, right: Files): boolean {
  return left.size === right.size && [...left].every(([path, content]) => right.get(path) === content);
}
