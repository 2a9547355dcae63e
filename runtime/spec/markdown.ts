import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Heading, ParsedDocument } from './heading.ts';

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number];

/** Lines that are parsed at once. The parser's time grows with the square of its input, so it gets pieces. */
const pieceLines = 200;

/** Only blocks matter for the outline. */
const blocksOnly = {
  disable: {
    null: [
      'attention',
      'autolink',
      'characterEscape',
      'characterReference',
      'codeText',
      'hardBreakEscape',
      'htmlText',
      'labelEnd',
      'labelStartImage',
      'labelStartLink',
    ],
  },
};

/** A title is one line of text, even where it looks like a list or a quote. */
const textOnly = {
  disable: {
    null: [
      'blockQuote',
      'codeFenced',
      'codeIndented',
      'definition',
      'headingAtx',
      'htmlFlow',
      'list',
      'setextUnderline',
      'thematicBreak',
    ],
  },
};

function textOf(node: Node): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value;
  if (node.type === 'image') return node.alt ?? '';
  if (node.type === 'break') return ' ';
  return 'children' in node ? node.children.map((child) => textOf(child)).join('') : '';
}

/** The words of a title, without marks, tags and the `{#name}` that some dialects put behind it. */
function titleOf(raw: string): string {
  const source = raw.replace(/\s*\{#[^}]*\}\s*$/u, '');
  const text = /[\\`*_[\]<>&]/u.test(source)
    ? textOf(fromMarkdown(source, { extensions: [textOnly] }))
    : source;
  return text.replace(/\s+/gu, ' ').trim();
}

/** A line that YAML front matter can hold: a key, what belongs to it, a comment. */
const metadata = /^(?:[\w"'.-]+\s*:(?:\s|$)|\s+\S|-\s|#|$)/u;

/** The line after YAML front matter, 1-based; 1 when there is none. It would be taken for a heading otherwise. */
function lineAfterFrontMatter(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 1;
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/u.test(line));
  const isMetadata = end > 1 && lines[1] !== '' && lines.slice(1, end).every((line) => metadata.test(line));
  return isMetadata ? end + 2 : 1;
}

/**
 * The headings of a Markdown document, ATX and setext, but none inside code, quotes, lists or HTML. The text is parsed
 * in pieces: all blocks of a piece but the last are complete, and the next piece begins with the last.
 */
export function parseMarkdown(lines: readonly string[]): ParsedDocument {
  const bodyLine = lineAfterFrontMatter(lines);
  const headings: Heading[] = [];
  let from = bodyLine - 1;
  let length = pieceLines;
  while (from < lines.length) {
    const piece = lines.slice(from, from + length);
    const isLast = from + length >= lines.length;
    const blocks = fromMarkdown(piece.join('\n'), { extensions: [blocksOnly] }).children;
    const complete = isLast ? blocks : blocks.slice(0, -1);
    for (const block of complete) {
      if (block.type !== 'heading') continue;
      const line = from + (block.position?.start.line ?? 1);
      headings.push({ title: titleOf(textOf(block)), depth: block.depth, line });
    }
    const open = isLast ? undefined : blocks.at(-1)?.position?.start.line;
    // A block that fills the piece needs a longer one.
    length = open === 1 ? length * 2 : pieceLines;
    from = open === undefined ? from + piece.length : from + open - 1;
  }
  return { headings, bodyLine };
}
