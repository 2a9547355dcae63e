import type { SubmitRequest } from '#protocol/change-sets.ts';
import { formatSubmitId } from '#protocol/change-sets.ts';
import { mergeFile } from '../merge-file.ts';

type Files = ReadonlyMap<string, string>;

interface ParkedModel {
  readonly task: string;
  readonly epoch: number;
  readonly round: number;
}

/** What the repository promises, in the plainest way: every version of trunk is a map of its own. */
export class PlainModel {
  readonly versions: Files[];
  readonly parked: Map<string, ParkedModel> = new Map();

  readonly #fences = new Map<string, number>();
  readonly #outcomes = new Map<string, string>();

  constructor(start: Files) {
    this.versions = [start];
  }

  fence(task: string, epoch: number): void {
    this.#fences.set(task, Math.max(epoch, this.#fences.get(task) ?? 0));
  }

  /** The kind of outcome that the request must get. `base` is the index of its base version. */
  submit(request: SubmitRequest, base: number): string {
    const id = formatSubmitId(request.id);
    const outcome = this.#outcomes.get(id) ?? this.#decide(id, request, base);
    this.#outcomes.set(id, outcome);
    return outcome;
  }

  #decide(id: string, request: SubmitRequest, base: number): string {
    const { task, epoch } = request.id;
    const { intent } = request;
    if (epoch < (this.#fences.get(task) ?? 0)) return 'rejected';
    const earlier =
      intent.kind === 'resolution'
        ? intent.parked
        : [...this.parked].find(([, set]) => set.task === task && set.epoch === epoch)?.[0];
    const settled = earlier === undefined ? undefined : this.parked.get(earlier);
    if (intent.kind === 'resolution' && settled === undefined) return 'rejected';
    const result = this.#merge(request, base);
    if (result === 'empty' && intent.kind !== 'resolution') return 'rejected';
    if (settled !== undefined && earlier !== undefined) this.parked.delete(earlier);
    if (result === 'conflict') {
      const round = (settled?.round ?? 1) + (intent.kind === 'resolution' ? 1 : 0);
      this.parked.set(id, { ...(settled ?? { task, epoch }), round });
      return 'conflicted';
    }
    const { files, merged } = result === 'empty' ? { files: this.#trunk, merged: false } : result;
    this.versions.push(files);
    return merged ? 'merged' : 'committed';
  }

  get #trunk(): Files {
    return this.versions.at(-1) ?? new Map();
  }

  #merge(
    { changeSet }: SubmitRequest,
    base: number,
  ): 'empty' | 'conflict' | { files: Files; merged: boolean } {
    const before = this.versions[base] ?? new Map<string, string>();
    const files = new Map(this.#trunk);
    let merged = false;
    let changed = false;
    for (const change of changeSet.changes) {
      const own = change.kind === 'delete' ? undefined : Buffer.from(change.content).toString();
      const [old, trunk] = [before.get(change.path), files.get(change.path)];
      if (own === old) continue;
      changed = true;
      if (own === trunk) continue;
      let result = own;
      if (trunk !== old) {
        if (own === undefined || trunk === undefined || old === undefined) return 'conflict';
        const both = mergeFile(Buffer.from(old), Buffer.from(own), Buffer.from(trunk));
        if (both.kind === 'conflict') return 'conflict';
        result = Buffer.from(both.content).toString();
        merged ||= result !== trunk;
      }
      if (result === undefined) files.delete(change.path);
      else files.set(change.path, result);
    }
    return changed ? { files, merged } : 'empty';
  }
}
