import assert from 'node:assert/strict';
import test from 'node:test';
import { Database } from './database.mjs';

function withPets() {
  const database = new Database();
  database.execute('CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT NOT NULL)');
  database.execute('CREATE TABLE pets (name TEXT, owner INTEGER, weight REAL DEFAULT 1.5)');
  database.execute("INSERT INTO owners VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy')");
  database.execute("INSERT INTO pets VALUES ('Rex', 1, 30), ('Tom', 2, 4.25), ('Ida', 1, NULL)");
  database.execute("INSERT INTO pets (name) VALUES ('Nix')");
  return database;
}

test('statements without rows answer empty', () => {
  assert.deepEqual(new Database().execute('CREATE TABLE t (a INT)'), { columns: [], rows: [] });
});

test('a query over all parts of the engine', () => {
  const { columns, rows } = withPets().execute(`
    SELECT o.name AS owner, COUNT(*) AS pets, SUM(p.weight) AS kg
    FROM owners o JOIN pets p ON p.owner = o.id
    WHERE p.name <> 'Zoe'
    GROUP BY o.name
    ORDER BY pets DESC, owner
    LIMIT 2`);
  assert.deepEqual(columns, ['owner', 'pets', 'kg']);
  assert.deepEqual(rows, [
    ['Ada', 2, 30],
    ['Bo', 1, 4.25],
  ]);
});

test('numbers come out as numbers', () => {
  const { rows } = withPets().execute("SELECT 7 / 2, 7 / 2.0, weight FROM pets WHERE name = 'Nix'");
  assert.deepEqual(rows, [[3, 3.5, 1.5]]);
});

test('a failed statement changes nothing', () => {
  const database = withPets();
  assert.throws(() => database.execute("INSERT INTO owners VALUES (4, 'Di'), (1, 'Ed')"), {
    code: 'unique_violation',
  });
  assert.deepEqual(database.execute('SELECT COUNT(*) FROM owners').rows, [[3]]);
});

test('databases know nothing of each other', () => {
  withPets();
  assert.throws(() => new Database().execute('SELECT * FROM pets'), { code: 'no_such_table' });
});

test('a rollback takes back every kind of change, also what a failed statement left alone', () => {
  const database = withPets();
  const state = () => [
    database.execute('SELECT * FROM owners').rows,
    database.execute('SELECT * FROM pets').rows,
  ];
  const before = state();
  database.execute('BEGIN');
  database.execute("UPDATE owners SET name = 'Eve', id = id + 1");
  database.execute("INSERT INTO owners VALUES (1, 'Di')");
  assert.throws(() => database.execute("INSERT INTO owners VALUES (1, 'Ed')"), { code: 'unique_violation' });
  database.execute('DELETE FROM pets WHERE owner = 1');
  database.execute('DROP TABLE owners');
  database.execute('CREATE TABLE owners (other TEXT)');
  database.execute('ROLLBACK');
  assert.deepEqual(state(), before);
  assert.throws(() => database.execute("INSERT INTO owners VALUES (1, 'Di')"), { code: 'unique_violation' });
});

test('a commit keeps what succeeded', () => {
  const database = withPets();
  database.execute('BEGIN TRANSACTION');
  database.execute("DELETE FROM owners WHERE id IN (SELECT owner FROM pets WHERE name LIKE '_o%')");
  assert.throws(() => database.execute('BEGIN'), { code: 'transaction_open' });
  database.execute('COMMIT');
  assert.throws(() => database.execute('ROLLBACK'), { code: 'no_transaction' });
  assert.deepEqual(database.execute('SELECT name FROM owners').rows, [['Ada'], ['Cy']]);
});

test('owners without pets, by a left join, by NOT EXISTS and by HAVING', () => {
  const database = withPets();
  for (const sql of [
    'SELECT o.name FROM owners o LEFT JOIN pets p ON p.owner = o.id WHERE p.name IS NULL',
    'SELECT name FROM owners o WHERE NOT EXISTS (SELECT * FROM pets WHERE owner = o.id)',
    'SELECT o.name FROM owners o LEFT JOIN pets p ON p.owner = o.id GROUP BY o.name HAVING COUNT(p.name) = 0',
  ]) {
    assert.deepEqual(database.execute(sql).rows, [['Cy']], sql);
  }
});
