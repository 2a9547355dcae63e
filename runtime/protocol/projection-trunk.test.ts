import { describe, expect, it } from 'vitest';
import type { RunEventBody } from './events.ts';
import {
  begun,
  committed,
  evidence,
  fold,
  handoff,
  lost,
  parked,
  reserved,
  settled,
  started,
  tree,
} from './projection-samples.ts';

const landed = (path: string, hash?: string): RunEventBody => ({
  type: 'landing.file',
  snapshot: 'c1',
  file: { path, result: 'written' },
  ...(hash === undefined ? {} : { hash }),
});

describe('trunk', () => {
  it('counts commits and merges, not the import', () => {
    const state = fold(
      ...tree,
      { type: 'run.imported', snapshot: 'c0', files: 3, leftOut: [] },
      committed(2, 'root/b'),
      committed(3, 'root', { role: 'harness' }),
      committed(4, 'root/b', { mergedPaths: ['src/a.js'] }),
    );
    expect(state.counts).toMatchObject({ commits: 3, merges: 1 });
    expect(state.head).toEqual({ snapshot: 'c3', sequence: 3 });
    expect(state).toMatchObject({ vcsPosition: 4, imported: true });
    expect(state.task('root/b')).toMatchObject({ commits: 2, merged: 1 });
    expect(['c0', 'c2', 'c9'].map((id) => state.sequenceOf(id))).toEqual([0, 2, undefined]);
  });

  it('takes commits of the user, who is no task', () => {
    const state = fold(...tree, committed(2, 'user', { role: 'user' }));
    expect(state.counts.commits).toBe(1);
  });

  it('calls green the newest state with evidence, and lets no older one take its place', () => {
    const state = fold(
      ...tree,
      committed(2, 'root/b'),
      committed(3, 'root/b'),
      { type: 'verify.passed', evidence: evidence('c2') },
      { type: 'verify.passed', evidence: evidence('c1') },
    );
    expect(state.green).toMatchObject({ snapshot: 'c2', sequence: 2, time: 10_000 });
    expect(state.lastVerification?.snapshot).toBe('c1');
    expect(fold(...tree, { type: 'verify.failed', evidence: evidence('c0', 1) }).green).toBeUndefined();
  });

  it('closes a conflict when a commit settles it, for the task whose work it was', () => {
    const events = [...tree, started('root/b'), parked(2, 'root/b', 'root/b#1.3.0')];
    const open = fold(...events);
    expect(open.openParkedOf('root/b')).toMatchObject({ id: 'root/b#1.3.0', round: 1 });
    expect(open.counts.conflicts).toEqual({ raised: 1, resolved: 0, dropped: 0, open: 1 });
    const closed = fold(...events, committed(3, 'root/b', { role: 'resolver', resolves: 'root/b#1.3.0' }));
    expect(closed.openParkedOf('root/b')).toBeUndefined();
    expect(closed.counts.conflicts).toEqual({ raised: 1, resolved: 1, dropped: 0, open: 0 });
    expect(closed.fact('root/b', 'committed')).toBe(true);
    expect(closed.task('root/b').conflicts).toBe(1);
  });

  it('counts a conflict once, however many rounds it takes', () => {
    const state = fold(
      ...tree,
      parked(2, 'root/b', 'root/b#1.3.0'),
      { type: 'task.ended', task: 'root/a', state: 'cancelled', handoff: handoff('no') },
      parked(3, 'root/b', 'root/b#1.0.1', 2, 'root/b#1.3.0'),
      parked(4, 'root/b', 'root/b#1.0.2', 3, 'root/b#1.0.1'),
    );
    expect([...state.parked.keys()]).toEqual(['root/b#1.0.2']);
    expect(state.counts.conflicts).toEqual({ raised: 1, resolved: 0, dropped: 0, open: 1 });
  });

  it('stacks a later submit of the same agent on its parked set', () => {
    const state = fold(
      ...tree,
      parked(2, 'root/b', 'root/b#1.3.0'),
      parked(3, 'root/b', 'root/b#1.4.0', 1, 'root/b#1.3.0'),
    );
    expect([...state.parked.keys()]).toEqual(['root/b#1.4.0']);
  });

  it('keeps what was parked before a fence beside what the next agent parks', () => {
    const events = [...tree, parked(2, 'root/b', 'root/b#1.3.0'), parked(3, 'root/b', 'root/b#2.2.0')];
    const state = fold(...events);
    expect(state.openParkedOf('root/b')?.id).toBe('root/b#1.3.0');
    expect(state.counts.conflicts.open).toBe(2);
    const later = fold(...events, {
      type: 'vcs.dropped',
      position: 4,
      parked: 'root/b#1.3.0',
      reason: 'old',
    });
    expect(later.openParkedOf('root/b')?.id).toBe('root/b#2.2.0');
    expect(later.counts.conflicts).toEqual({ raised: 2, resolved: 0, dropped: 1, open: 1 });
  });

  it('counts what a freeze holds as parked, not as a conflict', () => {
    const held: RunEventBody = {
      type: 'vcs.parked',
      position: 2,
      parked: 'h',
      task: 'root/b',
      conflicts: [],
      round: 1,
    };
    const state = fold(...tree, held);
    expect(state.parked.size).toBe(1);
    expect(state.counts.conflicts).toEqual({ raised: 0, resolved: 0, dropped: 0, open: 0 });
  });
});

