import { expect, it } from 'vitest';
import { conflictHistory } from './conflict-history.ts';
import { SampleRun, sampleConflict, snapshot } from './sample-events.ts';

it('tells of each conflict how it ended, over its rounds', () => {
  const conflict = sampleConflict('src/a.js', 'root/b', 'root/a');
  const run = new SampleRun()
    .create()
    .task('root', 'planner')
    .task('root/a', 'worker')
    .task('root/b', 'worker')
    .task('root/c', 'worker')
    .commit('root/a', 'Add a')
    .park('root/b', 'root/b#1.2.0', [conflict])
    .park('root/c', 'root/c#1.2.0', [sampleConflict('src/c.js', 'root/c', 'root/a')])
    .park('root/b', 'root/b#1.0.1', [conflict], { round: 2, replaces: 'root/b#1.2.0' })
    .commit('root/b', 'Both', [], 'root/b#1.0.1')
    .drop('root/c#1.2.0', 'not wanted');
  expect(conflictHistory(run.events)).toMatchObject([
    {
      task: 'root/b',
      round: 2,
      end: { kind: 'resolved', by: 'resolver', title: 'Both', commit: snapshot(2) },
    },
    { task: 'root/c', round: 1, end: { kind: 'dropped', reason: 'not wanted' } },
  ]);
});
