/**
 * `npm run bench -- spec [--json]`: how long a specification of 1,000 HTML pages takes to load, its search index
 * included, and to search. The pages are the same each time. Times are wall clock; each is a median.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeFileSystem } from '#edges/file-system.ts';
import { openSpecification } from '#spec/open-specification.ts';
import type { Specification } from '#spec/specification.ts';
import { median } from './median.ts';

export interface SpecResult {
  /** From the path to a specification that can be searched. */
  readonly spec_load_s: number;
  readonly spec_load_worst_s: number;
  readonly spec_load_goal_s: number;
  /** Of processor time: what a load takes on a machine that does much else. */
  readonly spec_load_cpu_s: number;
  readonly spec_search_ms: number;
  readonly spec_search_worst_ms: number;
  /** The longest time for which the load let nothing else run. */
  readonly spec_block_max_ms: number;
  readonly pages: number;
  readonly mb: number;
  readonly sections: number;
  readonly runs: number;
}

const goalSeconds = 5;
const pages = 1000;
const runs = 5;

const consonants = 'bcdfghklmnprstvwz';
const vowels = 'aeiou';
const common =
  'the of a to and in is that it for as with be by on not this which are or from an at if must may each'.split(
    ' ',
  );
const terms =
  'table column row index key value query select join group order null primary foreign constraint trigger view cursor transaction commit rollback isolation buffer page cache lock'.split(
    ' ',
  );

/** Text with the statistics of prose: few words are frequent, many are rare. */
class Prose {
  #state: number;
  readonly #words: readonly string[];

  constructor(seed: number) {
    this.#state = seed;
    this.#words = [...common, ...terms, ...Array.from({ length: 20_000 }, () => this.#coin())];
  }

  /** In [0, 1): mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** By Zipf's law. */
  word(): string {
    return this.#words[Math.floor((this.#words.length + 1) ** this.next()) - 1] ?? 'word';
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  #coin(): string {
    const letter = (letters: string): string => letters[Math.floor(this.next() * letters.length)] ?? '';
    return Array.from({ length: this.between(1, 4) }, () => letter(consonants) + letter(vowels)).join('');
  }
}

function paragraph(prose: Prose): string {
  const sentences = Array.from({ length: prose.between(2, 5) }, () => {
    const [start, middle, end] = [
      prose.words(prose.between(3, 9)),
      prose.word(),
      prose.words(prose.between(3, 9)),
    ];
    return `${start} <code class="docutils literal notranslate"><span class="pre">${middle}</span></code> ${end}. <a class="reference internal" href="page-${prose.between(0, 999)}.html#s">${prose.words(2)}</a>`;
  });
  return `<p>${sentences.join(' &mdash; ')}</p>\n`;
}

function table(prose: Prose): string {
  const row = (cell: string): string =>
    `<tr class="row">${Array.from({ length: 3 }, () => `<${cell}><p>${prose.words(prose.between(1, 6))}</p></${cell}>`).join('')}</tr>`;
  const rows = Array.from({ length: prose.between(3, 9) }, () => row('td')).join('\n');
  return `<table class="docutils align-default">\n<thead>${row('th')}</thead>\n<tbody>${rows}</tbody></table>\n`;
}

function listing(prose: Prose): string {
  const lines = Array.from(
    { length: prose.between(3, 12) },
    () =>
      `<span class="k">SELECT</span> <span class="n">${prose.word()}</span> <span class="o">&lt;=</span> ${prose.word()};`,
  );
  return `<div class="highlight"><pre><span></span>${lines.join('\n')}\n</pre></div>\n`;
}

function list(prose: Prose): string {
  return `<ul class="simple">\n${Array.from({ length: prose.between(2, 7) }, () => `<li><p>${prose.words(prose.between(4, 15))}</p></li>`).join('\n')}\n</ul>\n`;
}

