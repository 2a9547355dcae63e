import { describe, expect, it } from 'vitest';
import type { CodedError } from '#protocol/errors.ts';
import { ProjectionError } from '#protocol/projection-error.ts';
import { GradingError } from '#grading/errors.ts';
import { JournalError, type JournalErrorCode } from '#journal/errors.ts';
import { ModelError, type ModelErrorCode } from '#models/errors.ts';
import { SandboxError, type SandboxErrorCode } from '#sandbox/errors.ts';
import { SpecError, type SpecErrorCode } from '#spec/errors.ts';
import { RunError, type RunErrorCode } from '#swarm/errors.ts';
import { VcsError, type VcsErrorCode } from '#vcs/errors.ts';
import { CliError, type CliErrorCode } from './errors.ts';
import { errorText } from './messages.ts';
import { testHost } from './test-host.ts';
import { Output } from './output.ts';

const context = { invocation: 'swarmwright', store: '/store', workspace: '/work', debug: false };

type Facts = Readonly<Record<string, string | number>>;

/** Every code, so that a new one does not compile before it stands here; with the facts its message must show. */
const run: Record<RunErrorCode, Facts> = {
  'never-started': { store: '/s' },
  'no-models': { role: 'worker' },
  'no-sandbox': { reason: 'bwrap is not installed' },
  'not-open': { store: '/s' },
  'not-owned': { store: '/s' },
  'nothing-to-land': {},
  'playbook-concurrency': { needed: 12 },
  'store-in-workspace': { store: '/w/s', workspace: '/w' },
  'unknown-path': { path: './a.js' },
  'workspace-in-store': { store: '/s', workspace: '/s/w' },
  'workspace-is-store': { workspace: '/w' },
  'workspace-missing': { workspace: '/w' },
  'workspace-not-writable': { workspace: '/w' },
};
const spec: Record<SpecErrorCode, Facts> = {
  binary: { path: '/spec.md' },
  empty: { path: '/spec.md' },
  missing: { path: '/spec.md' },
  'no-such-section': { section: 'select' },
  'too-large': { path: '/spec.md' },
  'unknown-encoding': { path: '/spec.html', encoding: 'klingon' },
  unreadable: { path: '/spec.md' },
  'wrong-kind': { path: '/spec.doc' },
};
const journal: Record<JournalErrorCode, Facts> = {
  closed: {},
  damaged: { folder: '/s' },
  'in-use': { folder: '/s', pid: 4711 },
  io: { folder: '/s' },
  'no-store': { folder: '/s' },
  'not-empty': { folder: '/s' },
  'not-made': { folder: '/s', reason: 'EACCES' },
  'out-of-order': {},
  'store-exists': { folder: '/s' },
  'unknown-format': { folder: '/s' },
};
const vcs: Record<VcsErrorCode, Facts> = {
  'bad-path': { path: 'a/../b' },
  closed: {},
  damaged: { quarantine: '/s/vcs/1.damaged' },
  io: {},
  'no-such-blob': {},
  'no-such-file': {},
  'no-trunk': {},
  'not-parked': {},
  'path-taken': {},
  'protected-path': { path: '.git/x' },
  'unknown-format': {},
  'unknown-snapshot': {},
};
const sandbox: Record<SandboxErrorCode, Facts> = {
  checkout: {},
  'no-sandbox': { reason: 'no namespaces' },
  'not-started': { reason: 'no sh' },
  'unsafe-path': { path: '/home' },
};
const model: Record<ModelErrorCode, Facts> = {
  auth: { model: 'openai/x' },
  'bad-answer': { model: 'openai/x' },
  'bad-request': { model: 'openai/x' },
  'broken-stream': { model: 'openai/x' },
  budget: {},
  'context-overflow': { model: 'openai/x' },
  network: { model: 'openai/x' },
  'no-key': { provider: 'openai', variable: 'OPENAI_API_KEY' },
  'no-price': { model: 'openai/x' },
  overloaded: { model: 'openai/x' },
  'playbook-contradicted': {
    file: '/p.yaml',
    line: 7,
    key: 'worker root/a 1 1',
    tool: 'edit_file',
    expected: 'a=1',
    actual: 'a=2',
  },
  'playbook-malformed': { file: '/p.yaml', line: 7, problem: 'no key' },
  'playbook-missing-turn': { file: '/p.yaml', key: 'worker root/a 1 1' },
  quota: { model: 'openai/x' },
  'rate-limited': { model: 'openai/x' },
  refused: { model: 'openai/x' },
  server: { model: 'openai/x' },
  timeout: { model: 'openai/x' },
  'unknown-model': { model: 'openai/x' },
  'unknown-provider': { provider: 'nobody' },
};
const cli: Record<CliErrorCode, Facts> = {
  'bad-usage': {},
  'demo-missing': { path: '/d' },
  'demo-output-taken': { path: '/d' },
  'latest-unreadable': { pointer: '/l' },
  'no-run': { workspace: '/w' },
  'no-such-task': { task: 'root/x' },
};

