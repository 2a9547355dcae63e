import { Catalog } from './core/catalog.mjs';
import { parseStatement } from './front/parser.mjs';
import { runSelect } from './queries/select.mjs';
import { createTable, dropTable, insertRows } from './queries/tables.mjs';

const noRows = () => ({ columns: [], rows: [] });

/** A database in memory. */
export class Database {
  #catalog = new Catalog();

  /** Runs one statement; gives `{ columns, rows }`, with INTEGERs as numbers. @throws SqlError; nothing changed then */
  execute(sql) {
    const statement = parseStatement(sql);
    switch (statement.kind) {
      case 'create-table':
        createTable(statement, this.#catalog);
        return noRows();
      case 'drop-table':
        dropTable(statement, this.#catalog);
        return noRows();
      case 'insert':
        insertRows(statement, this.#catalog);
        return noRows();
      default: {
        const { columns, rows } = runSelect(statement, this.#catalog);
        return { columns, rows: rows.map((row) => row.map(outside)) };
      }
    }
  }
}

function outside(value) {
  return typeof value === 'bigint' ? Number(value) : value;
}
