import { GradingError } from './errors.ts';

/** How the values of a result are ordered before they are compared: as they come, by rows, or all by themselves. */
export type SortMode = 'nosort' | 'rowsort' | 'valuesort';

/** One letter a column: integer, real, text. */
export type ColumnType = 'I' | 'R' | 'T';

type ExpectedResult =
  | { readonly kind: 'values'; readonly values: readonly string[] }
  /** `N values hashing to MD5` */
  | { readonly kind: 'hash'; readonly text: string; readonly count: number };

export type TestRecord =
  | {
      readonly kind: 'statement';
      /** 1-based, of the line that begins with `statement`. */
      readonly line: number;
      readonly sql: string;
      readonly expected: 'ok' | 'error';
      /** What stands behind `statement error`: the code that is wanted. An addition to the format. */
      readonly code?: string;
    }
  | {
      readonly kind: 'query';
      readonly line: number;
      readonly sql: string;
      readonly types: readonly ColumnType[];
      readonly sort: SortMode;
      readonly label?: string;
      /** Absent where the file has no `----`. */
      readonly expected?: ExpectedResult;
      /** True where `skipif` or `onlyif` leaves it out: not run, but its result is compared with its label's. */
      readonly skipped: boolean;
    };

interface Line {
  readonly number: number;
  readonly text: string;
}

/** A record as the file has it: lines between blank lines, without those of conditions. */
interface Block {
  readonly header: Line;
  readonly body: readonly Line[];
  readonly skipped: boolean;
}

/**
 * Reads a test file of sqllogictest (https://www.sqlite.org/sqllogictest/doc/trunk/about.wiki), as `engine` is to run it:
 * conditions are applied and what comes after a `halt` is left out. `hash-threshold` tells a writer of results when to
 * hash; a reader goes by what stands there, so it is checked and passed over.
 * @throws GradingError `malformed-suite`
 */
export function parseTestFile(text: string, engine: string): readonly TestRecord[] {
  const records: TestRecord[] = [];
  for (const block of blocksOf(text, engine)) {
    const [keyword = ''] = wordsOf(block.header);
    if (keyword === 'halt') {
      if (!block.skipped) return records;
    } else if (keyword === 'hash-threshold') {
      if (!/^\d+$/.test(wordsOf(block.header)[1] ?? ''))
        refuse(block.header, 'hash-threshold wants a number');
    } else if (keyword === 'statement') {
      if (!block.skipped) records.push(readStatement(block));
    } else if (keyword === 'query') {
      const query = readQuery(block);
      if (!query.skipped || query.label !== undefined) records.push(query);
    } else {
      refuse(block.header, `unknown record '${keyword}'`);
    }
  }
  return records;
}

function* blocksOf(text: string, engine: string): Generator<Block> {
  let lines: Line[] = [];
  const all = text.split('\n').map((line, index) => ({ number: index + 1, text: cleanLine(line) }));
  // Comments vanish before records are split, so one between two records does not part them, and one inside does no harm.
  for (const line of [...all.filter(isNoComment), { number: all.length + 1, text: '' }]) {
    if (line.text !== '') {
      lines.push(line);
    } else if (lines.length > 0) {
      yield blockOf(lines, engine);
      lines = [];
    }
  }
}

function cleanLine(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.trim() === '' ? '' : text;
}

function isNoComment(line: Line): boolean {
  return !line.text.startsWith('#');
}

function blockOf(lines: readonly Line[], engine: string): Block {
  let skipped = false;
  for (const [index, line] of lines.entries()) {
    const [keyword, name] = wordsOf(line);
    if (keyword !== 'skipif' && keyword !== 'onlyif') {
      return { header: line, body: lines.slice(index + 1), skipped };
    }
    if (name === undefined) refuse(line, `${keyword} wants the name of an engine`);
    const isOurs = name.toLowerCase() === engine.toLowerCase();
    skipped ||= (keyword === 'skipif') === isOurs;
  }
  const [first] = lines;
  return refuse(first ?? { number: 0, text: '' }, 'a condition without a record');
}

function readStatement({ header, body }: Block): TestRecord {
  const [, expected, code] = wordsOf(header);
  if (expected !== 'ok' && expected !== 'error') refuse(header, "statement wants 'ok' or 'error'");
  const sql = sqlOf(header, body);
  return {
    kind: 'statement',
    line: header.number,
    sql,
    expected,
    ...(expected === 'error' && code !== undefined ? { code } : {}),
  };
}

function readQuery({ header, body, skipped }: Block): Extract<TestRecord, { kind: 'query' }> {
  const [, types = '', sort = 'nosort', label] = wordsOf(header);
  if (!/^[IRT]+$/.test(types)) refuse(header, 'query wants a letter I, R or T for each column');
  if (sort !== 'nosort' && sort !== 'rowsort' && sort !== 'valuesort') {
    refuse(header, `unknown sort mode '${sort}'`);
  }
  const cut = body.findIndex((line) => line.text === '----');
  const sql = sqlOf(header, cut < 0 ? body : body.slice(0, cut));
  return {
    kind: 'query',
    line: header.number,
    sql,
    types: types.split('').filter(isColumnType),
    sort,
    skipped,
    ...(label === undefined ? {} : { label }),
    ...(cut < 0 ? {} : { expected: readExpected(body.slice(cut + 1)) }),
  };
}

function isColumnType(letter: string): letter is ColumnType {
  return letter === 'I' || letter === 'R' || letter === 'T';
}

function readExpected(lines: readonly Line[]): ExpectedResult {
  const [first] = lines;
  const hash = /^(\d+) values hashing to [0-9a-f]{32}$/.exec(first?.text ?? '');
  if (first !== undefined && hash !== null && lines.length === 1) {
    return { kind: 'hash', text: first.text, count: Number(hash[1]) };
  }
  return { kind: 'values', values: lines.map((line) => line.text) };
}

function sqlOf(header: Line, lines: readonly Line[]): string {
  if (lines.length === 0) refuse(header, 'a record without SQL');
  return lines.map((line) => line.text).join('\n');
}

function wordsOf(line: Line): readonly string[] {
  return line.text.trim().split(/\s+/);
}

function refuse(line: Line, problem: string): never {
  throw new GradingError('malformed-suite', `line ${line.number}: ${problem}`, {
    line: line.number,
    problem,
  });
}