describe('the ledger', () => {
  const events = [...tree, reserved('k1', 'root/a/x'), settled('k1', 'root/a/x'), reserved('k2', 'root/b')];

  it('adds up settled calls by role, model and subtree', () => {
    const { ledger } = fold(...events, settled('k2', 'root/b', 40, 0.5));
    expect(ledger.total).toEqual({
      calls: 2,
      usage: { inputTokens: 140, cachedInputTokens: 70, outputTokens: 140 },
      usd: 0.75,
      unpricedCalls: 0,
    });
    expect(ledger.byRole.get('worker')).toEqual(ledger.total);
    expect(ledger.byModel.get('p/small')).toEqual(ledger.total);
    const subtrees = ['root', 'root/a', 'root/a/x', 'root/b', 'root/ab'];
    expect(subtrees.map((account) => ledger.subtree(account).usd)).toEqual([0.75, 0.25, 0.25, 0.5, 0]);
  });

  it('books open and lost calls at their upper bound, and lists lost ones apart', () => {
    expect(fold(...events).ledger.booked).toEqual({ tokens: 1_200, usd: 0.75, unpricedCalls: 0 });
    const state = fold(...events, lost('k2', 'root/b'), reserved('k2', 'root/b'), settled('k2', 'root/b'));
    expect(state.ledger.booked).toEqual({ tokens: 1_400, usd: 1, unpricedCalls: 0 });
    expect(state.ledger.lost.map((call) => call.key)).toEqual(['k2']);
    expect([...state.ledger.settled.keys()]).toEqual(['k1', 'k2']);
    expect(state.ledger.open.size).toBe(0);
  });

  it('counts calls of unknown price, and adds up what is known', () => {
    const { ledger } = fold(
      ...events,
      settled('k2', 'root/b', 100, null),
      reserved('k3', 'root/b', 'worker', null),
    );
    expect(ledger.total).toMatchObject({ calls: 2, usd: 0.25, unpricedCalls: 1 });
    expect(ledger.subtree('root/b')).toMatchObject({ usd: 0, unpricedCalls: 1 });
    expect(ledger.booked).toMatchObject({ usd: 0.25, unpricedCalls: 2 });
  });

  it('takes a released reservation back', () => {
    const { ledger } = fold(...events, { type: 'call.released', key: 'k2', reason: 'refused' });
    expect(ledger.booked).toEqual({ tokens: 200, usd: 0.25, unpricedCalls: 0 });
  });

  it('tells who works for a task', () => {
    expect(fold(...events).task('root/a/x').lastRole).toBe('worker');
    expect(fold(...tree).task('root').lastRole).toBe('planner');
    expect(fold(...tree, reserved('k', 'root/b', 'resolver')).task('root/b').lastRole).toBe('resolver');
  });
});

describe('a landing', () => {
  const begin: RunEventBody = { type: 'landing.started', snapshot: 'c1', verified: true, paths: 3 };
  const waits: RunEventBody = {
    type: 'landing.file',
    snapshot: 'c1',
    file: { path: 'b', result: 'waits', reason: 'edited' },
  };

  it('tells each file, what landed and what waits', () => {
    const state = fold(begun, begin, landed('a', 'h1'), waits);
    expect(state.landing).toMatchObject({ landed: 1, waiting: 1, ended: false, paths: 3, verified: true });
    expect([...(state.landing?.files.keys() ?? [])]).toEqual(['a', 'b']);
    expect([...state.landedHashes]).toEqual([['a', 'h1']]);
  });

  it('goes on after it was cut off, and counts no file twice', () => {
    const state = fold(begun, begin, landed('a', 'h1'), waits, begin, landed('b', 'h2'), {
      type: 'landing.ended',
      snapshot: 'c1',
      landed: 2,
      waiting: 0,
    });
    expect(state.landing).toMatchObject({ landed: 2, waiting: 0, ended: true });
  });

  it('remembers hashes over later landings, and which files were deleted', () => {
    const later = { ...begin, snapshot: 'c2' };
    const gone: RunEventBody = {
      type: 'landing.file',
      snapshot: 'c2',
      file: { path: 'b', result: 'deleted' },
    };
    const state = fold(begun, begin, landed('a', 'h1'), landed('b', 'h2'), later, gone);
    expect([...state.landedHashes]).toEqual([
      ['a', 'h1'],
      ['b', null],
    ]);
    expect(state.landing?.files.size).toBe(1);
  });
});
