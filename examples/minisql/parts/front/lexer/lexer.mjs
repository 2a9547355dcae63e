import { SqlError } from '../errors.mjs';
import { integer, real } from '../types.mjs';

const blanks = /(?:[ \t\r\n]+|--[^\n]*|\/\*[^]*?\*\/)*/y;
const number = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const text = /'((?:[^']|'')*)'/y;
const quotedName = /"((?:[^"]|"")+)"/y;
const symbol = /<>|!=|<=|>=|\|\||[-+*/%=<>(),.;]/y;

/**
 * Cuts a statement into tokens `{ kind, text, value, at }`, the last of which is of kind `end`. Words are in lower case;
 * `value` is there for numbers and texts; `at` counts characters from 1.
 * @throws SqlError syntax_error, out_of_range
 */
export function tokenize(sql) {
  const tokens = [];
  let at = 0;
  const match = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(sql);
  };
  for (;;) {
    at += match(blanks)[0].length;
    if (at >= sql.length) break;
    const { length, ...token } = readToken(match, sql, at);
    tokens.push({ ...token, at: at + 1 });
    at += length;
  }
  tokens.push({ kind: 'end', text: 'end of statement', at: sql.length + 1 });
  return tokens;
}

function readToken(match, sql, at) {
  let found = match(number);
  if (found) return readNumber(found[0], sql, at);
  if ((found = match(word))) {
    return { kind: 'word', text: found[0].toLowerCase(), length: found[0].length };
  }
  if ((found = match(text))) {
    return { kind: 'text', text: found[0], value: found[1].replaceAll("''", "'"), length: found[0].length };
  }
  if ((found = match(quotedName))) {
    return { kind: 'name', text: found[1].replaceAll('""', '"'), length: found[0].length };
  }
  // A comment that ends was taken as a blank.
  if (sql.startsWith('/*', at)) throw syntaxError('comment without an end', at);
  if ((found = match(symbol))) return { kind: 'symbol', text: found[0], length: found[0].length };
  if (sql[at] === "'") throw syntaxError('text without an end', at);
  if (sql[at] === '"') throw syntaxError('name that is empty or has no end', at);
  throw syntaxError(`unexpected character ${sql[at]}`, at);
}

function readNumber(digits, sql, at) {
  if (/[A-Za-z0-9_.]/.test(sql[at + digits.length] ?? '')) throw syntaxError('malformed number', at);
  const value = /^\d+$/.test(digits) ? integer(BigInt(digits)) : real(Number(digits));
  return { kind: 'number', text: digits, value, length: digits.length };
}

function syntaxError(problem, at) {
  return new SqlError('syntax_error', `${problem} at ${at + 1}`);
}
