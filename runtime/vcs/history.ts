import type { SnapshotId } from '#protocol/change-sets.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { VcsError } from './errors.ts';
import { comparePaths, foldersAbove } from './paths.ts';
import { isChained, type CommitEntry } from './record-codec.ts';
import { emptyFolder, updateTree, type Folder } from './tree.ts';

/** Every so many commits the tree is kept for good; those between are derived again from there. */
const anchorDistance = 128;
const recentTrees = 2048;

/** Trunk as the sequence of its commits. Trees are derived from their changes. */
export class History {
  readonly #commits: CommitEntry[] = [];
  readonly #sequences = new Map<SnapshotId, number>();
  readonly #anchors: Folder[] = [];
  /** Trees by sequence, in order of use, least recent first. */
  readonly #recent = new Map<number, Folder>();
  #tip: Folder = emptyFolder;

  get length(): number {
    return this.#commits.length;
  }

  /** The tree after the newest commit. */
  get tip(): Folder {
    return this.#tip;
  }

  /** '' before the first commit. */
  get tipId(): SnapshotId {
    return this.#commits.at(-1)?.commit ?? '';
  }

  sequenceOf(id: SnapshotId): number | undefined {
    return this.#sequences.get(id);
  }

  commitAt(sequence: number): CommitEntry | undefined {
    return this.#commits[sequence];
  }

  /** @throws VcsError `damaged` when the commit does not follow on the newest one */
  add(entry: CommitEntry): void {
    if (entry.sequence !== this.#commits.length || !isChained(this.tipId, entry)) {
      throw new VcsError('damaged', 'a commit does not follow on the one before it', {
        commit: entry.commit,
      });
    }
    this.#tip = applyCommit(this.#tip, entry);
    this.#commits.push(entry);
    this.#sequences.set(entry.commit, entry.sequence);
    if (entry.sequence % anchorDistance === 0) this.#anchors.push(this.#tip);
    this.#remember(entry.sequence, this.#tip);
  }

  /** The tree as the commit with this sequence left it. */
  treeAt(sequence: number): Folder {
    const known = this.#recent.get(sequence);
    if (known !== undefined) {
      this.#remember(sequence, known);
      return known;
    }
    const anchor = Math.floor(sequence / anchorDistance);
    let tree = this.#anchors[anchor] ?? emptyFolder;
    for (const entry of this.#commits.slice(anchor * anchorDistance + 1, sequence + 1)) {
      tree = applyCommit(tree, entry);
    }
    this.#remember(sequence, tree);
    return tree;
  }

  /** Tasks whose commits after `sequence` touched the path, something above it or something below it; sorted. */
  tasksSince(sequence: number, path: string): readonly TaskPath[] {
    const related = new Set([path, ...foldersAbove(path)]);
    const tasks = new Set<TaskPath>();
    for (const { changes, provenance } of this.#commits.slice(sequence + 1)) {
      const touched = changes.some(
        (change) => related.has(change.path) || change.path.startsWith(`${path}/`),
      );
      if (touched) tasks.add(provenance.task);
    }
    return [...tasks].toSorted(comparePaths);
  }

  #remember(sequence: number, tree: Folder): void {
    this.#recent.delete(sequence);
    this.#recent.set(sequence, tree);
    if (this.#recent.size <= recentTrees) return;
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined) this.#recent.delete(oldest);
  }
}

function applyCommit(tree: Folder, { changes }: CommitEntry): Folder {
  return updateTree(
    tree,
    changes.map(({ path, entry }) => [path, entry] as const),
  );
}
