import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeededRandomness } from '#edges/randomness.ts';
import { hunksOf, mergeFile } from './merge-file.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

interface Sides {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

function bytes(content: string): Uint8Array {
  return Buffer.from(content, 'utf8');
}

/** The merged text, or why there is none. */
function merge({ base, ours, theirs }: Sides): string {
  const result = mergeFile(bytes(base), bytes(ours), bytes(theirs));
  return result.kind === 'clean' ? `clean: ${Buffer.from(result.content).toString()}` : result.reason;
}

/** The same from git, for many cases: a shell starts git far faster than this process does. */
function gitMerges(cases: readonly Sides[]): readonly string[] {
  const folder = temporaryFolder();
  for (const [index, sides] of cases.entries()) {
    for (const [name, content] of Object.entries(sides))
      writeFileSync(join(folder, `${index}.${name}`), content);
  }
  const loop = `i=0; while [ $i -lt ${cases.length} ]; do
    git merge-file -p $i.ours $i.base $i.theirs > $i.out 2> /dev/null; echo $?; i=$((i + 1)); done`;
  const { stdout } = spawnSync('sh', ['-c', loop], { cwd: folder, encoding: 'utf8' });
  const codes = stdout.trim().split('\n');
  return codes.map((code, index) =>
    code === '0' ? `clean: ${readFileSync(join(folder, `${index}.out`), 'utf8')}` : 'content',
  );
}

const handCases: Record<string, Sides> = {
  'changes far apart': { base: '1\n2\n3\n4\n', ours: 'one\n2\n3\n4\n', theirs: '1\n2\n3\nfour\n' },
  'changes of neighbouring lines': { base: '1\n2\n', ours: 'one\n2\n', theirs: '1\ntwo\n' },
  'one unchanged line between': { base: '1\n2\n3\n', ours: 'one\n2\n3\n', theirs: '1\n2\nthree\n' },
  'the same change twice': { base: '1\n2\n3\n', ours: '1\nx\n3\n', theirs: '1\nx\n3\n' },
  'the same change beside another': { base: '1\n2\n3\n', ours: 'x\n2\n3\n', theirs: 'x\n2\nz\n' },
  'both append': { base: '1\n', ours: '1\n2\n', theirs: '1\n3\n' },
  'both append the same': { base: '1\n', ours: '1\n2\n', theirs: '1\n2\n' },
  'one appends, one prepends': { base: '1\n', ours: '1\n2\n', theirs: '0\n1\n' },
  'one deletes what the other edits': { base: '1\n2\n3\n', ours: '1\n3\n', theirs: '1\ntwo\n3\n' },
  'overlapping deletions': { base: '1\n2\n3\n4\n5\n', ours: '1\n4\n5\n', theirs: '1\n2\n5\n' },
  'equal deletions': { base: '1\n2\n3\n', ours: '1\n3\n', theirs: '1\n3\n' },
  'all deleted on one side': { base: '1\n2\n', ours: '', theirs: '1\n2\n' },
  'all deleted against an edit': { base: '1\n2\n', ours: '', theirs: '1\nx\n' },
  'an empty base': { base: '', ours: 'a\n', theirs: 'b\n' },
  'an empty base and equal sides': { base: '', ours: 'a\n', theirs: 'a\n' },
  CRLF: { base: '1\r\n2\r\n3\r\n', ours: 'one\r\n2\r\n3\r\n', theirs: '1\r\n2\r\nthree\r\n' },
  'LF against CRLF': { base: '1\n2\n3\n', ours: '1\r\n2\r\n3\r\n', theirs: '1\n2\nx\n' },
  'mixed ends': { base: 'a\nb\r\nc\rd\n', ours: 'a\nb\r\nc\rD\n', theirs: 'A\nb\r\nc\rd\n' },
  'no final newline anywhere': { base: '1\n2\n3', ours: 'one\n2\n3', theirs: '1\n2\nthree' },
  'one side adds the final newline': { base: '1\n2\n3', ours: '1\n2\n3\n', theirs: 'one\n2\n3' },
  'both sides add the final newline': { base: '1\n2', ours: '1\n2\n', theirs: '1\n2\n' },
  'one side takes the final newline, the other appends': {
    base: '1\n2\n',
    ours: '1\n2',
    theirs: '1\n2\n3\n',
  },
  'blank lines': { base: '\n\n\n', ours: '\n\n\n\n', theirs: '\n\n' },
  unicode: { base: 'å\n日本\n🙂\n', ours: 'å!\n日本\n🙂\n', theirs: 'å\n日本\n🙂🙂\n' },
  'a byte order mark': { base: '\uFEFFa\nb\nc\n', ours: '\uFEFFa\nb\nC\n', theirs: 'a\nb\nc\n' },
  'functions added at different places': {
    base: 'a() {\n}\n\nb() {\n}\n',
    ours: 'a() {\n}\n\nx() {\n}\n\nb() {\n}\n',
    theirs: 'a() {\n}\n\nb() {\n}\n\ny() {\n}\n',
  },
  'a moved block': { base: 'a\nb\nc\nd\ne\n', ours: 'c\nd\na\nb\ne\n', theirs: 'a\nb\nc\nd\nE\n' },
};

/** Lines as code has them: some are everywhere. */
const codeLines = ['}\n', '\n', '  return x;\n', '  }\n', 'if (a) {\n', '{\n'];

function randomSides(seed: number): Sides {
  const randomness = new SeededRandomness(seed);
  const pick = (count: number): number => Math.floor(randomness.next() * count);
  const variety = [6, 12, 40, 1000][seed % 4] ?? 6;
  const end = ['\n', '\r\n', '\n', '\n'][pick(4)] ?? '\n';
  const line = (): string =>
    pick(3) === 0 ? (codeLines[pick(codeLines.length)] ?? '') : `line ${pick(variety)} ü${end}`;
  const base = Array.from({ length: pick(60) }, line);
  const edit = (): string => {
    const lines = [...base];
    for (let edits = pick(5); edits > 0; edits -= 1) {
      lines.splice(pick(lines.length + 1), pick(4), ...Array.from({ length: pick(4) }, line));
    }
    const edited = lines.join('');
    return pick(6) === 0 ? edited.replace(/\r?\n$/, '') : edited;
  };
  return { base: base.join(''), ours: edit(), theirs: edit() };
}

describe('a merge of three files', () => {
  it('is what git makes of it in cases chosen by hand', () => {
    const expected = gitMerges(Object.values(handCases));
    for (const [index, [name, sides]] of Object.entries(handCases).entries()) {
      expect(`${name}: ${merge(sides)}`).toBe(`${name}: ${expected[index]}`);
    }
  });

  it('is what git makes of it in 240 random cases', () => {
    const cases = Array.from({ length: 240 }, (_, seed) => randomSides(seed + 1));
    const results = cases.map(merge);
    const expected = gitMerges(cases);
    for (const [index, result] of results.entries()) {
      expect(`seed ${index + 1} ${result}`).toBe(`seed ${index + 1} ${expected[index]}`);
    }
    const clean = results.filter((result) => result !== 'content').length;
    // Both kinds of answer were really compared.
    expect(clean).toBeGreaterThan(60);
    expect(clean).toBeLessThan(240);
  }, 60_000);

  it('takes the side that changed, whatever it is', () => {
    fc.assert(
      fc.property(anyText, anyText, (base, side) => {
        expect(merge({ base, ours: side, theirs: base })).toBe(`clean: ${side}`);
        expect(merge({ base, ours: base, theirs: side })).toBe(`clean: ${side}`);
        expect(merge({ base, ours: side, theirs: side })).toBe(`clean: ${side}`);
      }),
    );
  });

  it('does not depend on which side is whose', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (base, ours, theirs) => {
        expect(merge({ base, ours, theirs })).toBe(merge({ base, ours: theirs, theirs: ours }));
      }),
    );
  });

  it('passes bytes of any encoding through', () => {
    const base = Buffer.from('gr\xfcn\nblau\nrot\n', 'latin1');
    const ours = Buffer.from('gr\xfcn!\nblau\nrot\n', 'latin1');
    const theirs = Buffer.from('gr\xfcn\nblau\nr\xf6t\n', 'latin1');
    expect(mergeFile(base, ours, theirs)).toEqual({
      kind: 'clean',
      content: new Uint8Array(Buffer.from('gr\xfcn!\nblau\nr\xf6t\n', 'latin1')),
    });
  });

  it('never merges binary files', () => {
    expect(merge({ base: 'a\n', ours: 'a\0\n', theirs: 'a\n' })).toBe('binary');
  });
});

