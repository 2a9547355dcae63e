import { describe, expect, it } from 'vitest';
import type { RunEventBody } from './events.ts';
import { RunHistory } from './history.ts';
import { committed, ended, numbered, parked, slept, started, tree, woke } from './projection-samples.ts';

function historyOf(...bodies: readonly RunEventBody[]): RunHistory {
  const history = new RunHistory();
  for (const event of numbered(bodies)) history.apply(event);
  return history;
}

describe('the history of a run', () => {
  it('tells how each attempt of a task went', () => {
    const history = historyOf(
      ...tree,
      started('root/b'),
      { type: 'task.retried', task: 'root/b', attempt: 2, mode: 'stalled', details: 'no answer' },
      started('root/b', 2, 2),
      ended('root/b'),
    );
    const { attempts } = history.task('root/b');
    expect(attempts.map(({ attempt, epoch, end }) => [attempt, epoch, end])).toEqual([
      [1, 1, { kind: 'given-up', mode: 'stalled', details: 'no answer', time: 9000 }],
      [2, 2, { kind: 'ended', state: 'done', time: 11_000 }],
    ]);
  });

  it('a planner that is woken after its end goes on as the same attempt', () => {
    const history = historyOf(
      ...tree,
      started('root/b'),
      ended('root'),
      ended('root/b'),
      woke('root', 'root/b'),
      slept('root'),
    );
    expect(history.task('root').attempts).toMatchObject([{ attempt: 1, end: { kind: 'running' } }]);
  });

  it('knows nothing of tasks that never started', () => {
    expect(historyOf(...tree, ended('root/b', 'cancelled')).task('root/b')).toEqual({
      attempts: [],
      commits: [],
    });
  });

  it('lists commits by task and by folder', () => {
    const history = historyOf(
      ...tree,
      committed(2, 'root/b', { paths: ['field-guide/index.md', 'src/a.js'] }),
      committed(3, 'root/a', { paths: ['field-guide-of-mine.md'] }),
    );
    expect(history.task('root/b').commits).toMatchObject([{ commit: 'c1', role: 'worker', time: 8000 }]);
    expect(history.commitsBelow('field-guide').map(({ commit }) => commit)).toEqual(['c1']);
  });

  it('follows a conflict over its rounds to the commit that resolves it', () => {
    const begun = [
      ...tree,
      started('root/b'),
      parked(2, 'root/b', 'one'),
      parked(3, 'root/b', 'two', 2, 'one'),
    ];
    expect(historyOf(...begun).conflicts).toMatchObject([
      { parked: 'two', round: 2, raised: 9000, outcome: { kind: 'open' } },
    ]);
    const resolution = committed(4, 'root/b', { role: 'resolver', resolves: 'two' });
    expect(historyOf(...begun, resolution).conflicts).toMatchObject([
      { parked: 'two', outcome: { kind: 'resolved', commit: { commit: 'c3', role: 'resolver' } } },
    ]);
  });

  it('tells conflicts that were dropped from those that a later change set no longer has', () => {
    const held: RunEventBody = {
      type: 'vcs.parked',
      position: 3,
      parked: 'two',
      task: 'root/b',
      conflicts: [],
      round: 1,
      replaces: 'one',
    };
    const dropped: RunEventBody = { type: 'vcs.dropped', position: 3, parked: 'one', reason: 'not wanted' };
    const before = [...tree, started('root/b'), parked(2, 'root/b', 'one')];
    expect(historyOf(...before, held).conflicts).toMatchObject([{ outcome: { kind: 'gone' } }]);
    expect(historyOf(...before, dropped).conflicts).toMatchObject([
      { outcome: { kind: 'dropped', reason: 'not wanted' } },
    ]);
  });

  it('a set that is held without a conflict is none', () => {
    const held: RunEventBody = {
      type: 'vcs.parked',
      position: 2,
      parked: 'held',
      task: 'root/b',
      conflicts: [],
      round: 1,
    };
    const history = historyOf(...tree, started('root/b'), held, committed(3, 'root/b', { resolves: 'held' }));
    expect(history.conflicts).toEqual([]);
  });

  it('passes over events that it knows', () => {
    const history = new RunHistory();
    const events = numbered([...tree, committed(2, 'root/b')]);
    for (const event of [...events, ...events]) history.apply(event);
    expect(history.task('root/b').commits).toHaveLength(1);
    expect(history.version).toBe(events.length);
  });
});
