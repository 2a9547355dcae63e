import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import test from 'node:test';
import { answerLine, serve } from './line-protocol.mjs';

// Stands in for the database: answers the statement itself.
const echo = {
  execute(sql) {
    if (sql === 'refuse') throw Object.assign(new Error('no'), { name: 'SqlError', code: 'syntax_error' });
    if (sql === 'break') throw new TypeError('undefined is not a function');
    return { columns: ['sql'], rows: [[sql]] };
  },
};

async function exchange(...chunks) {
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serve(echo, input, output);
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await served;
  const text = String(output.read() ?? '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).rows?.[0][0] ?? 'error');
}

test('a request is answered by rows or by an error', () => {
  const answer = (line) => JSON.parse(answerLine(echo, line));
  assert.deepEqual(answer('{"sql":"x"}'), { columns: ['sql'], rows: [['x']] });
  assert.deepEqual(answer('{"sql":"refuse"}').error, { code: 'syntax_error', message: 'no' });
  assert.equal(answer('{"sql":"break"}').error.code, 'internal_error');
});

test('what is no request is answered too', () => {
  for (const line of ['', 'SELECT 1', 'null', '[]', '{"sql":1}', '{}']) {
    assert.equal(JSON.parse(answerLine(echo, line)).error.code, 'bad_request', line);
  }
});

test('answers come in the order of the requests', async () => {
  assert.deepEqual(await exchange('{"sql":"a"}\n\r\n{"sql":"b"}\r\nnonsense\n{"sql":"c"}'), [
    'a',
    'b',
    'error',
    'c',
  ]);
});

test('chunks may cut lines and characters', async () => {
  const bytes = Buffer.from('{"sql":"é😀"}\n');
  assert.deepEqual(await exchange(...Array.from(bytes, (byte) => Buffer.of(byte))), ['é😀']);
});

test('only a line feed ends a line', async () => {
  assert.deepEqual(await exchange('{"sql":"a\u2028b"}\n'), ['a\u2028b']);
});
