/** A section of the outline. Ids are stable: made of the heading's words and its place, not of its number. */
export interface Section {
  /** `select`, `select/where-clause`: slugs of the headings from the top, made unique by `-2`, `-3`, … */
  readonly id: string;
  readonly title: string;
  /** 1 for the top. */
  readonly level: number;
  /** The document, relative to the folder that was opened. */
  readonly document: string;
  /** 1-based, inclusive: from the heading to the line before the next section. */
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface SearchHit {
  readonly section: string;
  readonly document: string;
  readonly line: number;
  /** The line itself, cut to 200 characters. */
  readonly text: string;
}

/** A specification, loaded and immutable. */
export interface Specification {
  readonly title: string;
  readonly outline: readonly Section[];
  /** The text of a section with its subsections. @throws SpecError `no-such-section`, which names the nearest ids */
  read(id: string): string;
  /** Lines that hold all words of the query, ignoring case; at most `limit`. */
  search(query: string, limit: number): readonly SearchHit[];
}
