/** Where these begin, a navigation that was never closed is over. */
const content = new Set(['body', 'main']);
/** What ends by its own end tag alone. */
const closedByItself = new Set(['script', 'style', 'svg', 'template']);

/** An element whose content is left out, and what is open within it. */
export class Skipping {
  readonly name: string;
  readonly #open = new Map<string, number>();

  constructor(name: string) {
    this.name = name;
    this.start(name);
  }

  /** @returns whether the start of `name` ends it, because it was never closed */
  start(name: string): boolean {
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
    return content.has(name) && !closedByItself.has(this.name);
  }

  /** @returns `own` for its end, `outer` for the end of something that it stands in, if it is open there */
  end(name: string): 'inner' | 'outer' | 'own' {
    const count = this.#open.get(name) ?? 0;
    if (count === 0) return closedByItself.has(this.name) ? 'inner' : 'outer';
    this.#open.set(name, count - 1);
    return name === this.name && count === 1 ? 'own' : 'inner';
  }
}
