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
