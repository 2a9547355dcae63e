const mostSpanned = 20;

interface Row {
  readonly cells: string[];
  readonly isHeader: boolean[];
  /** A cell is open, and its text becomes a cell of the row. */
  inCell: boolean;
  /** A heading, list or the like stands in a cell: the cells from there on are blocks, as in tables that are a layout. */
  isBroken: boolean;
}

interface Table {
  row: Row | undefined;
  rows: number;
}

/** The tables that are open, the innermost last, and the row of each. */
export class TableRows {
  readonly #tables: Table[] = [];

  /** Whether text goes into a cell of a row, where no line can begin. */
  get isInCell(): boolean {
    const row = this.#tables.at(-1)?.row;
    return row !== undefined && row.inCell && !row.isBroken;
  }

  open(): void {
    this.#tables.push({ row: undefined, rows: 0 });
  }

  close(): void {
    this.#tables.pop();
  }

  openRow(): void {
    const table = this.#tables.at(-1);
    if (table !== undefined) table.row = { cells: [], isHeader: [], inCell: false, isBroken: false };
  }

  openCell(isHeader: boolean): void {
    const table = this.#tables.at(-1);
    if (table === undefined) return;
    if (table.row === undefined) this.openRow();
    if (table.row === undefined) return;
    table.row.inCell = true;
    table.row.isHeader.push(isHeader);
  }

  /** @param span columns that the cell takes */
  closeCell(text: string, span: number): void {
    const row = this.#tables.at(-1)?.row;
    if (row === undefined) return;
    row.inCell = false;
    row.cells.push(text.replaceAll('|', '\\|'));
    for (let column = 1; column < Math.min(span, mostSpanned); column += 1) row.cells.push('');
  }

  /** The cells so far, with `text` of the open one, are a line; what follows in the row are blocks. */
  breakRow(text: string): readonly string[] {
    const row = this.#tables.at(-1)?.row;
    if (row === undefined) return [];
    if (text !== '') this.closeCell(text, 1);
    const lines = this.#linesOf(row);
    row.isBroken = true;
    row.cells.length = 0;
    return lines;
  }

  closeRow(): readonly string[] {
    const table = this.#tables.at(-1);
    const row = table?.row;
    if (table === undefined || row === undefined) return [];
    table.row = undefined;
    if (row.isBroken) return [];
    const lines = this.#linesOf(row);
    if (lines.length > 0) table.rows += 1;
    const isHead =
      table.rows === 1 && lines.length > 0 && row.cells.length > 1 && row.isHeader.every(Boolean);
    return isHead ? [...lines, `| ${row.cells.map(() => '---').join(' | ')} |`] : lines;
  }

  #linesOf({ cells }: Row): readonly string[] {
    if (cells.every((cell) => cell === '')) return [];
    return [cells.length === 1 ? (cells[0] ?? '') : `| ${cells.join(' | ')} |`];
  }
}
