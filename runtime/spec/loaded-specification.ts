import { SpecError } from './errors.ts';
import { nearestIds } from './nearest.ts';
import type { SpecDocument } from './outline.ts';
import type { SearchHit, Section, Specification } from './specification.ts';

const longestHit = 200;

/** A specification in memory. */
export class LoadedSpecification implements Specification {
  readonly title: string;
  readonly outline: readonly Section[];
  readonly #documents: ReadonlyMap<string, readonly string[]>;

  constructor(title: string, outline: readonly Section[], documents: readonly SpecDocument[]) {
    this.title = title;
    this.outline = outline;
    this.#documents = new Map(documents.map(({ name, lines }) => [name, lines]));
  }

  read(id: string): string {
    const index = this.outline.findIndex((section) => section.id === id);
    const section = this.outline[index];
    if (section === undefined) {
      const ids = this.outline.map((candidate) => candidate.id);
      const nearest = nearestIds(id, ids, 3).join(', ');
      throw new SpecError('no-such-section', `no section ${id}; nearest: ${nearest}`, {
        section: id,
        nearest,
      });
    }
    const below = this.outline.slice(index + 1);
    const end = below.findIndex((next) => next.document !== section.document || next.level <= section.level);
    const last = (end === -1 ? below : below.slice(0, end)).at(-1) ?? section;
    const lines = this.#documents.get(section.document) ?? [];
    return lines
      .slice(section.firstLine - 1, last.lastLine)
      .join('\n')
      .trimEnd();
  }

  search(query: string, limit: number): readonly SearchHit[] {
    const words = query
      .toLowerCase()
      .split(/\s+/u)
      .filter((word) => word !== '');
    const hits: SearchHit[] = [];
    if (words.length === 0) return hits;
    for (const section of this.outline) {
      const lines = this.#documents.get(section.document) ?? [];
      for (let line = section.firstLine; line <= section.lastLine; line += 1) {
        if (hits.length >= limit) return hits;
        const text = lines[line - 1] ?? '';
        const lower = text.toLowerCase();
        if (!words.every((word) => lower.includes(word))) continue;
        const shown = text.slice(0, longestHit).toWellFormed();
        hits.push({ section: section.id, document: section.document, line, text: shown });
      }
    }
    return hits;
  }
}
