import { createInterface } from 'node:readline';

/** The answer to one line of input, as one line without its line feed. Never throws. */
export function answerLine(database, line) {
  return JSON.stringify(answerTo(database, line));
}

function answerTo(database, line) {
  const sql = statementOf(line);
  if (sql === null) return failure('bad_request', 'a request is a JSON object with a text sql');
  try {
    const { columns, rows } = database.execute(sql);
    return { columns, rows };
  } catch (error) {
    if (error?.name === 'SqlError') return failure(error.code, error.message);
    return failure('internal_error', String(error));
  }
}

function failure(code, message) {
  return { error: { code, message } };
}

function statementOf(line) {
  try {
    const request = JSON.parse(line);
    return typeof request?.sql === 'string' ? request.sql : null;
  } catch {
    return null;
  }
}

/** Answers all lines of `input` on `output`; resolves at the end of the input. */
export async function serve(database, input, output) {
  for await (const line of createInterface({ input })) {
    if (line !== '') output.write(`${answerLine(database, line)}\n`);
  }
}
