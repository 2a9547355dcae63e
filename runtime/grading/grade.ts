import { hashValues, renderRows } from './rendering.ts';
import type { EngineAnswer, SqlEngine } from './sql-engine.ts';
import { parseTestFile, type TestRecord } from './sqllogictest.ts';

interface GradeFailure {
  /** 1-based, of the record's first line. */
  readonly line: number;
  readonly sql: string;
  /** What was expected and what came, in one line. */
  readonly problem: string;
}

export interface Grade {
  readonly passed: number;
  /** All records that were run. */
  readonly total: number;
  readonly failures: readonly GradeFailure[];
}

type Query = Extract<TestRecord, { kind: 'query' }>;

interface Result {
  readonly record: TestRecord;
  /** Undefined when the engine did what was expected. */
  readonly problem: string | undefined;
}

/**
 * Runs the records of one file in order and compares.
 *
 * An engine that does nothing agrees with most statements, and one that refuses everything with each `statement error`.
 * So these, and queries whose result is empty, count as passed only if the query with a result before or after them in the
 * file passes too. Without such a query in the file they do not pass. Engines of both kinds get 0.
 *
 * The original keeps the rows that came before a run-time error inside a query and compares them; an engine here gives all
 * rows or an error, and an error is a failure.
 */
export async function grade(records: readonly TestRecord[], engine: SqlEngine): Promise<Grade> {
  const labels = new Map<string, string>();
  const results: Result[] = [];
  for (const record of records) {
    if (record.kind === 'query' && record.skipped) {
      const expected = labels.get(record.label ?? '');
      if (expected !== undefined) results.push({ record, problem: compareSkipped(record, expected) });
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- each statement sees what the ones before it did
    const answer = await engine.execute(record.sql);
    const problem =
      record.kind === 'statement' ? checkStatement(record, answer) : checkQuery(record, answer, labels);
    results.push({ record, problem });
  }
  const failures = results.flatMap(({ record, problem }, index): GradeFailure[] => {
    const reason = problem ?? whyUnproven(results, index);
    return reason === undefined ? [] : [{ line: record.line, sql: record.sql, problem: reason }];
  });
  return { passed: results.length - failures.length, total: results.length, failures };
}

function checkStatement(
  record: Extract<TestRecord, { kind: 'statement' }>,
  answer: EngineAnswer,
): string | undefined {
  switch (answer.kind) {
    case 'broken':
      return answer.reason;
    case 'rows':
      return record.expected === 'ok'
        ? undefined
        : `expected ${record.code ?? 'an error'}, but it was accepted`;
    case 'error':
      if (record.expected === 'ok') return `refused with ${answer.code}: ${answer.message}`;
      return record.code === undefined || record.code === answer.code
        ? undefined
        : `expected ${record.code}, got ${answer.code}: ${answer.message}`;
    default:
      return answer satisfies never;
  }
}

function checkQuery(record: Query, answer: EngineAnswer, labels: Map<string, string>): string | undefined {
  if (answer.kind === 'broken') return answer.reason;
  if (answer.kind === 'error') return `refused with ${answer.code}: ${answer.message}`;
  const wanted = record.types.length;
  const odd = [answer.columns, ...answer.rows].find((row) => row.length !== wanted);
  if (odd !== undefined) return `expected ${wanted} columns, got ${odd.length}`;
  const values = renderRows(answer.rows, record.types, record.sort);
  const hashed = hashValues(values);
  const labelled = record.label === undefined ? undefined : labels.get(record.label);
  if (record.label !== undefined && labelled === undefined) labels.set(record.label, hashed);
  const { expected } = record;
  if (expected?.kind === 'hash' && expected.text !== hashed)
    return `expected ${expected.text}, got ${hashed}`;
  if (expected?.kind === 'values' && !sameTexts(expected.values, values)) {
    return `expected ${shorten(expected.values)}, got ${shorten(values)}`;
  }
  return labelled === undefined || labelled === hashed
    ? undefined
    : `the result differs from that of another query with the label ${record.label}`;
}

/** A skipped query says what its label's result is to be, though it is not run. */
function compareSkipped(record: Query, labelled: string): string | undefined {
  const { expected, label } = record;
  if (expected === undefined) return undefined;
  const wanted = expected.kind === 'hash' ? expected.text : hashValues(expected.values);
  return wanted === labelled ? undefined : `the label ${label} is to have ${wanted}, but has ${labelled}`;
}

/** Whether the record itself shows that the engine computed something. */
function isProof({ record }: Result): boolean {
  if (record.kind === 'statement' || record.skipped || record.expected === undefined) return false;
  const { expected } = record;
  return expected.kind === 'hash' ? expected.count > 0 : expected.values.length > 0;
}

function whyUnproven(results: readonly Result[], index: number): string | undefined {
  const result = results[index];
  if (result === undefined || isProof(result)) return undefined;
  const next = results.slice(index).find(isProof);
  const before = results.slice(0, index).findLast(isProof);
  const proofs = [before, next].filter((proof) => proof !== undefined);
  if (proofs.some((proof) => proof.problem === undefined)) return undefined;
  const lines = proofs.map((proof) => proof.record.line).join(' and ');
  return lines === ''
    ? 'unproven: no query in this file has a result that shows what was done'
    : `unproven: the queries around it failed, in line ${lines}`;
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

function shorten(values: readonly string[]): string {
  const shown = values.slice(0, 12).join(' | ');
  return values.length > 12 ? `${shown} | … (${values.length} values)` : `[${shown}]`;
}

/** A test file with its name, which stands in reports. */
export interface SuiteFile {
  readonly name: string;
  readonly text: string;
}

export interface SuiteGrade {
  readonly passed: number;
  readonly total: number;
  readonly files: readonly (Grade & { readonly name: string })[];
}

export interface OpenedEngine extends SqlEngine {
  close(): Promise<void>;
}

/**
 * Grades a whole suite, each file with a fresh engine, one after the other. `engineName` is what `skipif` and `onlyif` know.
 * @throws GradingError `malformed-suite`, before any engine is started
 */
export async function gradeSuite(
  files: readonly SuiteFile[],
  engineName: string,
  openEngine: () => OpenedEngine,
): Promise<SuiteGrade> {
  const parsed = files.map(({ name, text }) => ({ name, records: parseTestFile(text, engineName) }));
  const graded: (Grade & { readonly name: string })[] = [];
  for (const { name, records } of parsed) {
    const engine = openEngine();
    try {
      // oxlint-disable-next-line no-await-in-loop -- one engine at a time, so that a slow machine breaks no time limit
      graded.push({ name, ...(await grade(records, engine)) });
    } finally {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await engine.close();
    }
  }
  return {
    passed: graded.reduce((sum, file) => sum + file.passed, 0),
    total: graded.reduce((sum, file) => sum + file.total, 0),
    files: graded,
  };
}

/** The records that a grade would count, as far as that is known before: skipped ones count only where their label is known. */
export function countRecords(files: readonly SuiteFile[], engineName: string): number {
  return files.reduce(
    (sum, { text }) =>
      sum +
      parseTestFile(text, engineName).filter((record) => record.kind === 'statement' || !record.skipped)
        .length,
    0,
  );
}
