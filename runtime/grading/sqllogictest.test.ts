import { describe, expect, it } from 'vitest';
import { parseTestFile } from './sqllogictest.ts';

const file = (...lines: readonly string[]): string => lines.join('\n');
const sqlOf = (text: string, engine = 'minisql'): readonly string[] =>
  parseTestFile(text, engine).map((record) => record.sql);

const guarded = (...conditions: readonly string[]): readonly string[] =>
  sqlOf(file(...conditions, 'statement ok', 'SELECT 1'));
const halting = (condition: string): readonly string[] =>
  sqlOf(file('statement ok', 'SELECT 1', '', condition, 'halt', '', 'statement ok', 'SELECT 2'));

const expectedOf = (...expected: readonly string[]): unknown => {
  const [record] = parseTestFile(file('query I valuesort label-1', 'SELECT a', ...expected), 'minisql');
  return record?.kind === 'query' ? [record.label, record.expected] : undefined;
};

describe('records', () => {
  it('are statements that are accepted or refused, and queries with types and values', () => {
    const text = file(
      '# a file',
      'statement ok',
      'CREATE TABLE t (a INTEGER,',
      '  b TEXT)',
      '',
      'statement error no_such_table',
      'SELECT * FROM missing',
      '',
      '',
      'query IT rowsort',
      'SELECT a, b FROM t',
      '----',
      '1',
      'x y',
    );
    expect(parseTestFile(text, 'minisql')).toEqual([
      { kind: 'statement', line: 2, expected: 'ok', sql: 'CREATE TABLE t (a INTEGER,\n  b TEXT)' },
      {
        kind: 'statement',
        line: 6,
        expected: 'error',
        code: 'no_such_table',
        sql: 'SELECT * FROM missing',
      },
      {
        kind: 'query',
        line: 10,
        sql: 'SELECT a, b FROM t',
        types: ['I', 'T'],
        sort: 'rowsort',
        skipped: false,
        expected: { kind: 'values', values: ['1', 'x y'] },
      },
    ]);
  });

  it('end at blank lines, whatever the line ends are', () => {
    const text = 'statement ok\r\nSELECT 1\r\n \t\r\nstatement ok\r\nSELECT 2\r\n';
    expect(sqlOf(text)).toEqual(['SELECT 1', 'SELECT 2']);
  });

  it('lose their comments before they are split', () => {
    const text = file(
      'statement ok',
      '# inside',
      'SELECT 1',
      '# between, and no blank line',
      '',
      '# only',
      '',
      'halt',
    );
    expect(sqlOf(text)).toEqual(['SELECT 1']);
    // A comment in the place of the blank line parts nothing.
    expect(sqlOf(file('statement ok', 'SELECT 1', '#', 'FROM t'))).toEqual(['SELECT 1\nFROM t']);
  });

  it('may expect a hash, nothing at all, or no rows', () => {
    const hash = '30 values hashing to 3c13dee48d9356ae19af2515e05e6b54';
    expect(expectedOf('----', hash)).toEqual(['label-1', { kind: 'hash', text: hash, count: 30 }]);
    expect(expectedOf('----')).toEqual(['label-1', { kind: 'values', values: [] }]);
    expect(expectedOf()).toEqual(['label-1', undefined]);
  });
});

describe('conditions', () => {
  it('leave records out by the name of the engine, in any case', () => {
    expect(guarded('skipif minisql')).toEqual([]);
    expect(guarded('skipif MiniSQL')).toEqual([]);
    expect(guarded('skipif mysql')).toEqual(['SELECT 1']);
    expect(guarded('onlyif minisql')).toEqual(['SELECT 1']);
    expect(guarded('onlyif mysql # why')).toEqual([]);
  });

  it('stack', () => {
    expect(guarded('onlyif minisql', 'skipif mysql')).toEqual(['SELECT 1']);
    expect(guarded('skipif mysql', 'skipif minisql')).toEqual([]);
    expect(guarded('onlyif mysql', 'skipif mssql')).toEqual([]);
  });

  it('apply to halt too', () => {
    expect(halting('onlyif mysql')).toEqual(['SELECT 1', 'SELECT 2']);
    expect(halting('onlyif minisql')).toEqual(['SELECT 1']);
  });

  it('keep a skipped query that has a label', () => {
    const text = file(
      'skipif minisql',
      'query I nosort x',
      'SELECT 1',
      '----',
      '1',
      '',
      'halt',
      '',
      'nonsense',
    );
    expect(parseTestFile(text, 'minisql')).toMatchObject([{ kind: 'query', label: 'x', skipped: true }]);
  });
});

describe('what is malformed', () => {
  it.each([
    [['', 'frobnicate'], 'line 2'],
    [['statement maybe', 'SELECT 1'], 'line 1'],
    [['statement ok'], 'without SQL'],
    [['query', 'SELECT 1'], 'a letter'],
    [['query X', 'SELECT 1'], 'a letter'],
    [['query I shuffled', 'SELECT 1'], 'shuffled'],
    [['query I', '----', '1'], 'without SQL'],
    [['skipif', 'halt'], 'name of an engine'],
    [['onlyif minisql'], 'without a record'],
    [['hash-threshold many'], 'number'],
  ])('%j is refused with its line', (lines, part) => {
    expect(() => parseTestFile(file(...lines), 'minisql')).toThrow(
      expect.objectContaining({ code: 'malformed-suite', message: expect.stringContaining(part) }),
    );
  });
});
