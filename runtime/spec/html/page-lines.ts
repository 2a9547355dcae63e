import type { Heading } from '../heading.ts';

/** Lists and quotes that are indented; deeper ones stand with these. */
const deepestIndent = 16;
const longestTitle = 200;

function hasText(line: string): boolean {
  return line.trim() !== '';
}

/** The lines that a page becomes: Markdown that is made to be read. */
export class PageLines {
  readonly lines: string[] = [];
  readonly headings: Heading[] = [];
  readonly #indents: string[] = [];
  #indent = '';
  /** What the next line begins with instead of the indent: the mark of a list. `outer` is the indent without it. */
  #mark: { readonly outer: string; readonly text: string } | undefined;
  /** The indent of the blank line that is to come. */
  #blank: string | undefined;

  /** A blank line comes before what is written next, but none between the mark of a list and its text. */
  separate(): void {
    if (this.#mark === undefined) this.#blank ??= this.#indent;
  }

  join(): void {
    this.#blank = undefined;
  }

  /** What is written until `leave` is indented by `indent`; its first line has `mark` in place of it. */
  enter(indent: string, mark?: string): void {
    const isDeep = this.#indents.length >= deepestIndent;
    const outer = this.#indent;
    this.#indents.push(isDeep ? '' : indent);
    if (!isDeep) this.#indent += indent;
    this.#mark = mark === undefined ? undefined : { outer, text: mark };
  }

  leave(): void {
    const indent = this.#indents.pop() ?? '';
    this.#indent = this.#indent.slice(0, this.#indent.length - indent.length);
    this.#mark = undefined;
  }

  write(text: string): void {
    const outer = this.#mark?.outer ?? this.#indent;
    const start = this.#mark === undefined ? outer : outer + this.#mark.text;
    if (this.#blank !== undefined && this.lines.length > 0) {
      this.lines.push((this.#blank.length < outer.length ? this.#blank : outer).trimEnd());
    }
    this.#blank = undefined;
    this.#mark = undefined;
    this.lines.push(text === '' ? start.trimEnd() : start + text);
  }

  writeHeading(title: string, depth: number): void {
    if (this.lines.length > 0) this.lines.push('');
    this.lines.push(`${'#'.repeat(depth)} ${title}`);
    const shown = title.length <= longestTitle ? title : `${title.slice(0, longestTitle).toWellFormed()}…`;
    this.headings.push({ title: shown, depth, line: this.lines.length });
    this.separate();
  }

  /** Code between fences, with its white space. Nothing when it is blank. */
  writeCode(code: string): void {
    const lines = code.split(/\r\n|\n|\r/u);
    const first = lines.findIndex(hasText);
    if (first === -1) return;
    const runs = code.match(/`{3,}/gu) ?? [];
    const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
    this.separate();
    this.write(fence);
    for (const line of lines.slice(first, lines.findLastIndex(hasText) + 1)) this.write(line);
    this.write(fence);
    this.separate();
  }
}
