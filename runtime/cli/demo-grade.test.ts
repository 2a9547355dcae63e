import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeProcesses } from '#edges/processes.ts';
import { detectSandbox } from '#sandbox/detect-sandbox.ts';
import { type DemoGrade, gradeDemo, loadDemoSuite } from './demo-grade.ts';
import { testHost } from './test-host.ts';

/** Answers every query with what `answer` gives for it. */
function engineText(answer: string): string {
  return `
    import { createInterface } from 'node:readline';
    import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
    writeFileSync('written-by-the-program', '');
    for await (const line of createInterface({ input: process.stdin })) {
      const { sql } = JSON.parse(line);
      const value = (() => { ${answer} })();
      console.log(JSON.stringify({ columns: ['x'], rows: [[value]] }));
    }`;
}

const suiteText = 'query I nosort\nSELECT 1\n----\n1\n\nquery I nosort\nSELECT 2\n----\n2\n';
const sandbox = await detectSandbox(nodeProcesses);
const engine = ['node', 'main.mjs'];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swarmwright-demo-grade-'));
  mkdirSync(join(folder, 'workspace'));
  mkdirSync(join(folder, 'suite'));
  writeFileSync(join(folder, 'suite', 'numbers.test'), suiteText);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function grade(answer: string, unsandboxed: boolean, signal?: AbortSignal): Promise<DemoGrade> {
  const workspace = join(folder, 'workspace');
  writeFileSync(join(workspace, 'main.mjs'), engineText(answer));
  const { host } = testHost();
  const suite = await loadDemoSuite(host, join(folder, 'suite'));
  const request = { suite, workspace, engine, unsandboxed };
  return gradeDemo(host, request, signal ?? new AbortController().signal);
}

describe.each([
  ['without a sandbox', true],
  ['in the sandbox', false],
] as const)('grading %s', (_name, unsandboxed) => {
  const isHere = unsandboxed || sandbox.kind === 'bubblewrap';

  it.runIf(isHere)('counts what the built program answers, on a copy of it', async () => {
    expect(await grade('return Number(sql.at(-1));', unsandboxed)).toMatchObject({ passed: 2, total: 2 });
    expect(readdirSync(join(folder, 'workspace'))).toEqual(['main.mjs']);
  });

  it.runIf(isHere)('names what failed', async () => {
    const graded = await grade('return 1;', unsandboxed);
    expect(graded).toMatchObject({ passed: 1, total: 2 });
    expect(graded.lines.join('\n')).toContain('numbers.test:6: ');
  });
});

it.runIf(sandbox.kind === 'bubblewrap')('does not let the program see the suite', async () => {
  const answer = `try { readdirSync(${JSON.stringify(join(folder, 'suite'))}); return 1; } catch { return 2; }`;
  expect(await grade(answer, false)).toMatchObject({ passed: 1, total: 2 });
});

it('ends the program when it is interrupted', async () => {
  const abort = new AbortController();
  setTimeout(() => {
    abort.abort();
  }, 300);
  expect(await grade('while (true);', true, abort.signal)).toMatchObject({ passed: 0, total: 2 });
});
