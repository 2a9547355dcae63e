import { describe, expect, test } from 'vitest';

import type { SubmitOutcome } from '#protocol/change-sets.ts';
import { WorkerBench } from './testing/worker-bench.ts';

const lines = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

async function commitByOther(bench: WorkerBench, old: string, replacement: string): Promise<void> {
  const other = bench.other();
  await other.call('edit_file', { path: 'a', old, new: replacement });
  expect(await other.call('submit', { title: 'by another' })).toMatch(/^outcome=committed/);
}

describe('submit', () => {
  test('puts the edits on trunk, and the view goes on from there', async () => {
    const bench = await WorkerBench.open({ a: lines });
    await bench.call('edit_file', { path: 'a', old: 'one', new: '1' });
    expect(await bench.call('submit', { title: 'One is a digit' })).toBe(
      'outcome=committed files=1\nOn trunk. Your view goes on from there.',
    );
    expect(bench.view.edits()).toEqual([]);
    expect(bench.repository.head().id).toBe(bench.view.base.id);
  });

  test('says what was merged with others, and that nobody has verified it', async () => {
    const bench = await WorkerBench.open({ a: lines });
    await commitByOther(bench, 'seven', '7');
    await bench.call('edit_file', { path: 'a', old: 'one', new: '1' });
    const text = await bench.call('submit', { title: 'One is a digit' });
    expect(text).toMatch(/^outcome=merged files=1 merged=a\n.*not verified together/);
    expect(await bench.bytes('a')).toBe('1\ntwo\nthree\nfour\nfive\nsix\n7\n');
  });

  test('tells a worker whose edits conflict to leave them alone', async () => {
    const bench = await WorkerBench.open({ a: lines });
    await commitByOther(bench, 'one', 'uno');
    await bench.call('edit_file', { path: 'a', old: 'one', new: 'eins' });
    expect(await bench.call('submit', { title: 'In German' })).toBe(
      'outcome=conflicted paths=a\n' +
        'Your change set is parked whole; a neutral resolver settles it. Do not redo it; go on or finish.',
    );
  });

  test('refuses edits outside the scope, and takes them with a reason', async () => {
    const bench = await WorkerBench.open({ a: lines }, ['src/**']);
    await bench.call('edit_file', { path: 'a', old: 'one', new: '1' });
    const refused = await bench.call('submit', { title: 'One' });
    expect(refused).toMatch(/^outcome=rejected code=out-of-scope\n/);
    expect(refused).toContain('submit with breakage_reason');
    const licensed = { title: 'One', breakage_reason: 'Digits are what the format says.' };
    expect(await bench.call('submit', licensed)).toMatch(/^outcome=committed files=1\n/);
  });

  test('without edits says that there is nothing', async () => {
    const bench = await WorkerBench.open({ a: lines });
    expect(await bench.call('submit', { title: 'Nothing' })).toMatch(/^outcome=rejected code=empty\n/);
  });

  test('wants a title of one line', async () => {
    const bench = await WorkerBench.open({ a: lines });
    expect(await bench.call('submit', { title: 'a\nb' })).toMatch(
      /^outcome=invalid .*title: wanted one line/,
    );
  });

  test('says that a held change set is kept', async () => {
    const bench = await WorkerBench.open({});
    const held: SubmitOutcome = { kind: 'held', parked: 'root/one#1.1.0', frozen: ['a', 'b'], deadline: 0 };
    bench.submit = async () => held;
    expect(await bench.call('submit', { title: 'Any' })).toMatch(/^outcome=held paths=a,b\n.*Do not redo it/);
  });

  test('names 20 paths in its first line, and counts the rest', async () => {
    const bench = await WorkerBench.open({});
    const frozen = Array.from({ length: 25 }, (_, index) => `f${index}`);
    bench.submit = async () => ({ kind: 'held', parked: 'p', frozen, deadline: 0 });
    expect(await bench.call('submit', { title: 'Any' })).toMatch(/^outcome=held paths=f0,.*,f19,\+5\n/);
  });
});

describe('sync', () => {
  test('names what others changed, and what was merged with own edits', async () => {
    const bench = await WorkerBench.open({ a: lines, b: '' });
    await commitByOther(bench, 'seven', '7');
    await bench.call('edit_file', { path: 'a', old: 'one', new: '1' });
    expect(await bench.call('sync')).toBe(
      'outcome=synced changed=1 merged=1\nchanged by others: a\nmerged with your edits, not verified together: a',
    );
    expect(await bench.call('sync')).toBe('outcome=synced changed=0 merged=0');
  });

  test('changes nothing when own edits and trunk disagree', async () => {
    const bench = await WorkerBench.open({ a: lines });
    await commitByOther(bench, 'one', 'uno');
    await bench.call('edit_file', { path: 'a', old: 'one', new: 'eins' });
    const base = bench.view.base.id;
    expect(await bench.call('sync')).toMatch(/^outcome=blocked conflicts=a\nNothing has changed\./);
    expect(bench.view.base.id).toBe(base);
  });
});

