import { expect, it } from 'vitest';
import { eventLine, outputLines } from './event-lines.ts';
import { SampleRun, sampleConflict } from './sample-events.ts';

const run = new SampleRun()
  .create()
  .task('root', 'planner')
  .start('root', 'openai/large')
  .task('root/a', 'worker')
  .sleep('root')
  .start('root/a')
  .commit('root/a', 'Add a', ['src/b.js'])
  .park('root/a', 'root/a#1.2.0', [sampleConflict('src/a.js', 'root/a', 'root')])
  .commit('root/a', 'Settle', [], 'root/a#1.2.0')
  .verify(1)
  .verify(0)
  .end('root/a', 'Done.\u001b[2J\nReally.');

it('tells what a person wants to follow, one line an event', () => {
  const lines = run.events.map((event) => eventLine(event)).filter(({ always }) => always);
  expect(`\n${lines.map(({ label, text }) => `${label}: ${text}`).join('\n')}\n`).toMatchInlineSnapshot(`
    "
    run: A shop in /home/shop
    imported: 0 files of the workspace
    started: root (openai/large)
    started: root/a (openai/small)
    merge: root/a: Add a (2 files; merged with others' edits: src/b.js)
    conflict: root/a: src/a.js (content) against root
    resolved: root/a: Settle (1 file)
    not green: 00000002: \`node --test\` ended with 1 in 1.2 s
    green: 00000002: \`node --test\` ended with 0 in 1.2 s
    done: root/a: Done. Really.
    "
  `);
});

it('says that a price is unknown', () => {
  const call = { key: 'k', account: 'root/a', role: 'worker', model: 'compatible/x', usd: null } as const;
  const calls = new SampleRun()
    .create()
    .add(
      { type: 'call.reserved', ...call, tokens: 900 },
      { type: 'call.settled', ...call, usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 2 } },
    );
  expect(calls.events.slice(-2).map((event) => eventLine(event).text)).toEqual([
    'k: at most 900 tokens, price unknown',
    'k: 1 in, 2 out, price unknown, compatible/x',
  ]);
});

it('lets no control character of a model through', () => {
  for (const event of run.events) expect(eventLine(event).text).not.toMatch(/\p{Cc}/u);
});

it('shows the end of what a failed verification wrote, and nothing for one that passed', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const failed = new SampleRun()
    .create()
    .verify(1, `${lines.join('\n')}\u001b[2J\n`)
    .events.at(-1);
  const shown = failed && outputLines(failed);
  expect(shown).toEqual(['… 10 lines before', ...lines.slice(10)]);
  const passed = new SampleRun().create().verify(0, 'all well\n').events.at(-1);
  expect(passed && outputLines(passed)).toEqual([]);
  const silent = new SampleRun().create().verify(1).events.at(-1);
  expect(silent && outputLines(silent)).toEqual([]);
});
