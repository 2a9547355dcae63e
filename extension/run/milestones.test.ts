import { expect, test } from 'vitest';
import {
  begun,
  created,
  ended,
  evidence,
  fold,
  numbered,
  reserved,
  settled,
  started,
} from '#protocol/projection-samples.ts';
import type { RunEventBody } from '#protocol/events.ts';
import { beginLine, endLine, eventLine } from './milestones.ts';

function lineOf(body: RunEventBody): ReturnType<typeof eventLine> {
  const [event] = numbered([body]);
  return event && eventLine(event);
}

test('a build begins with its models, its limits and its store', () => {
  const { level, text } = beginLine('started', '/runs/one', fold(begun));
  expect(level).toBe('info');
  expect(text).toBe(
    'Build of "Spec" started: planner p/big, worker p/small, resolver p/small, no verify command, at most 4 agents at once; store /runs/one',
  );
});

test('a build ends with what came of it, and why', () => {
  const state = fold(
    begun,
    created('root', 'planner'),
    started('root'),
    reserved('planner root 1 1', 'root'),
    settled('planner root 1 1', 'root'),
    ended('root', 'failed'),
    {
      type: 'run.ended',
      status: 'partial',
      reasons: ['1 failed: root', 'the root planner gave up: root is failed'],
    },
  );
  const { text } = endLine(state, { kind: 'ended', status: 'partial' });
  expect(text).toMatch(/^Build ended: partial \(1 tasks, 1 failed, 0 commits/u);
  expect(text).toMatch(/1 model calls, \$0\.25, \d+ s\); 1 failed: root; the root planner gave up$/u);
});

test('what failed says with which code', () => {
  const error = { area: 'VcsError', code: 'io', message: 'no space', details: {} };
  expect(endLine(fold(begun), { kind: 'failed', error }).text).toMatch(/^Build ended: failed, io \(/u);
});

test('milestones are told as such, and single tasks only to who looks closer', () => {
  expect(lineOf({ type: 'run.paused' })).toEqual({ level: 'info', text: 'Build paused' });
  expect(lineOf({ type: 'run.braked', reason: 'the budget' })?.level).toBe('warn');
  expect(lineOf({ type: 'verify.passed', evidence: evidence('c3') })?.text).toMatch(/^Green: snapshot c3/u);
  expect(lineOf({ type: 'verify.failed', evidence: evidence('c3', 2) })?.text).toMatch(/c3, exit code 2/u);
  const offered = { type: 'landing.offered', landing: 'l1', green: 'c3', verified: true } as const;
  expect(lineOf(offered)).toEqual({ level: 'info', text: 'Landing l1 offered: snapshot c3, verified' });
  expect(lineOf(created('root/a'))).toEqual({ level: 'debug', text: 'Task root/a: created, worker' });
  expect(lineOf(ended('root/a'))?.level).toBe('debug');
  expect(lineOf(ended('root/a', 'failed'))?.level).toBe('info');
});

test('nothing that a model or a command wrote is in it', () => {
  const secret = 'as the model has put it';
  const evil = { ...evidence('c1', 1), tail: secret };
  expect(lineOf({ type: 'verify.failed', evidence: evil })?.text).not.toContain(secret);
  expect(lineOf(ended('root/a', 'failed'))?.text).not.toContain('is failed');
});
