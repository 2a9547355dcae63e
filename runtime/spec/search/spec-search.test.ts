import * as fc from 'fast-check';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { buildOutline, type SpecDocument } from '../outline.ts';
import { parseMarkdown } from '../markdown.ts';
import type { SearchHit } from '../specification.ts';
import { Postings } from './postings.ts';
import { SpecSearch } from './spec-search.ts';
import { wordsOf } from './words.ts';

async function searchOver(texts: Readonly<Record<string, string>>): Promise<SpecSearch> {
  const documents = Object.entries(texts).map(([name, text]): SpecDocument => {
    const lines = text.split('\n');
    const { headings, bodyLine } = parseMarkdown(lines);
    return { name, lines, headings, bodyLine };
  });
  return SpecSearch.over(buildOutline(documents, documents.length === 1 ? 'file' : 'folder'), documents);
}

const found = (hits: readonly SearchHit[]): string[] =>
  hits.map(({ section, text }) => `${section}: ${text}`);

const engine = [
  '# Engine',
  'Rows are kept in tables. A query reads rows.',
  '## Primary keys',
  'A table has one primary key at most.',
  'Its values are unique.',
  '## Foreign keys',
  'A foreign key names the primary key of another table.',
  'It is checked at the end of a transaction.',
  '## Operators',
  'a || b joins texts; a <> b is true where they differ.',
  'getRowCount() and order_by are names.',
  '## Transactions',
  'COMMIT ends a transaction. ROLLBACK undoes it.',
  'A timestamp is taken.',
].join('\n');

describe('a search', () => {
  it('gives the lines with most of the words, from the best section on', async () => {
    const search = await searchOver({ 'engine.md': engine });
    expect(found(search.search('primary key', 10))).toEqual([
      'engine/primary-keys: A table has one primary key at most.',
      'engine/primary-keys: ## Primary keys',
      'engine/foreign-keys: A foreign key names the primary key of another table.',
    ]);
    expect(found(search.search('primary key', 1))).toHaveLength(1);
    expect(search.search('primary key', 0)).toEqual([]);
  });

  it.each([
    ['in any case', 'rollback UNDOES', 'COMMIT ends a transaction. ROLLBACK undoes it.'],
    ['by their beginnings', 'trans rollb', 'COMMIT ends a transaction. ROLLBACK undoes it.'],
    ['with a letter wrong', 'rolback', 'COMMIT ends a transaction. ROLLBACK undoes it.'],
    ['with letters exchanged', 'foriegn', '## Foreign keys'],
    ['that stand in names', 'row count', 'getRowCount() and order_by are names.'],
    ['that are whole names', 'getRowCount', 'getRowCount() and order_by are names.'],
    ['joined by a sign', 'order_by', 'getRowCount() and order_by are names.'],
    ['that are signs', '||', 'a || b joins texts; a <> b is true where they differ.'],
    ['and signs', 'a <> b', 'a || b joins texts; a <> b is true where they differ.'],
    ['that are the middle of a word', 'imesta', 'A timestamp is taken.'],
    [
      'though others are nowhere',
      'rollback zebra crossing',
      'COMMIT ends a transaction. ROLLBACK undoes it.',
    ],
  ])('finds words %s', async (_, query, line) => {
    const search = await searchOver({ 'engine.md': engine });
    expect(search.search(query, 10)[0]?.text).toBe(line);
  });

  it.each(['', '  ', 'zebra', '@@'])('finds nothing for %j', async (query) => {
    expect((await searchOver({ 'engine.md': engine })).search(query, 10)).toEqual([]);
  });

  it('prefers a word as it stands to one that begins with it, and that to a similar one', async () => {
    const search = await searchOver({
      'a.md': '# A\nindexes are here\n',
      'b.md': '# B\nthe index is here\n',
      'c.md': '# C\nthe indox is here\n',
    });
    expect(search.search('index', 10).map(({ document }) => document)).toEqual(['b.md', 'a.md']);
    expect(search.search('indax', 10).map(({ document }) => document)).toEqual(['b.md', 'c.md']);
  });

  it('finds words of scripts without blanks, and however an accent is written', async () => {
    const search = await searchOver({ 'a.md': '# 数据库\n主键是唯一的。\n# Café\nUn caf\u00E9 noir.\n' });
    expect(search.search('唯一', 5).map(({ line }) => line)).toEqual([2]);
    expect(search.search('cafe\u0301 noir', 5).map(({ line }) => line)).toEqual([4]);
  });

  it('finds a section by its title where no line of it holds the words', async () => {
    const document = {
      name: 'p.html',
      lines: ['Some text.'],
      headings: [],
      bodyLine: 1,
      title: 'Window functions',
    };
    const search = await SpecSearch.over(buildOutline([document], 'file'), [document]);
    expect(search.search('window', 5)).toEqual([
      { section: 'p', document: 'p.html', line: 1, text: 'Some text.' },
    ]);
  });

  it('shows of a long line what was found', async () => {
    const line = `${'before '.repeat(2000)}needle ${'after '.repeat(9000)}`;
    const [hit] = (await searchOver({ 'a.md': `# A\n\n${line}` })).search('needle', 5);
    expect(hit?.line).toBe(3);
    expect(hit?.text).toMatch(/^…(?:before )+needle (?:after )+\w*…$/u);
    expect(hit?.text.length).toBeLessThanOrEqual(200);
  });

  it.each([
    ['of many parts', 'aB'.repeat(300_000), 'ab'],
    ['without blanks', '数据'.repeat(150_000), '数据'],
  ])('finds a line that is one word %s', async (_, line, query) => {
    const search = await searchOver({ 'a.md': `# A\n\n${line}` });
    expect(search.search(query, 5)[0]?.line).toBe(3);
  });

  it('finds each line of a long section', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `Line number${index} of this section.`);
    const search = await searchOver({ 'a.md': `# A\n${lines.join('\n')}` });
    for (const number of [0, 777, 4999]) {
      expect(search.search(`number${number}`, 1)[0]?.line).toBe(number + 2);
    }
  });
});

