import assert from 'node:assert/strict';
import test from 'node:test';
import { Table } from './catalog.mjs';
import { Transactions } from './transactions.mjs';

// Notes changes that leave a trace when they are taken back.
function traced() {
  const transactions = new Transactions();
  const trace = [];
  return { transactions, trace, change: (name) => transactions.note(() => trace.push(name)) };
}

test('a rollback takes back the latest change first', () => {
  const { transactions, trace, change } = traced();
  change('before');
  transactions.begin();
  for (const name of ['a', 'b', 'c']) change(name);
  transactions.rollback();
  assert.deepEqual(trace, ['c', 'b', 'a']);
});

test('what was committed is never taken back', () => {
  const { transactions, trace, change } = traced();
  transactions.begin();
  change('a');
  transactions.commit();
  transactions.begin();
  transactions.rollback();
  assert.deepEqual(trace, []);
});

test('one transaction at a time', () => {
  const transactions = new Transactions();
  assert.throws(() => transactions.commit(), { code: 'no_transaction' });
  assert.throws(() => transactions.rollback(), { code: 'no_transaction' });
  transactions.begin();
  assert.throws(() => transactions.begin(), { code: 'transaction_open' });
  transactions.commit();
  assert.throws(() => transactions.rollback(), { code: 'no_transaction' });
});

test('changes of a table are taken back whatever they were', () => {
  const transactions = new Transactions();
  const table = new Table('t', [{ name: 'id', type: 'integer', notNull: true, unique: true, default: null }]);
  table.append([[1n], [2n]]);
  transactions.begin();
  transactions.note(table.append([[3n]]));
  transactions.note(table.replace([[2n], [3n], [4n]]));
  transactions.note(table.append([[1n]]));
  transactions.rollback();
  assert.deepEqual(table.rows, [[1n], [2n]]);
  table.append([[3n], [4n]]);
});
