import { Catalog } from './core/catalog.mjs';
import { Transactions } from './core/transactions.mjs';
import { parseStatement } from './front/parser.mjs';
import { deleteRows, updateRows } from './queries/changes.mjs';
import { runSelect } from './queries/select.mjs';
import { createTable, dropTable, insertRows } from './queries/tables.mjs';

// What changes a catalog: each runs its statement and gives the function that takes the change back.
const changes = {
  'create-table': createTable,
  'drop-table': dropTable,
  insert: insertRows,
  update: updateRows,
  delete: deleteRows,
};

/** A database in memory. */
export class Database {
  #catalog = new Catalog();
  #transactions = new Transactions();

  /** Runs one statement; gives `{ columns, rows }`, with INTEGERs as numbers. @throws SqlError; nothing changed then */
  execute(sql) {
    const statement = parseStatement(sql);
    switch (statement.kind) {
      case 'select': {
        const { columns, rows } = runSelect(statement, this.#catalog);
        return { columns, rows: rows.map((row) => row.map(outside)) };
      }
      case 'begin':
      case 'commit':
      case 'rollback':
        this.#transactions[statement.kind]();
        break;
      default:
        this.#transactions.note(changes[statement.kind](statement, this.#catalog));
    }
    return { columns: [], rows: [] };
  }
}

function outside(value) {
  return typeof value === 'bigint' ? Number(value) : value;
}
