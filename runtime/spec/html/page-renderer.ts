import type { ParsedDocument } from '../heading.ts';
import { isInline, kindOf, type BlockKind, type InlineKind } from './elements.ts';
import { InlineText } from './inline-text.ts';
import type { MarkupHandler } from './markup-reader.ts';
import { OpenElements, type OpenElement } from './open-elements.ts';
import { PageLines } from './page-lines.ts';
import { Skipping } from './skipping.ts';
import { TableRows } from './table-rows.ts';

type Attributes = ReadonlyMap<string, string>;

/** A page as it is read: the lines are not those of the file. */
export interface RenderedPage extends ParsedDocument {
  readonly lines: readonly string[];
}

interface OpenHeading {
  readonly level: number;
  readonly text: InlineText;
  /** How many elements were open where it began. */
  readonly depth: number;
}

/** Kinds whose elements are a navigation where their role says so. */
const navigable: ReadonlySet<BlockKind> = new Set(['block', 'list', 'spaced']);

function numberOf(attributes: Attributes, name: string): number | undefined {
  const number = Number.parseInt(attributes.get(name) ?? '', 10);
  return Math.abs(number) <= 1e9 ? number : undefined;
}

/** Makes the lines of a page from its markup. Whatever the markup is, text that is not skipped gets into a line. */
export class PageRenderer implements MarkupHandler {
  readonly #lines = new PageLines();
  readonly #open = new OpenElements();
  readonly #tables = new TableRows();
  readonly #text = new InlineText('text');
  #heading: OpenHeading | undefined;
  #code: string[] = [];
  #skipping: Skipping | undefined;
  #title: string | undefined;
  #titleText: string[] | undefined;

  start(name: string, attributes: Attributes, closesItself: boolean): void {
    const kind = kindOf(name);
    if (kind === undefined) return;
    if (this.#skipping !== undefined) {
      if (!this.#skipping.start(name)) {
        if (closesItself) this.#skipping.end(name);
        return;
      }
      this.#skipping = undefined;
    }
    if (isInline(kind)) {
      this.#startInline(kind, attributes);
    } else if (kind === 'skipped' || (navigable.has(kind) && isNavigation(attributes))) {
      if (closesItself) return;
      this.#breakLine();
      this.#skipping = new Skipping(name);
    } else {
      this.#startBlock(name, kind, attributes);
    }
  }

