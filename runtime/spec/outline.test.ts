import * as fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from './markdown.ts';
import { buildOutline, type SpecDocument } from './outline.ts';
import { parsePlainText } from './plain-text.ts';

const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', '', 'text', 'more text', '1. x', '1.1 Terms', '2 Rules') },
  fc.constantFrom(
    '# A',
    '## B',
    '### A',
    '###### 1.2 A',
    '#',
    '# B #',
    '===',
    '---',
    '~~~',
    '```',
    '    code',
  ),
  fc.constantFrom(
    '- item',
    '  # in item',
    '> # quote',
    '<div>',
    '</div>',
    '<!--',
    '-->',
    '[a]: b',
    '## `c` *d*',
  ),
  fc.string({ maxLength: 8 }).map((text) => text.replace(/[\r\n]/gu, '')),
);
const lines = fc.array(line, { maxLength: 60 });

const markdown = (name: string, text: readonly string[]): SpecDocument => ({
  name,
  lines: text,
  ...parseMarkdown(text),
});
const plain = (name: string, text: readonly string[]): SpecDocument => ({
  name,
  lines: text,
  ...parsePlainText(text),
});

/** What is wrong with the ids and ranges of an outline. */
function problems(documents: readonly SpecDocument[], kind: 'file' | 'folder'): string[] {
  const outline = buildOutline(documents, kind);
  const found: string[] = [];
  if (new Set(outline.map(({ id }) => id)).size < outline.length) found.push('an id is not unique');
  for (const document of documents) {
    const covered = new Map<number, string>();
    for (const section of outline.filter((candidate) => candidate.document === document.name)) {
      for (let number = section.firstLine; number <= section.lastLine; number += 1) {
        if (covered.has(number)) found.push(`line ${number} is in two sections`);
        covered.set(number, section.id);
      }
    }
    for (const [index, text] of document.lines.entries()) {
      if (text.trim() === '' || index + 1 < document.bodyLine || covered.has(index + 1)) continue;
      found.push(`line ${index + 1} is in no section`);
    }
  }
  return found;
}

describe('an outline', () => {
  it('has unique ids, and its sections cover each line with text once', () => {
    fc.assert(
      fc.property(lines, lines, lines, (first, second, third) => {
        const many = [markdown('a.md', first), markdown('a/a.md', second), plain('a.txt', third)];
        expect(problems(many, 'folder')).toEqual([]);
        for (const document of many) expect(problems([document], 'file')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('has levels that rise by one at most', () => {
    fc.assert(
      fc.property(lines, (text) => {
        const levels = buildOutline([markdown('a.md', text)], 'file').map(({ level }) => level);
        for (const [index, level] of levels.entries()) {
          expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1);
        }
      }),
    );
  });
});

describe('Markdown in pieces', () => {
  it('has the same headings as in one', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 150, maxLength: 900 }), (text) => {
        const whole = fromMarkdown(text.join('\n')).children.flatMap((block) =>
          block.type === 'heading' ? [[block.position?.start.line, block.depth]] : [],
        );
        const { headings, bodyLine } = parseMarkdown(text);
        fc.pre(bodyLine === 1);
        expect(headings.map((heading) => [heading.line, heading.depth])).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  it('is read in time that grows with its size', () => {
    const text = Array.from({ length: 20_000 }, (_, index) =>
      index % 9 === 0 ? `## H ${index}` : 'Some words here.',
    );
    const began = performance.now();
    expect(parseMarkdown(text).headings).toHaveLength(2223);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
