import { describe, expect, it } from 'vitest';
import type { SubmitOutcome } from '#protocol/change-sets.ts';
import { TestTrunk, writeOf } from './testing/trunk.ts';

function codeOf(outcome: SubmitOutcome): string {
  return outcome.kind === 'rejected' ? outcome.rejection.code : outcome.kind;
}

const marked = 'a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n';

describe('conflict markers', () => {
  it('are refused, and the files are named', async () => {
    const trunk = await TestTrunk.with({ x: '' });
    expect(await trunk.submit('root/a', { ok: 'ok', x: marked })).toMatchObject({
      rejection: { code: 'conflict-markers', paths: ['x'] },
    });
    expect(codeOf(await trunk.submit('root/a', { x: marked.replaceAll('\n', '\r\n') }))).toBe(
      'conflict-markers',
    );
  });

  it('are those at the start of a line, in pairs', async () => {
    const trunk = await TestTrunk.with({});
    const harmless = [
      'text <<<<<<< a\n>>>>>>> b\n',
      '<<<<<<< a\n',
      '>>>>>>> b\n<<<<<<< a\n',
      '<<<<<<<\n>>>>>>>\n',
    ];
    const files = Object.fromEntries(harmless.map((text, index) => [`f${index}`, text]));
    expect(codeOf(await trunk.submit('root/a', files))).toBe('committed');
  });

  it('that were there before may stay, move and go, but not multiply', async () => {
    const trunk = await TestTrunk.with({ x: marked });
    expect(codeOf(await trunk.submit('root/a', { x: `${marked}more\n` }))).toBe('committed');
    const moved = { ...writeOf('y', `${marked}more\n`), movedFrom: 'x' };
    expect(codeOf(await trunk.submit('root/a', [{ kind: 'delete', path: 'x' }, moved]))).toBe('committed');
    expect(codeOf(await trunk.submit('root/a', { y: marked + marked }))).toBe('conflict-markers');
  });
});

describe('paths that differ in letter case alone', () => {
  it('are refused in every part', async () => {
    const trunk = await TestTrunk.with({ 'src/Main.ts': '', README: '' });
    for (const path of ['src/main.ts', 'Src/other.ts', 'readme', 'readme/x', 'SRC']) {
      expect(codeOf(await trunk.submit('root/a', { [path]: '' }))).toBe('case-twin');
    }
    expect(codeOf(await trunk.submit('root/a', { 'new/A': '', 'new/a': '' }))).toBe('case-twin');
    expect(codeOf(await trunk.submit('root/a', { 'src/Main.tsx': '' }))).toBe('committed');
  });

  it('are refused where Unicode composes their characters in another way, too', async () => {
    const [composed, decomposed] = ['caf\u{e9}', 'cafe\u{301}'];
    const trunk = await TestTrunk.with({ [composed]: '', [`${decomposed}s/menu`]: '', 'Kelvin.ts': '' });
    for (const path of [decomposed, `${composed}s/other`, `CAFE\u{301}`, 'CAF\u{c9}/x', '\u{212a}elvin.ts']) {
      expect(codeOf(await trunk.submit('root/a', { [path]: '' }))).toBe('case-twin');
    }
    expect(codeOf(await trunk.submit('root/a', { cafe: '', 'caf\u{e8}': '' }))).toBe('committed');
    expect(codeOf(await trunk.submit('root/a', { [composed]: 'x' }))).toBe('committed');
  });

  it('are no twins when one takes the place of the other', async () => {
    const trunk = await TestTrunk.with({ 'src/Main.ts': '' });
    const changes = { 'src/Main.ts': undefined, 'src/main.ts': '' };
    expect(codeOf(await trunk.submit('root/a', changes))).toBe('committed');
    expect(Object.keys(await trunk.texts())).toEqual(['src/main.ts']);
  });

  it('that are there already do not stop an edit', async () => {
    const trunk = await TestTrunk.with({ A: '', a: '' });
    expect(codeOf(await trunk.submit('root/a', { a: 'x' }))).toBe('committed');
  });
});

function guide(lines: number): string {
  return 'line\n'.repeat(lines);
}

describe('the Field Guide', () => {
  it('keeps its index and its folder within their budgets', async () => {
    const trunk = await TestTrunk.with({});
    const index = 'field-guide/index.md';
    expect(codeOf(await trunk.submit('root/a', { [index]: guide(121) }))).toBe('field-guide-budget');
    expect(codeOf(await trunk.submit('root/a', { [index]: `${guide(119)}no newline` }))).toBe('committed');
    expect(codeOf(await trunk.submit('root/a', { 'field-guide/more.md': guide(481) }))).toBe(
      'field-guide-budget',
    );
    expect(codeOf(await trunk.submit('root/a', { 'field-guide/more.md': guide(480) }))).toBe('committed');
    expect(codeOf(await trunk.submit('root/a', { 'field-guide/sub/more.md': 'one' }))).toBe(
      'field-guide-budget',
    );
    expect(codeOf(await trunk.submit('root/a', { 'field-guide.md': guide(1000) }))).toBe('committed');
  });

  it('counts the merged result', async () => {
    const trunk = await TestTrunk.with({ 'field-guide/index.md': guide(100) });
    const base = trunk.repository.head().id;
    const add = (at: 'start' | 'end'): string =>
      at === 'end' ? guide(100) + 'x\n'.repeat(15) : 'y\n'.repeat(15) + guide(100);
    expect(codeOf(await trunk.submit('root/a', { 'field-guide/index.md': add('start') }, { base }))).toBe(
      'committed',
    );
    expect(codeOf(await trunk.submit('root/b', { 'field-guide/index.md': add('end') }, { base }))).toBe(
      'field-guide-budget',
    );
  });

  it('may shrink when it is over its budget', async () => {
    const trunk = await TestTrunk.with({ 'field-guide/index.md': guide(300) });
    expect(codeOf(await trunk.submit('root/a', { 'field-guide/index.md': guide(299) }))).toBe('committed');
    expect(codeOf(await trunk.submit('root/a', { 'field-guide/index.md': guide(300) }))).toBe(
      'field-guide-budget',
    );
  });
});

describe('size', () => {
  it('does not hinder moving a large file that is there already', async () => {
    const big = 'x'.repeat(5 * 1024 * 1024);
    const trunk = await TestTrunk.with({ big });
    const moved = { ...writeOf('bigger', big), movedFrom: 'big' };
    expect(codeOf(await trunk.submit('root/a', [moved]))).toBe('committed');
    expect(codeOf(await trunk.submit('root/a', { other: big }))).toBe('too-large');
  });
});