/** Texts over few lines, so that they share some. */
const anyText = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', '}\n', '\n', 'd\r\n', 'e'), { maxLength: 14 })
  .map((lines) => lines.join(''));

function shuffled(count: number, seed: number): number[] {
  const randomness = new SeededRandomness(seed);
  return Array.from({ length: count }, (_, index) => ({ index, key: randomness.next() }))
    .toSorted((left, right) => left.key - right.key)
    .map(({ index }) => index);
}

function text(numbers: readonly number[], line: (number: number) => string): string {
  return numbers.map((number) => `${line(number)}\n`).join('');
}

const [order, first, second] = [1, 2, 3].map((seed) => shuffled(20_000, seed));
const hostile: Record<string, Sides> = {
  disjoint: {
    base: text(order ?? [], (number) => `a${number}`),
    ours: text(order ?? [], (number) => `b${number}`),
    theirs: text(order ?? [], (number) => `c${number}`),
  },
  shuffled: {
    base: text(order ?? [], String),
    ours: text(first ?? [], String),
    theirs: text(second ?? [], String),
  },
  'of five different lines': {
    base: text(order ?? [], (number) => String(number % 5)),
    ours: text(first ?? [], (number) => String(number % 5)),
    theirs: text(second ?? [], (number) => String(number % 5)),
  },
  'all equal': { base: 'x\n'.repeat(20_000), ours: 'x\n'.repeat(20_500), theirs: 'x\n'.repeat(19_300) },
  'nothing but line ends': {
    base: '\n'.repeat(4_000_000),
    ours: '\n'.repeat(4_000_001),
    theirs: '\n'.repeat(3_999_999),
  },
};

