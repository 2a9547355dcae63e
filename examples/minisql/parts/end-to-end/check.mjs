// A smoke check of the whole: each module is there and exports what the others rely on, and a database answers.
import { Database } from './database.mjs';

const modules = {
  'errors.mjs': ['SqlError', 'errorCodes'],
  'types.mjs': ['typeOf', 'integer', 'real', 'textOf'],
  'line-protocol.mjs': ['answerLine', 'serve'],
  'database.mjs': ['Database'],
  'front/lexer.mjs': ['tokenize'],
  'front/cursor.mjs': ['TokenCursor'],
  'front/expression-parser.mjs': ['parseExpression', 'parseLiteral', 'parseType'],
  'front/condition-parser.mjs': ['parseCondition', 'parseCase', 'parseExists', 'parseSubquery'],
  'front/table-parser.mjs': ['parseCreateTable', 'parseDropTable', 'parseInsert'],
  'front/change-parser.mjs': ['parseUpdate', 'parseDelete', 'parseTransaction'],
  'front/select-parser.mjs': ['parseSelect'],
  'front/parser.mjs': ['parseStatement'],
  'core/values.mjs': ['compareValues', 'keyOf', 'keyOfRow', 'storeAs', 'castTo'],
  'core/operators.mjs': ['arithmetic', 'signed', 'joinTexts', 'truthOf', 'and', 'or', 'not'],
  'core/patterns.mjs': ['fitsPattern'],
  'core/conditions.mjs': ['compare', 'between', 'among', 'like'],
  'core/catalog.mjs': ['Table', 'Catalog'],
  'core/transactions.mjs': ['Transactions'],
  'core/functions.mjs': ['checkCall', 'callFunction'],
  'core/aggregates.mjs': ['isAggregate', 'aggregate'],
  'core/evaluator.mjs': ['evaluate', 'holds'],
  'queries/binder.mjs': ['Scope', 'bind', 'mapParts', 'hasKind'],
  'queries/ordering.mjs': ['sortByKeys', 'distinctEntries'],
  'queries/tables.mjs': ['createTable', 'dropTable', 'insertRows'],
  'queries/join.mjs': ['readFrom'],
  'queries/grouping.mjs': ['planGroups'],
  'queries/subqueries.mjs': ['prepareSubquery'],
  'queries/select.mjs': ['runSelect', 'scopeOn'],
  'queries/changes.mjs': ['updateRows', 'deleteRows'],
};

const session = [
  ['CREATE TABLE t (id INT PRIMARY KEY, name TEXT, score REAL DEFAULT 0.5)', []],
  ["INSERT INTO t (id, name) VALUES (1, 'a'), (2, NULL), (3, UPPER('c'))", []],
  [
    "SELECT id, COALESCE(name, '?'), score * 2 FROM t WHERE id <> 1 ORDER BY id DESC",
    [
      [3, 'C', 1],
      [2, '?', 1],
    ],
  ],
  ['SELECT COUNT(name), SUM(id), AVG(score) FROM t', [[2, 6, 0.5]]],
  [
    'SELECT a.id, b.id FROM t a JOIN t b ON b.id = a.id + 1',
    [
      [1, 2],
      [2, 3],
    ],
  ],
  ["SELECT ROUND(2.5) || CAST('7' AS INTEGER), SUBSTR('hello', 2, 2), NOT NULL", [['3.07', 'el', null]]],
  ['SELECT id % 2 AS odd, COUNT(*) FROM t GROUP BY id % 2 ORDER BY odd LIMIT 1', [[0, 1]]],
  ['SELECT score, COUNT(*) FROM t GROUP BY score HAVING COUNT(*) > 3', []],
  [
    'SELECT a.id, b.id FROM t a LEFT JOIN t b ON b.id = a.id + 2 WHERE a.id < 3',
    [
      [1, 3],
      [2, null],
    ],
  ],
  ['SELECT id FROM t a WHERE EXISTS (SELECT * FROM t WHERE id < a.id) AND id IN (1, 2)', [[2]]],
  ["SELECT CASE WHEN name LIKE '_' THEN id END FROM t WHERE id NOT BETWEEN 2 AND 9", [[1]]],
  ['BEGIN', []],
  ['UPDATE t SET id = id + 1 WHERE id = (SELECT MAX(id) FROM t)', []],
  ['DELETE FROM t WHERE id < 4', []],
  ['SELECT id FROM t', [[4]]],
  ['ROLLBACK', []],
  ['SELECT SUM(id) FROM t', [[6]]],
  ['INSERT INTO t VALUES (1, NULL, NULL)', 'unique_violation'],
  ["SELECT 1 + 'a'", 'type_mismatch'],
  ['SELECT id FROM', 'syntax_error'],
];

const problems = [];

for (const [file, names] of Object.entries(modules)) {
  try {
    const exported = await import(`./${file}`);
    const missing = names.filter((name) => !(name in exported));
    if (missing.length > 0) problems.push(`${file} does not export ${missing.join(', ')}`);
  } catch (error) {
    problems.push(`${file} cannot be loaded: ${error.message}`);
  }
}

const database = new Database();
for (const [sql, expected] of session) {
  const wanted = JSON.stringify(expected);
  const came = JSON.stringify(answer(sql));
  if (came !== wanted) problems.push(`${sql}\n  expected ${wanted}, got ${came}`);
}

function answer(sql) {
  try {
    return database.execute(sql).rows;
  } catch (error) {
    return error.code ?? String(error);
  }
}

for (const problem of problems) console.error(problem);
console.log(
  `${Object.keys(modules).length} modules, ${session.length} statements, ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
