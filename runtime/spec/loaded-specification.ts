import { SpecError } from './errors.ts';
import { nearestIds } from './nearest.ts';
import type { SpecDocument } from './outline.ts';
import type { SpecSearch } from './search/spec-search.ts';
import type { SearchHit, Section, Specification } from './specification.ts';

/** A specification in memory. */
export class LoadedSpecification implements Specification {
  readonly title: string;
  readonly outline: readonly Section[];
  readonly #documents: ReadonlyMap<string, readonly string[]>;
  readonly #positions: ReadonlyMap<string, number>;
  readonly #search: SpecSearch;

  /** @param search over the same outline and documents, its index built */
  constructor(
    title: string,
    outline: readonly Section[],
    documents: readonly SpecDocument[],
    search: SpecSearch,
  ) {
    this.title = title;
    this.outline = outline;
    this.#documents = new Map(documents.map(({ name, lines }) => [name, lines]));
    this.#positions = new Map(outline.map(({ id }, index) => [id, index]));
    this.#search = search;
  }

  read(id: string): string {
    const index = this.#positions.get(id);
    const section = index === undefined ? undefined : this.outline[index];
    if (index === undefined || section === undefined) {
      const ids = this.outline.map((candidate) => candidate.id);
      const nearest = nearestIds(id, ids, 3).join(', ');
      throw new SpecError('no-such-section', `no section ${id}; nearest: ${nearest}`, {
        section: id,
        nearest,
      });
    }
    let last = section;
    for (let below = index + 1; below < this.outline.length; below += 1) {
      const next = this.outline[below];
      if (next?.document !== section.document || next.level <= section.level) break;
      last = next;
    }
    const lines = this.#documents.get(section.document) ?? [];
    return lines
      .slice(section.firstLine - 1, last.lastLine)
      .join('\n')
      .trimEnd();
  }

  search(query: string, limit: number): readonly SearchHit[] {
    return this.#search.search(query, limit);
  }
}