describe('hostile input', () => {
  it.each(Object.entries(hostile))(
    '%s: the answer comes soon and is no merge',
    (_, sides) => {
      // Time of this process, not of the clock: the suite shares its cores.
      const before = process.cpuUsage();
      expect(merge(sides)).toMatch(/^(content|too-costly)$/);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(2500);
    },
    20_000,
  );
});

describe('hunks', () => {
  it('turn the base into the side', () => {
    fc.assert(
      fc.property(anyText, anyText, (base, side) => {
        const lines = base.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        const hunks = hunksOf(bytes(base), bytes(side)) ?? [];
        for (const { start, end, removed } of hunks) expect(lines.slice(start, end)).toEqual(removed);
        for (const { start, end, inserted } of hunks.toReversed()) {
          lines.splice(start, end - start, ...inserted);
        }
        expect(lines.join('')).toBe(side);
      }),
    );
  });

  it('name what was removed and what was inserted', () => {
    expect(hunksOf(bytes('a\nb\nc\n'), bytes('a\nB\nc\nd'))).toEqual([
      { start: 1, end: 2, removed: ['b\n'], inserted: ['B\n'] },
      { start: 3, end: 3, removed: [], inserted: ['d'] },
    ]);
    expect(hunksOf(bytes('a\n'), bytes('a\n'))).toEqual([]);
    expect(hunksOf(bytes('a\n'), bytes('\0'))).toBeUndefined();
  });
});
