import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countRecords, grade, gradeSuite } from './grade.ts';
import type { EngineAnswer, SqlEngine, SqlValue } from './sql-engine.ts';
import { parseTestFile } from './sqllogictest.ts';

const suite = `
statement ok
CREATE TABLE t (a INTEGER)

statement ok
INSERT INTO t VALUES (2), (1)

query I nosort
SELECT a FROM t
----
2
1

query I rowsort
SELECT a FROM t
----
1
2

query I nosort
SELECT a FROM t WHERE FALSE
----

statement error no_such_table
SELECT a FROM missing
`;

const rows = (...values: readonly SqlValue[][]): EngineAnswer => ({
  kind: 'rows',
  columns: values[0]?.map((_, index) => `c${index}`) ?? ['c0'],
  rows: values,
});
const refusal = (code: string): EngineAnswer => ({ kind: 'error', code, message: 'no' });

/** Answers by the text of the statement; what is not there is accepted without rows. */
function engineThat(answers: Readonly<Record<string, EngineAnswer>>): SqlEngine {
  return {
    execute: async (sql) => Promise.resolve(answers[sql] ?? { kind: 'rows', columns: [], rows: [] }),
  };
}

const working = {
  'SELECT a FROM t': rows([2], [1]),
  'SELECT a FROM t WHERE FALSE': { kind: 'rows', columns: ['a'], rows: [] },
  'SELECT a FROM missing': refusal('no_such_table'),
} as const;

async function gradeText(text: string, engine: SqlEngine): Promise<string[]> {
  const { failures } = await grade(parseTestFile(text, 'minisql'), engine);
  return failures.map(({ line, problem }) => `${line}: ${problem}`);
}

const asking = (header: string, ...expected: readonly string[]): string =>
  [header, 'SELECT 1', '----', ...expected].join('\n');
const skippedWith = (expected: string): string =>
  `${asking('query I nosort x', '1')}\n\nskipif minisql\nquery I nosort x\nSELECT 2\n----\n${expected}`;

describe('a grade', () => {
  it('counts every record', async () => {
    expect(await grade(parseTestFile(suite, 'minisql'), engineThat(working))).toEqual({
      passed: 6,
      total: 6,
      failures: [],
    });
    expect(countRecords([{ name: 'a.test', text: suite }], 'minisql')).toBe(6);
  });

  it('names the line and what came', async () => {
    const answers = { ...working, 'SELECT a FROM missing': refusal('syntax_error') };
    const { passed, failures } = await grade(parseTestFile(suite, 'minisql'), engineThat(answers));
    expect(passed).toBe(5);
    expect(failures).toEqual([
      { line: 24, sql: 'SELECT a FROM missing', problem: 'expected no_such_table, got syntax_error: no' },
    ]);
  });

  it('is nothing for an engine that does nothing', async () => {
    expect(await grade(parseTestFile(suite, 'minisql'), engineThat({}))).toMatchObject({
      passed: 0,
      total: 6,
    });
  });

  it('is nothing for an engine that answers no rows with the right columns', async () => {
    const engine: SqlEngine = { execute: async () => Promise.resolve(rows()) };
    expect(await grade(parseTestFile(suite, 'minisql'), engine)).toMatchObject({ passed: 0, total: 6 });
  });

  it('is nothing for an engine that refuses everything', async () => {
    const engine: SqlEngine = { execute: async () => Promise.resolve(refusal('no_such_table')) };
    expect(await grade(parseTestFile(suite, 'minisql'), engine)).toMatchObject({ passed: 0, total: 6 });
  });

  it('is nothing for an engine that is broken, not even for errors', async () => {
    const engine: SqlEngine = { execute: async () => Promise.resolve({ kind: 'broken', reason: 'it died' }) };
    const { passed, failures } = await grade(parseTestFile(suite, 'minisql'), engine);
    expect(passed).toBe(0);
    expect(new Set(failures.map(({ problem }) => problem))).toEqual(new Set(['it died']));
  });

  it('does not count what no query shows', async () => {
    expect(await gradeText('statement ok\nCREATE TABLE t (a INTEGER)\n', engineThat({}))).toEqual([
      '1: unproven: no query in this file has a result that shows what was done',
    ]);
  });
});