interface Case {
  readonly name: string;
  readonly facts: Facts;
  readonly error: CodedError<string>;
  /** The same without its facts. */
  readonly bare: CodedError<string>;
}

function casesOf<Code extends string>(
  codes: Readonly<Record<Code, Facts>>,
  make: (code: Code, message: string, details?: Facts) => CodedError<Code>,
): Case[] {
  const cases: Case[] = [];
  for (const code in codes) {
    if (!Object.hasOwn(codes, code)) continue;
    const error = make(code, 'what\nhappened', codes[code]);
    const name = `${error.name} ${code}`;
    cases.push({ name, facts: codes[code], error, bare: make(code, 'it happened') });
  }
  return cases;
}

const cases: readonly Case[] = [
  ...casesOf(run, (code, message, details) => new RunError(code, message, details)),
  ...casesOf(spec, (code, message, details) => new SpecError(code, message, details)),
  ...casesOf(journal, (code, message, details) => new JournalError(code, message, details)),
  ...casesOf(vcs, (code, message, details) => new VcsError(code, message, details)),
  ...casesOf(sandbox, (code, message, details) => new SandboxError(code, message, details)),
  ...casesOf(model, (code, message, details) => new ModelError(code, message, details)),
  ...casesOf(cli, (code, message, details) => new CliError(code, message, details)),
];

it.each(cases)('$name is one line that shows its facts', ({ facts, error, bare }) => {
  const text = errorText(error, context);
  expect(text).toMatch(/^swarmwright: [^\n]{10,}$/u);
  for (const value of Object.values(facts)) expect(text).toContain(String(value));
  expect(text + errorText(bare, context)).not.toMatch(/undefined|\[object/u);
});

describe('other errors', () => {
  it('of the file system say what to do', () => {
    const full = Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC', path: '/s/log' });
    expect(errorText(full, context)).toBe(
      'swarmwright: the disk is full (/s/log): make room, then resume. What was acknowledged is safe.',
    );
  });

  it('that nobody foresaw hint at the stack, which is shown when asked for', () => {
    const error = new TypeError('x is not a function', { cause: new Error('below') });
    const text = errorText(error, context);
    expect(text).toMatch(/^swarmwright: [^\n]*SWARMWRIGHT_DEBUG=1[^\n]*$/u);
    expect(errorText(error, { ...context, debug: true })).toMatch(/ {4}at .*\ncaused by Error: below\n/su);
    expect(errorText('thrown text', context)).toContain('thrown text');
  });

  it('of the projection and of a suite have words as well', () => {
    expect(errorText(new ProjectionError('gap', 'event 3 is missing'), context)).toContain('/store');
    expect(errorText(new GradingError('malformed-suite', 'line 3: no'), context)).toContain('line 3');
  });
});

it('never writes a key that is in the environment', () => {
  const { host, stdout, stderr } = testHost({
    environment: { OPENAI_API_KEY: 'sk-abcdef-123456', SHORT_KEY: 'abc', LANG: 'C.UTF-8-long' },
  });
  const output = new Output(host, false);
  output.line('text sk-abcdef-123456 abc');
  output.problem('problem sk-abcdef-123456');
  output.json({ key: 'sk-abcdef-123456', lang: 'C.UTF-8-long' });
  expect(stdout()).toBe('text [key] abc\n{"key":"[key]","lang":"C.UTF-8-long"}\n');
  expect(stderr()).toBe('problem [key]\n');
});
