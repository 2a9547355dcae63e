/** A heading as a parser finds it. */
export interface Heading {
  readonly title: string;
  /** As the document has it: smaller is higher. Only the order counts. */
  readonly depth: number;
  /** 1-based. */
  readonly line: number;
}

/** What a parser makes of a document. */
export interface ParsedDocument {
  readonly headings: readonly Heading[];
  /** The first line that is text and no metadata, 1-based. */
  readonly bodyLine: number;
  /** What the document is called outside of its text: the `title` of an HTML page. */
  readonly title?: string;
}