describe('finish', () => {
  const handoff = { status: 'done', summary: 'All of it.', verification: 'unit-tests' };

  test('submits what is left and ends with the handoff', async () => {
    const bench = await WorkerBench.open({ a: lines });
    await bench.call('edit_file', { path: 'a', old: 'one', new: '1' });
    const end = await bench.callFully('finish', {
      ...handoff,
      findings: ['A glob is needed.'],
      title: 'One',
    });
    expect(end).toEqual({ text: 'outcome=finished submitted=committed', ends: true });
    expect(bench.handoff).toEqual({
      ...handoff,
      deviations: [],
      findings: ['A glob is needed.'],
      concerns: [],
    });
  });

  test('without edits ends all the same', async () => {
    const bench = await WorkerBench.open({});
    expect(await bench.callFully('finish', handoff)).toEqual({
      text: 'outcome=finished submitted=nothing',
      ends: true,
    });
  });

  test('ends with a conflict too: the resolver has it', async () => {
    const bench = await WorkerBench.open({ a: lines });
    await commitByOther(bench, 'one', 'uno');
    await bench.call('edit_file', { path: 'a', old: 'one', new: 'eins' });
    expect(await bench.callFully('finish', handoff)).toEqual({
      text: 'outcome=finished submitted=conflicted',
      ends: true,
    });
  });

  test('does not end when its submit is rejected', async () => {
    const bench = await WorkerBench.open({ a: lines }, ['src/**']);
    await bench.call('edit_file', { path: 'a', old: 'one', new: '1' });
    const end = await bench.callFully('finish', handoff);
    expect(end.text).toMatch(/^outcome=rejected code=out-of-scope\n/);
    expect(end.ends).toBeUndefined();
    expect(bench.handoff).toBeUndefined();
  });

  test('refuses a handoff that is too long, and names its cap', async () => {
    const bench = await WorkerBench.open({});
    expect(await bench.call('finish', { ...handoff, summary: 'x'.repeat(2001) })).toMatch(
      /^outcome=invalid .*summary: .*<=2000 characters/,
    );
    expect(
      await bench.call('finish', { ...handoff, concerns: Array.from({ length: 21 }, () => 'x') }),
    ).toMatch(/^outcome=invalid .*concerns: .*<=20 items/);
    expect(await bench.call('finish', { ...handoff, findings: ['x'.repeat(301)] })).toMatch(
      /^outcome=invalid .*findings\.0: .*<=300 characters/,
    );
    expect(bench.handoff).toBeUndefined();
  });
});

describe('run_command', () => {
  test('shows how it ended, what it changed, and its output', async () => {
    const bench = await WorkerBench.open({});
    bench.command = {
      ...bench.command,
      exitCode: 1,
      output: 'not ok 1\n',
      changed: ['dist/a.js', 'dist/b.js'],
    };
    expect(await bench.call('run_command', { command: 'npm test' })).toBe(
      'exit=1 ended=exit changed=2\nchanged, not kept: dist/a.js, dist/b.js\nnot ok 1\n',
    );
    expect(bench.view.edits()).toEqual([]);
  });

  test('that was stopped has no exit code', async () => {
    const bench = await WorkerBench.open({});
    bench.command = { ...bench.command, exitCode: null, ended: 'time-limit' };
    expect(await bench.call('run_command', { command: 'sleep 1000' })).toBe(
      'exit=none ended=time-limit changed=0',
    );
  });

  test('wants a command', async () => {
    const bench = await WorkerBench.open({});
    expect(await bench.call('run_command', { command: '  ' })).toMatch(/^outcome=invalid .*command: /);
  });

  test.each([
    ['a NUL', 'printf a\0b', 'wanted text without NUL'],
    ['half a surrogate pair', 'echo \ud83d', 'wanted well-formed text'],
  ])('is not tried with %s, with which no process can be started', async (_name, command, problem) => {
    const bench = await WorkerBench.open({});
    bench.runCommand = async () => Promise.reject(new Error('started'));
    expect(await bench.call('run_command', { command })).toMatch(
      new RegExp(`^outcome=invalid .*command: ${problem}`, 'u'),
    );
  });
});

describe('the specification', () => {
  test('is read by outline, section and words', async () => {
    const bench = await WorkerBench.open({});
    expect(await bench.call('spec_outline')).toBe(
      'sections=2\nselect\tSELECT\t7 lines\nselect/where\tWHERE\t3 lines',
    );
    expect(await bench.call('spec_read', { section: 'select/where' })).toMatch(
      /^section=select\/where lines=3\n## WHERE\n/,
    );
    expect(await bench.call('spec_read', { section: 'from' })).toBe(
      'outcome=invalid problem="no section from; near: select"',
    );
    expect(await bench.call('spec_search', { query: 'rows' })).toBe('matches=1\nselect\tRows of a table.');
    expect(await bench.call('spec_search', { query: 'nothing' })).toBe('matches=0');
  });
});
