/** A section of the outline. Ids are stable: made of the heading's words and its place, not of its number. */
export interface Section {
  /** `select`, `select/where-clause`: slugs of the headings from the top, made unique by `-2`, `-3`, … */
  readonly id: string;
  readonly title: string;
  /** 1 for the top. */
  readonly level: number;
  /** The document, relative to the folder that was opened. */
  readonly document: string;
  /**
   * 1-based, inclusive: from the heading to the line before the next section. They count the lines of the document's
   * text as `read` gives it: those of the file, but for an HTML page the lines that it was made into.
   */
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface SearchHit {
  readonly section: string;
  readonly document: string;
  /** As in `Section`. */
  readonly line: number;
  /** The line; of a long one the 200 characters around what was found, with `…` for what is left out. */
  readonly text: string;
}

/** A specification, loaded and immutable. */
export interface Specification {
  readonly title: string;
  readonly outline: readonly Section[];
  /** The text of a section with its subsections. @throws SpecError `no-such-section`, which names the nearest ids */
  read(id: string): string;
  /**
   * The lines that fit the query best, the best first, at most `limit`: of the best sections the lines that hold most of
   * its words. A word is found in any case, by its beginning (three letters or more), and where nothing fits exactly,
   * with a letter or two wrong or without some of the other words. Signs such as `||` are found as they stand. The same
   * query always has the same answer.
   */
  search(query: string, limit: number): readonly SearchHit[];
}
