import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildOutline } from '../outline.ts';
import type { RenderedPage } from './page-renderer.ts';
import { parseHtml } from './parse-html.ts';

function parse(page: string, length?: number): RenderedPage {
  const steps = parseHtml(page, length);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

const textOf = (page: string): string => parse(page).lines.join('\n');
const titles = (page: string): string[] =>
  parse(page).headings.map(({ title, depth }) => `${depth} ${title}`);

describe('a page', () => {
  it('has its headings wherever they stand, with the lines they are on', () => {
    const { lines, headings } = parse(
      '<main><article><h1>One</h1><p>text</p><section><h2 id="x">Two</h2></section></article></main>' +
        '<table><tr><td>a<td><h3>Three</h3>b</table><ul><li><h4>Four</h4></ul><blockquote><h6>Six</h6></blockquote>',
    );
    expect(headings.map(({ title, depth, line }) => [title, depth, lines[line - 1]])).toEqual([
      ['One', 1, '# One'],
      ['Two', 2, '## Two'],
      ['Three', 3, '### Three'],
      ['Four', 4, '#### Four'],
      ['Six', 6, '###### Six'],
    ]);
  });

  it.each([
    ['entities', 'a &lt; b &amp;&amp; c &#x2260; d&nbsp;e &hellip; AT&T', 'a < b && c ≠ d e … AT&T'],
    ['white space as a browser shows it', ' <b> a\n\t b </b>  c<br> d <wbr>e', 'a b c\nd e'],
    ['the text of links', 'see <a href="x">the <i>page</i></a>.', 'see the page.'],
    [
      'code, and what was struck out',
      '<code>x</code> <del>no</del> <q>q</q> <code></code>',
      '`x` ~~no~~ "q"',
    ],
    ['powers and indices', '2<sup>10</sup> x<sub>i</sub> 2<sup>n + 1</sup>', '2^10 x_i 2^(n + 1)'],
    ['what a picture shows', 'a <img src=x alt="red &amp; blue"> <img alt="">b', 'a [image: red & blue] b'],
    [
      'nested lists',
      '<ul><li>a<ol start=9><li>b<li>c</ol><li><p>d<p>e</ul>f',
      '- a\n  9. b\n  10. c\n- d\n\n  e\n\nf',
    ],
    ['definitions', '<dl><dt>a<dd>b<dt>c<dd><p>d</p></dl>', 'a\n: b\nc\n: d'],
    ['quotes', 'a<blockquote><p>b</p><p>c</p></blockquote>d', 'a\n\n> b\n>\n> c\n\nd'],
    [
      'code blocks with their white space',
      '<p>a<pre><code>x &lt; 1\n  <b>y</b>\n\n\tz  \n</code></pre>b',
      'a\n\n```\nx < 1\n  y\n\n\tz  \n```\n\nb',
    ],
    ['code that holds a fence', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
    ['a line for each block in code', '<pre><div>a</div><div>b<br>c</div></pre>', '```\na\nb\nc\n```'],
    [
      'tables',
      '<table><caption>T</caption><thead><tr><th>a<th>b</thead><tr><td><p>1</p><p>2</p><td>x|y<tr><td colspan=2>z</table>',
      'T\n| a | b |\n| --- | --- |\n| 1 2 | x\\|y |\n| z |  |',
    ],
    [
      'tables that are a layout',
      '<table><tr><td>menu<td><p>a<ul><li>b</ul><td>c</table>',
      '| menu | a |\n\n- b\n\nc',
    ],
    ['a rule', 'a<hr>b', 'a\n\n---\n\nb'],
    [
      'all but navigation, scripts, styles, templates and drawings',
      '<nav><h2>n</h2></nav><div role="navigation">n</div><script>if (a<b) "</p>"</script><style>p{}</style>' +
        '<template><h2>t</h2></template><noscript>n</noscript><svg><title>s</title><text>s</text></svg><svg/>text',
      'text',
    ],
  ])('is read with %s', (_, page, text) => {
    expect(textOf(page)).toBe(text);
  });

  it('has the title of its head, which is no text of it', () => {
    expect(parse('<title> A &amp;\n B </title><title>C</title><svg><title>D</title></svg>text')).toEqual({
      title: 'A & B',
      headings: [],
      lines: ['text'],
      bodyLine: 1,
    });
  });

  it('has headings without the marks that link to themselves', () => {
    const page = '<h1>A<a href="#a">¶</a></h1><h2><a href="#b">#</a> B</h2><h2>C#</h2><h2><a>D #</a></h2>';
    expect(titles(page)).toEqual(['1 A', '2 B', '2 C#', '2 D #']);
  });
});

describe('a malformed page', () => {
  it.each([
    ['headings that are not closed', '<h1>A<p>a<h2>B<ul><li>b</ul><h3>C', ['1 A', '2 B', '3 C']],
    ['an end tag of another level', '<h1>A</h2>a<h2>B</h1>b', ['1 A', '2 B']],
    ['an empty heading', '<h1></h1><h2> &nbsp; </h2><h3>C</h3>', ['3 C']],
    ['blocks in a heading', '<h1><p>A</p></h1><h2><div>B</div><div>b</div></h2>', ['1 A', '2 B b']],
    ['a heading in code', '<pre>x\n<h2>A</h2>\ny</pre>', ['2 A']],
    ['a navigation that is not closed', '<div><nav><h2>n</h2></div><h1>A</h1>', ['1 A']],
    ['a navigation that runs into the page', '<nav><ul><li>n<main><h1>A</h1></main>', ['1 A']],
    ['a heading that its section closes', '<section><h1>A</section><h2>B</h2>', ['1 A', '2 B']],
    ['cells without a table', '<td>x<h1>A</h1><tr><th>y', ['1 A']],
    ['a tag that is not finished', '<h1>A</h1><p class="', ['1 A']],
  ])('with %s has its headings all the same', (_, page, headings) => {
    expect(titles(page)).toEqual(headings);
  });

  it('keeps what stands in code before and after a heading', () => {
    expect(textOf('<pre>x\n<h2>A</h2>\ny</pre>')).toBe('```\nx\n```\n\n## A\n\n```\ny\n```');
  });

  it('ends what an outer end tag ends, but nothing outside of a cell', () => {
    expect(textOf('<div><ul><li>a</div>b<table><tr><td>c</div>d</table>')).toBe('- a\n\nb\n\ncd');
  });

  it('has long titles cut in the outline, but not in the text', () => {
    const { headings, lines } = parse(`<h1>${'word '.repeat(1000)}`);
    expect(headings[0]?.title).toMatch(/^(?:word ){40}…$/u);
    expect(lines[0]).toHaveLength(2 + 4999);
  });
});

const names =
  'h1 h2 h6 p div ul ol li dl dt dd table thead tbody tr td th pre code blockquote a b sup sub del br hr img nav main section title script style svg template textarea select option details xmp'.split(
    ' ',
  );
const others = fc.oneof(
  fc.constantFrom(
    'text',
    ' ',
    '\r\n',
    '|',
    '`',
    '&amp;',
    '&#10;',
    '&#13;',
    '&',
    '<',
    '</',
    '<!',
    '<!--',
    '-->',
  ),
  fc.constantFrom(
    ']]>',
    '<![CDATA[',
    '<p title="<h1>">',
    "<p a='",
    '<td colspan=9>',
    '<ol start=x>',
    '<ol start=-3>',
  ),
  fc.constantFrom('<div role=navigation>', '<h1 title="'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

function soupOf(tags: readonly string[]): fc.Arbitrary<string> {
  const tag = fc.constantFrom(...tags.flatMap((name) => [`<${name}>`, `</${name}>`]));
  return fc
    .array(fc.oneof({ weight: 2, arbitrary: tag }, others), { maxLength: 80 })
    .map((all) => all.join(''));
}

describe('a page, whatever it holds,', () => {
  it('becomes lines, with headings on them, that sections cover', () => {
    fc.assert(
      fc.property(soupOf(names), (page) => {
        const parsed = parse(page);
        const { lines, headings } = parsed;
        for (const line of lines) expect(line).not.toMatch(/[\r\n]/u);
        for (const [index, { line, depth }] of headings.entries()) {
          expect(lines[line - 1]?.startsWith(`${'#'.repeat(depth)} `)).toBe(true);
          expect(line).toBeGreaterThan(headings[index - 1]?.line ?? 0);
        }
        const outline = buildOutline([{ name: 'a.html', ...parsed }], 'folder');
        const covered = new Set(
          outline.flatMap(({ firstLine, lastLine }) =>
            Array.from({ length: Math.max(0, lastLine - firstLine + 1) }, (_, index) => firstLine + index),
          ),
        );
        expect(lines.filter((line, index) => line !== '' && !covered.has(index + 1))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('becomes the same lines, wherever the reading paused', () => {
    // What these do depends on whether their text is short, in pieces too.
    const tags = names.filter((name) => !['a', 'sub', 'sup'].includes(name));
    fc.assert(
      fc.property(soupOf(tags), fc.integer({ min: 1, max: 40 }), (page, length) => {
        expect(parse(page, length)).toEqual(parse(page));
      }),
      { numRuns: 500 },
    );
  });
});

/** Markup as it should be, in which each word occurs once. */
function wellFormed(): fc.Arbitrary<string> {
  const block = fc.letrec<{ readonly block: string }>((tie) => {
    const blocks = fc.array(tie('block'), { maxLength: 4 }).map((all) => all.join(''));
    const within = (before: string, after: string): fc.Arbitrary<string> =>
      blocks.map((all) => `${before}${all}${after}`);
    return {
      block: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.constantFrom(
          'WORD ',
          '<p>WORD WORD</p>',
          '<h2>WORD</h2>',
          '<pre>WORD\nWORD</pre>',
          '<b>WORD</b><br>',
        ),
        within('<div>', '</div>'),
        within('<section>WORD', '</section>'),
        within('<ul><li>WORD</li><li>', '</li></ul>'),
        within('<ol><li>', '</li><li>WORD</li></ol>'),
        within('<dl><dt>WORD</dt><dd>', '</dd></dl>'),
        within('<blockquote>', '</blockquote>'),
        within('<table><tr><td>WORD</td><td>', '</td><td>WORD</td></tr></table>'),
      ),
    };
  }).block;
  return fc.array(block, { maxLength: 6 }).map((blocks) => {
    let count = 0;
    return blocks.join('').replaceAll('WORD', () => `w${(count += 1)}`);
  });
}

it('no word of a page is lost, and none changes its place', () => {
  fc.assert(
    fc.property(wellFormed(), (page) => {
      expect(textOf(page).match(/w\d+/gu) ?? []).toEqual(page.match(/w\d+/gu) ?? []);
    }),
    { numRuns: 500 },
  );
});

describe('a huge or hostile page is read in time that grows with its size:', () => {
  const size = 2 * 1024 ** 2;
  const filled = (unit: string): string => unit.repeat(Math.ceil(size / unit.length));
  it.each([
    ['elements that are never closed', filled('<div><b>')],
    ['100,000 elements in each other', `${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}`],
    ['lists in each other', filled('<ul><li>a')],
    ['tables in each other', filled('<table><tr><td>a')],
    ['quotes in each other', filled('<blockquote>a')],
    ['code that is never closed', filled('<pre>a')],
    ['items in a deep list', `${'<ul>'.repeat(300)}${filled('<li>')}`],
    ['end tags of nothing', `${'<ul><li><table><tr>'.repeat(100)}${filled('</td></x></dl>')}`],
    ['end tags that cells hold up', `<div>${'<table><tr><td>'.repeat(80)}${filled('</div>')}`],
    ['10 MB of attributes', `<p ${filled('a="&amp;x" ').repeat(5)}>text`],
    ['one attribute', `<img alt="${filled('x &lt; ')}">text`],
    ['entities', filled('&amp;&#x26;&notanentity;&')],
    ['comments that are never closed', filled('<!--')],
    ['brackets', filled('<')],
    ['powers in each other', filled('<sup>a<sub>b</sub>')],
    ['links in a heading', `<h1>${filled('<a>#x</a>')}`],
    ['headings of one name', filled('<h2>a</h2>')],
    ['blank lines in code', `<pre>${filled('\n')}x</pre>`],
    ['blanks', filled(' \u00A0')],
    ['backquotes in code', `<pre>${filled('````` ')}</pre>`],
    ['drawings in each other', filled('<svg><g>')],
    ['forms in each other', filled('<form>')],
  ])('%s', { timeout: 60_000 }, (_, page) => {
    const began = performance.now();
    const parsed = parse(page);
    const outline = buildOutline([{ name: 'a.html', ...parsed }], 'file');
    expect(outline.length).toBeGreaterThan(0);
    // Seconds, where time that grew with the square would be hours.
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