describe('a query', () => {
  it('compares the columns, then the values and their number', async () => {
    const engine = engineThat({ 'SELECT 1': rows([1, 2]) });
    expect(await gradeText(asking('query I', '1', '2'), engine)).toEqual(['1: expected 1 columns, got 2']);
    expect(await gradeText(asking('query II', '1'), engine)).toEqual(['1: expected [1], got [1 | 2]']);
    expect(await gradeText(asking('query II', '1', '2'), engine)).toEqual([]);
  });

  it('compares a hash, which may stand in for any number of values', async () => {
    const engine = engineThat({ 'SELECT 1': rows([1], [2]) });
    const hash = '2 values hashing to 6ddb4095eb719e2a9f0a3f95677d24e0';
    expect(await gradeText(asking('query I', hash), engine)).toEqual([]);
    const other = engineThat({ 'SELECT 1': rows([1], [3]) });
    expect(await gradeText(asking('query I', hash), other)).toHaveLength(1);
  });

  it('agrees with the other queries of its label', async () => {
    const text = [
      'query I nosort x',
      'SELECT 1',
      '',
      'query I nosort x',
      'SELECT 2',
      '',
      'query I',
      'SELECT 1',
      '----',
      '1',
    ];
    const engine = engineThat({ 'SELECT 1': rows([1]), 'SELECT 2': rows([2]) });
    expect(await gradeText(text.join('\n'), engine)).toEqual([
      '4: the result differs from that of another query with the label x',
    ]);
  });

  it('is compared with its label even where it is skipped', async () => {
    const engine = engineThat({ 'SELECT 1': rows([1]) });
    expect(await gradeText(skippedWith('1'), engine)).toEqual([]);
    expect(await gradeText(skippedWith('2'), engine)).toMatchObject([
      expect.stringContaining('7: the label x'),
    ]);
  });
});

describe("the example's suite", () => {
  const folder = join(import.meta.dirname, '..', '..', 'test', 'held-out', 'minisql');
  const files = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const scoreOf = async (answer: EngineAnswer): Promise<number> => {
    const engine = { execute: async () => Promise.resolve(answer), close: async () => Promise.resolve() };
    return (await gradeSuite(files, 'minisql', () => engine)).passed;
  };

  it('cannot be passed by doing nothing or by refusing everything', async () => {
    expect(countRecords(files, 'minisql')).toBeGreaterThan(200);
    expect(await scoreOf({ kind: 'rows', columns: [], rows: [] })).toBe(0);
    expect(await scoreOf({ kind: 'rows', columns: ['a'], rows: [] })).toBe(0);
    expect(await scoreOf(refusal('syntax_error'))).toBe(0);
  });

  it('gives next to nothing for one answer to everything', async () => {
    expect(await scoreOf(rows([1]))).toBeLessThan(30);
  });
});

describe('a suite', () => {
  it('has a fresh engine for each file, and closes each', async () => {
    const opened: string[] = [];
    const open = (): SqlEngine & { close(): Promise<void> } => {
      opened.push('open');
      return {
        ...engineThat(working),
        close: async () => {
          opened.push('close');
          return Promise.resolve();
        },
      };
    };
    const files = [
      { name: 'a.test', text: suite },
      { name: 'b.test', text: `${suite}\nstatement error\nSELECT a FROM t\n` },
    ];
    const graded = await gradeSuite(files, 'minisql', open);
    expect(opened).toEqual(['open', 'close', 'open', 'close']);
    expect(graded).toMatchObject({ passed: 12, total: 13 });
    expect(graded.files.map(({ name, passed }) => [name, passed])).toEqual([
      ['a.test', 6],
      ['b.test', 6],
    ]);
  });
});