  end(name: string): void {
    const kind = kindOf(name);
    if (kind === undefined) return;
    if (this.#skipping !== undefined) {
      const what = this.#skipping.end(name);
      const isOver = what === 'own' || (what === 'outer' && this.#open.closedBy(name, kind) > 0);
      if (isOver) this.#skipping = undefined;
      if (what !== 'outer' || !isOver) return;
    }
    if (isInline(kind)) this.#endInline(kind);
    else if (kind === 'heading') this.#endHeading();
    else if (kind === 'paragraph') this.#breakLine('spaced');
    else if (this.#open.closeBeyond()) this.#breakLine();
    else this.#close(this.#open.closedBy(name, kind));
  }

  text(text: string): void {
    if (this.#skipping !== undefined) return;
    if (this.#titleText !== undefined) this.#titleText.push(text);
    else if (this.#isCode) this.#code.push(text.replaceAll('\u00A0', ' '));
    else this.#inline.add(text);
  }

  isInDrawing(): boolean {
    return this.#skipping?.name === 'svg';
  }

  /** The page, when all of it has been read. */
  finish(): RenderedPage {
    this.#skipping = undefined;
    this.#endInline('title');
    this.#close(this.#open.depth);
    this.#endHeading();
    this.#breakLine();
    const { lines, headings } = this.#lines;
    const title = this.#title ?? '';
    return { lines, headings, bodyLine: 1, ...(title === '' ? {} : { title }) };
  }

  /** Whether text is taken with its white space. */
  get #isCode(): boolean {
    return this.#heading === undefined && this.#open.isIn('preformatted');
  }

  get #inline(): InlineText {
    return this.#heading?.text ?? this.#text;
  }

  #startInline(kind: InlineKind, attributes: Attributes): void {
    switch (kind) {
      case 'line-break':
        if (this.#isCode) this.#code.push('\n');
        else this.#inline.breakLine();
        break;
      case 'image': {
        const alt = attributes.get('alt')?.trim() ?? '';
        if (alt !== '') this.text(`[image: ${alt}]`);
        break;
      }
      case 'anchor':
        this.#inline.openAnchor();
        break;
      case 'title':
        this.#titleText = [];
        break;
      case 'code':
      case 'lowered':
      case 'quoted':
      case 'raised':
      case 'struck':
        if (!this.#isCode) this.#inline.open(kind);
        break;
      default:
        kind satisfies never;
    }
  }

  #endInline(kind: InlineKind): void {
    switch (kind) {
      case 'line-break':
        this.#startInline(kind, new Map());
        break;
      case 'image':
        break;
      case 'anchor':
        this.#inline.closeAnchor();
        break;
      case 'title':
        // Only the first title is the page's.
        this.#title ??= this.#titleText?.join('').replace(/\s+/gu, ' ').trim();
        this.#titleText = undefined;
        break;
      case 'code':
      case 'lowered':
      case 'quoted':
      case 'raised':
      case 'struck':
        this.#inline.close(kind);
        break;
      default:
        kind satisfies never;
    }
  }

  #startBlock(name: string, kind: BlockKind, attributes: Attributes): void {
    if (kind === 'heading') {
      this.#startHeading(Number(name.slice(1)));
      return;
    }
    if (this.#heading !== undefined && kind !== 'block') {
      // Some pages have a paragraph around the words of a heading; a heading that holds words was not closed.
      if (kind === 'paragraph' && !this.#heading.text.hasText) return;
      this.#endHeading();
    }
    if (this.#heading !== undefined || this.#isCode) {
      this.#breakLine();
      if (kind !== 'paragraph' && kind !== 'rule') this.#open.push({ name, kind: 'block' });
      return;
    }
    this.#startOutside(name, kind, attributes);
  }

  /** A block outside of headings and code. */
  #startOutside(name: string, kind: Exclude<BlockKind, 'heading'>, attributes: Attributes): void {
    switch (kind) {
      case 'paragraph':
        this.#breakLine('spaced');
        break;
      case 'block':
      case 'spaced':
        this.#breakLine(kind);
        this.#open.push({ name, kind });
        break;
      case 'rule':
        this.#leaveRow();
        this.#breakLine('spaced');
        this.#lines.write('---');
        this.#lines.separate();
        break;
      case 'quote':
        this.#leaveRow();
        this.#breakLine('spaced');
        if (this.#open.push({ name, kind })) this.#lines.enter('> ');
        break;
      case 'preformatted':
        this.#leaveRow();
        this.#breakLine('spaced');
        this.#open.push({ name, kind });
        break;
      case 'list':
      case 'item':
      case 'definitions':
      case 'term':
      case 'definition':
        this.#startOfList(name, kind, attributes);
        break;
      case 'table':
      case 'table-part':
      case 'row':
      case 'cell':
        this.#startOfTable(name, kind, attributes);
        break;
      default:
        kind satisfies never;
    }
  }

  #startHeading(level: number): void {
    this.#endHeading();
    this.#leaveRow();
    this.#endCode();
    this.#breakLine();
    this.#heading = { level, text: new InlineText('heading'), depth: this.#open.depth };
  }

  #startOfList(
    name: string,
    kind: 'definition' | 'definitions' | 'item' | 'list' | 'term',
    attributes: Attributes,
  ): void {
    this.#leaveRow();
    if (kind === 'item') {
      this.#close(this.#open.closedByStart(['item'], ['list']));
      this.#breakLine();
      this.#startItem(name, numberOf(attributes, 'value'));
      return;
    }
    if (kind === 'list' || kind === 'definitions') {
      this.#breakLine(this.#isInItem ? 'block' : 'spaced');
      const start = name === 'ol' ? { next: numberOf(attributes, 'start') ?? 1 } : {};
      this.#open.push({ name, kind, ...start });
      return;
    }
    this.#close(this.#open.closedByStart(['term', 'definition'], ['definitions']));
    this.#breakLine();
    if (kind === 'definition') this.#lines.join();
    if (this.#open.push({ name, kind }) && kind === 'definition') this.#lines.enter('  ', ': ');
  }

  #startItem(name: string, value: number | undefined): void {
    const list = this.#open.innermost('list');
    const number = value ?? list?.next;
    const mark = list?.next === undefined || number === undefined ? '- ' : `${number}. `;
    if (list?.next !== undefined && number !== undefined) list.next = number + 1;
    if (list?.hasItems === true || this.#isInItem) this.#lines.join();
    if (list !== undefined) list.hasItems = true;
    if (this.#open.push({ name, kind: 'item' })) this.#lines.enter(' '.repeat(mark.length), mark);
  }

  #startOfTable(name: string, kind: 'cell' | 'row' | 'table' | 'table-part', attributes: Attributes): void {
    if (kind === 'table') {
      this.#leaveRow();
      this.#breakLine('spaced');
      if (this.#open.push({ name, kind })) this.#tables.open();
      return;
    }
    if (kind === 'table-part') {
      this.#close(this.#open.closedByStart(['cell', 'row', 'table-part'], ['table']));
      this.#breakLine();
      this.#open.push({ name, kind });
      return;
    }
    if (kind === 'row') {
      this.#close(this.#open.closedByStart(['cell', 'row'], ['table']));
      this.#breakLine();
      this.#writeRow();
      if (this.#open.push({ name, kind })) this.#tables.openRow();
      return;
    }
    this.#close(this.#open.closedByStart(['cell'], ['row', 'table']));
    this.#breakLine();
    const cell = { name, kind, span: numberOf(attributes, 'colspan') ?? 1 };
    if (this.#open.push(cell)) this.#tables.openCell(name === 'th');
  }

  /** Ends the `count` innermost elements. */
  #close(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const element = this.#open.pop();
      if (this.#heading !== undefined && this.#open.depth < this.#heading.depth) this.#endHeading();
      if (element !== undefined) this.#closed(element);
    }
  }

  #closed(element: OpenElement): void {
    switch (element.kind) {
      case 'spaced':
        this.#breakLine('spaced');
        break;
      case 'list':
      case 'definitions':
        this.#breakLine(this.#isInItem ? 'block' : 'spaced');
        break;
      case 'item':
      case 'definition':
        this.#breakLine();
        this.#lines.leave();
        break;
      case 'quote':
        this.#breakLine('spaced');
        this.#lines.leave();
        break;
      case 'preformatted':
        this.#endCode();
        break;
      case 'cell':
        if (this.#tables.isInCell) this.#tables.closeCell(this.#text.take().join(' '), element.span ?? 1);
        else this.#breakLine();
        break;
      case 'row':
        this.#breakLine();
        this.#writeRow();
        break;
      case 'table':
        this.#breakLine();
        this.#writeRow();
        this.#tables.close();
        this.#lines.separate();
        break;
      case 'block':
      case 'table-part':
      case 'term':
        this.#breakLine();
        break;
      default:
        element.kind satisfies never;
    }
  }

  get #isInItem(): boolean {
    return this.#open.isIn('item') || this.#open.isIn('definition');
  }

  /** What is written now stands in lines of its own, even where a cell is open. */
  #leaveRow(): void {
    if (!this.#tables.isInCell) return;
    for (const line of this.#tables.breakRow(this.#text.take().join(' '))) this.#lines.write(line);
  }

  #writeRow(): void {
    for (const line of this.#tables.closeRow()) this.#lines.write(line);
  }

  #endHeading(): void {
    if (this.#heading === undefined) return;
    const { level, text } = this.#heading;
    this.#heading = undefined;
    const title = text.take().join(' ');
    if (title !== '') this.#lines.writeHeading(title, level);
  }

  #endCode(): void {
    if (this.#code.length > 0) this.#lines.writeCode(this.#code.join(''));
    this.#code = [];
  }

  /** What follows begins a line. In a heading, a cell or code it does so by a blank or a line end. */
  #breakLine(how: 'block' | 'spaced' = 'block'): void {
    if (this.#isCode) {
      if (this.#code.at(-1)?.endsWith('\n') === false) this.#code.push('\n');
    } else if (this.#heading !== undefined || this.#tables.isInCell) {
      this.#inline.add(' ');
    } else {
      for (const line of this.#text.take()) this.#lines.write(line);
      if (how === 'spaced') this.#lines.separate();
    }
  }
}

function isNavigation(attributes: Attributes): boolean {
  return attributes.get('role')?.trim().toLowerCase() === 'navigation';
}
