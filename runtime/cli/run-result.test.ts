import { describe, expect, it } from 'vitest';
import type { RunStatus } from '#protocol/events.ts';
import { exitCode, resultJson, type RunOutcome, summaryLines } from './run-result.ts';
import { SampleRun, snapshot } from './sample-events.ts';

function outcome(run: SampleRun, status: RunStatus, change: Partial<RunOutcome> = {}): RunOutcome {
  return {
    status,
    state: run.projection,
    store: '/s',
    wantsLanding: true,
    landed: false,
    files: [...(run.projection.landing?.files.values() ?? [])],
    ...change,
  };
}

function finished(change: { readonly verify?: null } = {}): SampleRun {
  return new SampleRun()
    .create(change)
    .task('root', 'planner')
    .start('root')
    .commit('root', 'All')
    .end('root', 'Done');
}

function landed(run: SampleRun, waits: boolean): SampleRun {
  const head = snapshot(1);
  run.add(
    { type: 'landing.started', snapshot: head, verified: true, paths: 2 },
    { type: 'landing.file', snapshot: head, file: { path: 'a.js', result: 'written' }, hash: 'x' },
  );
  if (waits) {
    const reason = 'its package scripts change; it needs your approval';
    run.add({
      type: 'landing.file',
      snapshot: head,
      file: { path: 'package.json', result: 'waits', reason },
    });
  }
  return run.add({ type: 'landing.ended', snapshot: head, landed: 1, waiting: waits ? 1 : 0 });
}

describe('the exit code', () => {
  it.each([
    [
      'is 0 for what is green and landed',
      outcome(landed(finished(), false), 'complete', { landed: true }),
      0,
    ],
    [
      'is 0 for what is green and was not to land',
      outcome(finished(), 'complete', { wantsLanding: false }),
      0,
    ],
    [
      'is 0 where only a verify command is missing',
      outcome(landed(finished({ verify: null }), false), 'partial', { landed: true }),
      0,
    ],
    ['is 1 when a file waits', outcome(landed(finished(), true), 'complete', { landed: true }), 1],
    ['is 1 when landing failed', outcome(finished(), 'complete', { error: new Error('disk') }), 1],
    ['is 1 for what is partial', outcome(finished(), 'partial'), 1],
    ['is 1 for what failed', outcome(finished(), 'failed'), 1],
    ['is 130 for what was interrupted', outcome(finished(), 'interrupted'), 130],
  ] as const)('%s', (_name, result, code) => {
    expect(exitCode(result)).toBe(code);
  });
});

describe('the summary', () => {
  it('names the files that wait and the command that lands them', () => {
    const lines = summaryLines(
      outcome(landed(finished(), true), 'complete', { landed: true }),
      'swarmwright',
    );
    expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      Complete: trunk is green; 1 file landed in /home/shop.
      1 file waits:
        package.json: its package scripts change; it needs your approval
      Settle them and land the rest, or let the built side land (what your file holds is kept): swarmwright land --store /s --approve package.json
      1 task (1 planner, 0 workers, at most 0 working at once); 1 commit, 0 merges, no conflicts.
      $0.00 and 0 tokens in 0.0 s.
      "
    `);
  });

  it('says how to land an earlier green state, which is not landed by itself', () => {
    const run = new SampleRun()
      .create()
      .task('root', 'planner')
      .start('root')
      .commit('root', 'Good')
      .verify(0);
    run.commit('root', 'Bad').verify(1).end('root', 'Done');
    run.add({ type: 'run.ended', status: 'partial', reasons: ['trunk does not verify'] });
    const lines = summaryLines(outcome(run, 'partial'), 'swarmwright');
    expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      Partial: nothing was landed.
        - trunk does not verify
      1 task (1 planner, 0 workers, at most 0 working at once); 2 commits, 0 merges, no conflicts.
      $0.00 and 0 tokens in 0.0 s.
      See what happened with: swarmwright log --store /s
      An earlier state was green, 1 commit before the head. Land it with: swarmwright land --store /s
      "
    `);
  });

  it('asks for more when a cap was reached', () => {
    const run = finished().add({ type: 'run.braked', reason: 'the cap on tokens is reached' });
    expect(summaryLines(outcome(run, 'partial'), 'swarmwright').at(-1)).toContain('resume --store /s');
  });
});

it('gives all numbers and reasons as JSON', () => {
  const result = resultJson(outcome(landed(finished(), true), 'complete', { landed: true }), undefined);
  expect(result).toMatchObject({
    status: 'green',
    tasks: 1,
    commits: 1,
    landed_files: 1,
    waiting_files: [{ path: 'package.json' }],
    store: '/s',
  });
});

function landing(...results: readonly ('already-there' | 'kept' | 'merged' | 'written')[]): RunOutcome {
  const files = results.map((result, index) => ({ path: `${index}.js`, result }));
  return outcome(finished(), 'complete', { landed: true, files });
}

describe('the files of a landing', () => {
  it('are those that it wrote, in words and in JSON', () => {
    const result = landing('written', 'written', 'merged', 'already-there', 'kept');
    expect(summaryLines(result, 'swarmwright').slice(0, 2)).toEqual([
      'Complete: trunk is green; 3 files landed in /home/shop, 1 of them merged with your edits, 1 as it was.',
      '1 file of yours differs from what was built, and was left as it is: 4.js',
    ]);
    expect(resultJson(result, undefined)).toMatchObject({ landed_files: 3, kept_files: ['4.js'] });
  });

  it('are none when all had landed before this session', () => {
    const result = landing();
    expect(summaryLines(result, 'swarmwright')[0]).toContain('it has landed in /home/shop before');
    expect(resultJson(result, undefined)).toMatchObject({ landed_files: 0, kept_files: [] });
  });
});
