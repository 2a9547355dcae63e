import { describe, expect, it } from 'vitest';
import type { RunEventBody } from './events.ts';
import type { RunProjection } from './projection.ts';
import {
  begun,
  committed,
  created,
  ended,
  evidence,
  fold,
  options,
  parked,
  started,
} from './projection-samples.ts';
import { hasLanded, hasOpenTasks, mayLand, resultStatus } from './run-outcome.ts';

const withVerify: RunEventBody = { type: 'run.created', options: { ...options, verify: 'npm test' } };
const imported = committed(1, 'root', { role: 'harness', title: 'import' });

/** A root that is done, with a commit; more events after it. */
function built(first: RunEventBody, ...more: readonly RunEventBody[]): RunProjection {
  const root = [created('root', 'planner'), started('root')];
  return fold(first, imported, ...root, committed(2, 'root'), ended('root'), ...more);
}

function landing(snapshot: string): readonly RunEventBody[] {
  return [
    { type: 'landing.started', snapshot, verified: true, paths: 0 },
    { type: 'landing.ended', snapshot, landed: 0, waiting: 0 },
  ];
}

describe('a run', () => {
  it('is green when it is complete, and lands by itself', () => {
    expect(resultStatus('complete', built(withVerify))).toBe('green');
    expect(mayLand('complete', built(withVerify))).toBe(true);
  });

  it('is unverified when only a verify command is missing, and lands as well', () => {
    expect(resultStatus('partial', built(begun))).toBe('unverified');
    expect(mayLand('partial', built(begun))).toBe(true);
  });

  it.each([
    ['it does not verify', built(withVerify)],
    ['a task is open', fold(begun, imported, created('root', 'planner'), started('root'))],
    ['its root has failed', fold(begun, created('root', 'planner'), ended('root', 'failed'))],
    ['it was braked', built(begun, { type: 'run.braked', reason: 'the cap on tokens is reached' })],
    ['a change set is parked', built(begun, parked(3, 'root', 'root#1.1.0'))],
  ])('is partial, and does not land by itself, when %s', (_name, state) => {
    expect(resultStatus('partial', state)).toBe('partial');
    expect(mayLand('partial', state)).toBe(false);
  });

  it.each(['failed', 'interrupted'] as const)('that has %s stays so', (status) => {
    expect(resultStatus(status, built(begun))).toBe(status);
    expect(mayLand(status, built(begun))).toBe(false);
  });

  it('has open tasks until all are terminal', () => {
    expect(hasOpenTasks(built(begun))).toBe(false);
    expect(hasOpenTasks(fold(begun, created('root', 'planner')))).toBe(true);
  });
});

describe('what would land now', () => {
  it('has landed when a landing of it has ended', () => {
    expect(hasLanded(built(begun))).toBe(false);
    expect(hasLanded(built(begun, ...landing('c1').slice(0, 1)))).toBe(false);
    expect(hasLanded(built(begun, ...landing('c1')))).toBe(true);
    expect(hasLanded(built(begun, ...landing('c0')))).toBe(false);
  });

  it('is green, not the head, where there is a verify command', () => {
    const green: RunEventBody = { type: 'verify.passed', evidence: evidence('c0') };
    expect(hasLanded(built(withVerify, ...landing('c1')))).toBe(false);
    expect(hasLanded(built(withVerify, green, ...landing('c0')))).toBe(true);
  });
});
