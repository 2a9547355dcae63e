import { SqlError } from '../errors.mjs';

/** Remembers how to take back what was changed since BEGIN. Outside of a transaction it remembers nothing. */
export class Transactions {
  #undos = null;

  /** @throws SqlError transaction_open */
  begin() {
    if (this.#undos !== null) throw new SqlError('transaction_open', 'a transaction is open already');
    this.#undos = [];
  }

  /** Takes note of a change that was made, by the function that takes it back. */
  note(undo) {
    this.#undos?.push(undo);
  }

  /** @throws SqlError no_transaction */
  commit() {
    this.#end('COMMIT');
  }

  /** Takes all changes back, the latest first. @throws SqlError no_transaction */
  rollback() {
    for (const undo of this.#end('ROLLBACK').toReversed()) undo();
  }

  #end(statement) {
    const undos = this.#undos;
    if (undos === null) throw new SqlError('no_transaction', `no transaction is open for ${statement}`);
    this.#undos = null;
    return undos;
  }
}
