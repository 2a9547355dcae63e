import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';

const program = new URL('./main.mjs', import.meta.url).pathname;

async function run(...lines) {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stdin.end(lines.join('\n'));
  const [code] = await once(child, 'close');
  return {
    code,
    answers: output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  };
}

const request = (sql) => JSON.stringify({ sql });

test('the program answers a session line by line', async () => {
  const { code, answers } = await run(
    request('CREATE TABLE t (a INTEGER, b TEXT)'),
    request("INSERT INTO t VALUES (1, 'x\u2028y'), (NULL, 'z')"),
    request('SELECT a, b FROM t ORDER BY a DESC'),
    request('SELECT a FROM missing'),
    'not a request',
    request('SELECT COUNT(a), COUNT(*) AS rows, 7 / 2.0, TRUE FROM t'),
  );
  assert.equal(code, 0);
  assert.deepEqual(answers.slice(0, 3), [
    { columns: [], rows: [] },
    { columns: [], rows: [] },
    {
      columns: ['a', 'b'],
      rows: [
        [1, 'x\u2028y'],
        [null, 'z'],
      ],
    },
  ]);
  assert.equal(answers[3].error.code, 'no_such_table');
  assert.equal(answers[4].error.code, 'bad_request');
  assert.deepEqual(answers[5], {
    columns: ['column1', 'rows', 'column3', 'column4'],
    rows: [[1, 2, 3.5, true]],
  });
});

test('a request is answered before the next one comes', async () => {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${request('SELECT 1 AS one')}\n`);
  const [answer] = await once(child.stdout, 'data');
  assert.deepEqual(JSON.parse(String(answer)), { columns: ['one'], rows: [[1]] });
  child.stdin.end();
  assert.deepEqual(await once(child, 'close'), [0, null]);
});
