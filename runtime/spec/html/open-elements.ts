import type { ContainerKind, ElementKind } from './elements.ts';

/**
 * Elements that are open at once; browsers have such a limit too (512 in Chromium). What is deeper still begins its
 * lines, but is in nothing.
 */
const deepest = 256;

export interface OpenElement {
  readonly name: string;
  readonly kind: ContainerKind;
  /** Of an ordered list: the number of its next item. */
  next?: number;
  /** Of a list: whether it has one. */
  hasItems?: boolean;
  /** Of a cell: the columns that it takes. */
  readonly span?: number;
}

/** Where the search for an element's start ends: what is outside a cell is not closed by a tag inside it. */
const outsideOfTables: ReadonlySet<ElementKind> = new Set(['cell', 'row', 'table-part', 'table']);

/** The elements that are open, as far as they matter for lines. No operation takes time that grows with the page. */
export class OpenElements {
  readonly #stack: OpenElement[] = [];
  readonly #names = new Map<string, number>();
  readonly #kinds = new Map<ContainerKind, number>();
  #beyond = 0;

  get depth(): number {
    return this.#stack.length;
  }

  /** @returns whether it is open now: it is not where it would be too deep */
  push(element: OpenElement): boolean {
    if (this.#stack.length >= deepest) {
      this.#beyond += 1;
      return false;
    }
    this.#stack.push(element);
    this.#count(element, 1);
    return true;
  }

  pop(): OpenElement | undefined {
    const element = this.#stack.pop();
    if (element !== undefined) this.#count(element, -1);
    return element;
  }

  /** Whether an element of the kind is open. */
  isIn(kind: ContainerKind): boolean {
    return (this.#kinds.get(kind) ?? 0) > 0;
  }

  /** The end of an element that was too deep to be opened. @returns whether it was one */
  closeBeyond(): boolean {
    if (this.#beyond === 0) return false;
    this.#beyond -= 1;
    return true;
  }

  /** How many elements the end tag `name` closes; 0 when it belongs to none. */
  closedBy(name: string, kind: ElementKind): number {
    if ((this.#names.get(name) ?? 0) === 0) return 0;
    const isOfTable = outsideOfTables.has(kind);
    for (let index = this.#stack.length - 1; index >= 0; index -= 1) {
      const element = this.#stack[index];
      if (element === undefined) break;
      if (element.name === name) return this.#stack.length - index;
      if (isOfTable ? element.kind === 'table' : element.kind === 'cell') return 0;
    }
    return 0;
  }

  /** How many elements the start of a `kind` closes: up to the outermost of `closed` that lies within `container`. */
  closedByStart(closed: readonly ContainerKind[], container: readonly ContainerKind[]): number {
    let count = 0;
    for (let index = this.#stack.length - 1; index >= 0; index -= 1) {
      const kind = this.#stack[index]?.kind;
      if (kind === undefined || container.includes(kind)) break;
      if (closed.includes(kind)) count = this.#stack.length - index;
    }
    return count;
  }

  innermost(kind: ContainerKind): OpenElement | undefined {
    return this.#stack.findLast((element) => element.kind === kind);
  }

  #count({ name, kind }: OpenElement, change: number): void {
    this.#names.set(name, (this.#names.get(name) ?? 0) + change);
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + change);
  }
}