/** A page as documentation tools write it, of 20 to 50 KB. */
function page(prose: Prose, number: number): string {
  const target = prose.between(20, 50) * 1024;
  const navigation = Array.from(
    { length: 60 },
    (_, index) =>
      `<li class="toctree-l1"><a class="reference internal" href="page-${index}.html">${prose.words(2)}</a></li>`,
  );
  let body = '';
  let section = 0;
  while (body.length + navigation.join('').length < target - 1500) {
    section += 1;
    const level = section % 3 === 0 ? 3 : 2;
    body += `<section id="s${section}">\n<h${level}>${section}. ${prose.words(prose.between(1, 4))}<a class="headerlink" href="#s${section}" title="Link">¶</a></h${level}>\n`;
    const blocks = prose.between(2, 5);
    for (let block = 0; block < blocks; block += 1) {
      const kinds = [paragraph, paragraph, paragraph, table, listing, list];
      body += (kinds[prose.between(0, kinds.length - 1)] ?? paragraph)(prose);
    }
    body += '</section>\n';
  }
  return `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>${prose.words(3)}</title>
<link rel="stylesheet" href="_static/style.css"><script src="_static/a.js"></script><style>body { margin: 0 }</style></head>
<body><nav><ul>${navigation.join('\n')}</ul></nav>
<main role="main"><h1>Chapter ${number}: ${prose.words(3)}<a class="headerlink" href="#top">¶</a></h1>\n${body}</main>
<script>window.pages = [${number}];</script></body></html>\n`;
}

/** @returns bytes that were written */
function writePages(folder: string): number {
  const prose = new Prose(20_260_727);
  let bytes = 0;
  for (let number = 0; number < pages; number += 1) {
    const part = join(folder, `part-${Math.floor(number / 100)}`);
    mkdirSync(part, { recursive: true });
    const content = Buffer.from(page(prose, number));
    bytes += content.byteLength;
    writeFileSync(join(part, `page-${number}.html`), content);
  }
  return bytes;
}

const queries = [
  'primary key',
  'transaction isolation',
  'foreign key constraint',
  'null',
  'isol',
  'primray',
  'commit rollback buffer',
  'the order of a query',
  '<=',
  'nowhere-at-all',
];

interface Load {
  readonly spec: Specification;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly blockedMs: number;
}

async function load(folder: string): Promise<Load> {
  let blockedMs = 0;
  let last = performance.now();
  const ticking = setInterval(() => {
    const now = performance.now();
    blockedMs = Math.max(blockedMs, now - last - 1);
    last = now;
  }, 1);
  const start = performance.now();
  const usage = process.cpuUsage();
  const spec = await openSpecification(folder, nodeFileSystem);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(usage);
  await new Promise((resolve) => {
    setTimeout(resolve, 2);
  });
  clearInterval(ticking);
  return { spec, seconds, cpuSeconds: (user + system) / 1e6, blockedMs };
}

function rounded(number: number, digits: number): number {
  return Number(number.toFixed(digits));
}

/** @param json says nothing while it runs when true */
export async function benchSpec(json: boolean): Promise<SpecResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-spec-'));
  try {
    const bytes = writePages(folder);
    const loads: Omit<Load, 'spec'>[] = [];
    const searches: number[] = [];
    let sections = 0;
    for (let run = 1; run <= runs; run += 1) {
      const { spec, seconds, cpuSeconds, blockedMs } = await load(folder);
      loads.push({ seconds, cpuSeconds, blockedMs });
      sections = spec.outline.length;
      for (const query of queries) {
        const start = performance.now();
        const hits = spec.search(query, 50);
        const milliseconds = performance.now() - start;
        searches.push(milliseconds);
        if (!json && run === 1) console.log(`${query}: ${hits.length} hits, ${milliseconds.toFixed(1)} ms`);
      }
      if (!json)
        console.log(
          `load ${run}: ${seconds.toFixed(2)} s, of the processor ${cpuSeconds.toFixed(2)} s, blocked ${blockedMs.toFixed(0)} ms at most`,
        );
    }
    const seconds = loads.map((each) => each.seconds);
    return {
      spec_load_s: rounded(median(seconds), 2),
      spec_load_worst_s: rounded(Math.max(...seconds), 2),
      spec_load_goal_s: goalSeconds,
      spec_load_cpu_s: rounded(median(loads.map((each) => each.cpuSeconds)), 2),
      spec_search_ms: rounded(median(searches), 1),
      spec_search_worst_ms: rounded(Math.max(...searches), 1),
      spec_block_max_ms: rounded(Math.max(...loads.map((each) => each.blockedMs)), 0),
      pages,
      mb: rounded(bytes / 1e6, 1),
      sections,
      runs,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function specLine(result: SpecResult): string {
  return `${result.pages} pages (${result.mb} MB, ${result.sections} sections): loaded in ${result.spec_load_s} s (goal: under ${goalSeconds} s), searched in ${result.spec_search_ms} ms, worst ${result.spec_search_worst_ms} ms`;
}
