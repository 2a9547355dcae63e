import type { Heading, ParsedDocument } from './heading.ts';
import { SectionIds, slug } from './section-ids.ts';
import type { Section } from './specification.ts';

/** A document of a specification. */
export interface SpecDocument extends ParsedDocument {
  /** Relative to the folder that was opened, with '/'. */
  readonly name: string;
  /** Without their ends. */
  readonly lines: readonly string[];
}

interface Open {
  readonly depth: number;
  readonly id: string;
  readonly level: number;
}

/** The name of a file without folders and ending. */
export function bareName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.[^.]*$/u, '');
}

/** What a document is called that no heading names. */
function nameOf(document: SpecDocument): string {
  return document.title ?? bareName(document.name);
}

/** An id for a document from its path. `02-` says where it stands, which may change. */
function pathSlug(name: string): string {
  const parts = name.replace(/\.[^./]*$/u, '').split('/');
  return parts.map((part) => slug(part.replace(/^\d+[-_. ]+(?=\S)/u, ''))).join('/');
}

/** Makes the sections of one document after the other; ids are unique over all of them. */
class OutlineBuilder {
  readonly sections: Section[] = [];
  readonly #ids = new SectionIds();

  /** A document that was opened by itself: its headings are the sections. */
  addAlone(document: SpecDocument): void {
    const first = document.headings[0];
    const before = document.lines.slice(
      document.bodyLine - 1,
      first === undefined ? undefined : first.line - 1,
    );
    if (first === undefined || before.some((line) => line.trim() !== '')) {
      const id = this.#ids.take(pathSlug(document.name));
      this.#add(document, { id, title: nameOf(document), level: 1, firstLine: document.bodyLine });
    }
    this.#addHeadings(document, document.headings, []);
    this.#end(document);
  }

  /** A document of several is a section itself, titled by the heading that stands above all others, else by its name. */
  addOneOfMany(document: SpecDocument): void {
    const [first, ...others] = document.headings;
    const id = this.#ids.take(pathSlug(document.name));
    const before = document.lines.slice(document.bodyLine - 1, (first?.line ?? 1) - 1);
    const hasTitle =
      first !== undefined &&
      before.every((line) => line.trim() === '') &&
      others.every((heading) => heading.depth > first.depth);
    const title = hasTitle ? first.title : nameOf(document);
    this.#add(document, { id, title, level: 1, firstLine: hasTitle ? first.line : document.bodyLine });
    const depth = hasTitle ? first.depth : 0;
    this.#addHeadings(document, hasTitle ? others : document.headings, [{ depth, id, level: 1 }]);
    this.#end(document);
  }

  #addHeadings(document: SpecDocument, headings: readonly Heading[], within: readonly Open[]): void {
    const open = [...within];
    for (const heading of headings) {
      while ((open.at(-1)?.depth ?? -1) >= heading.depth) open.pop();
      const parent = open.at(-1);
      const own = slug(heading.title);
      const id = this.#ids.take(parent === undefined ? own : `${parent.id}/${own}`);
      const level = (parent?.level ?? 0) + 1;
      this.#add(document, { id, title: heading.title, level, firstLine: heading.line });
      open.push({ depth: heading.depth, id, level });
    }
  }

  /** Each section ends where the next begins. */
  #add(document: SpecDocument, section: Omit<Section, 'document' | 'lastLine'>): void {
    this.#closeLast(document, section.firstLine - 1);
    this.sections.push({ ...section, document: document.name, lastLine: section.firstLine });
  }

  #end(document: SpecDocument): void {
    this.#closeLast(document, document.lines.length);
  }

  #closeLast(document: SpecDocument, lastLine: number): void {
    const last = this.sections.at(-1);
    if (last?.document !== document.name) return;
    this.sections[this.sections.length - 1] = { ...last, lastLine };
  }
}

/**
 * The sections of all documents in order. A section that has no line of its own (a document whose first of several top
 * headings is on line 1) ends before it begins.
 */
export function buildOutline(
  documents: readonly SpecDocument[],
  kind: 'file' | 'folder',
): readonly Section[] {
  const builder = new OutlineBuilder();
  for (const document of documents) {
    if (kind === 'file') builder.addAlone(document);
    else builder.addOneOfMany(document);
  }
  return builder.sections;
}