const word = fc.constantFrom(
  'alpha',
  'beta',
  'gamma',
  'alphabet',
  'get',
  'getRows',
  'x1',
  '数据库',
  'Äpfel',
  '||',
  '—',
);
const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
const text = fc.array(
  fc.oneof(
    line,
    line.map((title) => `# ${title}`),
  ),
  { minLength: 1, maxLength: 30 },
);

describe('every search', () => {
  it('finds each word of a specification in a line that holds it, and the same lines again', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (lines) => {
        const [search, again] = [
          await searchOver({ 'a.md': lines.join('\n') }),
          await searchOver({ 'a.md': lines.join('\n') }),
        ];
        const words = new Set(
          lines
            .join(' ')
            .split(/[ #]+/u)
            .filter((each) => each !== ''),
        );
        for (const each of words) {
          const hits = search.search(each, 5);
          expect(hits.length).toBeGreaterThan(0);
          expect(hits.length).toBeLessThanOrEqual(5);
          for (const hit of hits) expect(hit.text).toBe(lines[hit.line - 1]);
          expect(hits[0]?.text.toLowerCase()).toContain(each.toLowerCase());
          expect(again.search(each, 5)).toEqual(hits);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('ends, whatever the query', async () => {
    const search = await searchOver({ 'engine.md': engine });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (query) => {
        expect(search.search(query, 50).length).toBeLessThanOrEqual(50);
      }),
    );
  });
});

it('the index is the one that MiniSearch makes of the same texts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(line, line), { maxLength: 12 }), (pieces) => {
      const postings = new Postings();
      for (const [title, body] of pieces) postings.add(wordsOf(title), wordsOf(body));
      const steps = postings.serialized();
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      const reference = new MiniSearch({
        fields: ['title', 'text'],
        tokenize: wordsOf,
        processTerm: (each) => each,
      });
      reference.addAll(pieces.map(([title, body], id) => ({ id, title, text: body })));
      const { index, averageFieldLength, ...rest } = reference.toJSON();
      const inOrder = (words: typeof index): typeof index =>
        words.toSorted(([left], [right]) => (left < right ? -1 : 1));
      const { index: ours, averageFieldLength: average, ...others } = step.value;
      expect(inOrder(ours)).toEqual(inOrder(index));
      expect(others).toEqual(rest);
      for (const [field, length] of averageFieldLength.entries()) expect(average[field]).toBeCloseTo(length);
    }),
  );
});
