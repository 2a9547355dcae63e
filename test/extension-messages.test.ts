import { describe, expect, it } from 'vitest';
import type { ProjectionErrorCode } from '#protocol/projection-error.ts';
import type { JournalErrorCode } from '#journal/errors.ts';
import type { ModelErrorCode } from '#models/errors.ts';
import type { RecordingErrorCode } from '#models/recording/errors.ts';
import type { SandboxErrorCode } from '#sandbox/errors.ts';
import type { SpecErrorCode } from '#spec/errors.ts';
import type { RunErrorCode } from '#swarm/errors.ts';
import type { VcsErrorCode } from '#vcs/errors.ts';
import { errorMessage } from '../extension/messages/error-message.ts';
import type { Words } from '../extension/messages/message.ts';
import { modelSentences, type ModelCode } from '../extension/messages/model-messages.ts';
import { recordingSentences, type RecordingCode } from '../extension/messages/recording-messages.ts';
import { runSentences, type RunCode } from '../extension/messages/run-messages.ts';
import { sandboxSentences, type SandboxCode } from '../extension/messages/sandbox-messages.ts';
import { specSentences, type SpecCode } from '../extension/messages/spec-messages.ts';
import {
  journalSentences,
  projectionSentences,
  vcsSentences,
  type JournalCode,
  type ProjectionCode,
  type VcsCode,
} from '../extension/messages/store-messages.ts';

/** `true` when both unions have the same members: what is missing, or too much, does not compile. */
type Same<Left, Right> = [Left, Right] extends [Right, Left] ? true : never;

const covered: readonly [
  Same<JournalCode, JournalErrorCode>,
  Same<ModelCode, ModelErrorCode>,
  Same<ProjectionCode, ProjectionErrorCode>,
  Same<RecordingCode, RecordingErrorCode>,
  Same<RunCode, RunErrorCode>,
  Same<SandboxCode, SandboxErrorCode>,
  Same<SpecCode, SpecErrorCode>,
  Same<VcsCode, VcsErrorCode>,
] = [true, true, true, true, true, true, true, true];

/** As `vscode.l10n.t` does it. */
const words: Words = {
  t: (message, ...values) =>
    message.replaceAll(/\{(\d+)\}/gu, (_, index: string) => String(values[Number(index)])),
};

const areas: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['JournalError', journalSentences],
  ['ModelError', modelSentences],
  ['ProjectionError', projectionSentences],
  ['RecordingError', recordingSentences],
  ['RunError', runSentences],
  ['SandboxError', sandboxSentences],
  ['SpecError', specSentences],
  ['VcsError', vcsSentences],
];
const codes = areas.flatMap(([area, sentences]) =>
  Object.keys(sentences).map((code): readonly [string, string] => [area, code]),
);

describe('the message of every error', () => {
  it('has an area for each union of codes', () => {
    expect(covered).toHaveLength(areas.length);
  });

  it.each(codes)('%s %s is a sentence without gaps', (area, code) => {
    const details = { path: 'src/a.ts', workspace: '/home/me/shop', model: 'openai/gpt-5.4-mini' };
    const { text, actions } = errorMessage({ area, code, message: 'the own words', details }, words);
    expect(text).toMatch(/^[A-Zos/].*\.$/u);
    expect(text).not.toMatch(/undefined|NaN|\{\d/u);
    expect(actions.length).toBeLessThanOrEqual(3);
  });
});

describe('messages', () => {
  it('say of a refused key whose it is, and offer to set it', () => {
    const message = errorMessage(
      { area: 'ModelError', code: 'auth', message: '401', details: { model: 'openai/gpt-5.4-mini' } },
      words,
    );
    expect(message.text).toBe('OpenAI did not accept the API key: set it again, then go on.');
    expect(message.actions[0]).toEqual({ kind: 'set-api-key', provider: 'openai' });
  });

  it.each([
    { area: 'JournalError', code: 'io', message: 'database or disk is full' },
    { area: 'VcsError', code: 'io', message: 'ENOSPC: no space left on device, write' },
    { area: 'Error', code: 'ENOSPC', message: 'ENOSPC: no space left on device, write' },
    { area: 'Error', code: 'ERR_SQLITE_ERROR', message: 'database or disk is full' },
  ])('say that the disk is full, however it is told: $area $code', (report) => {
    const { text, actions } = errorMessage({ ...report, details: {} }, words);
    expect(text).toContain('The disk is full');
    expect(actions[0]).toEqual({ kind: 'resume' });
  });

  it('name what is not known, in one line', () => {
    const report = { area: 'Error', code: 'unknown', message: 'a\n  b', details: {} };
    expect(errorMessage(report, words).text).toContain('(Error unknown: a b)');
  });

  it('take no property of every object for a code', () => {
    const report = { area: 'toString', code: 'constructor', message: 'm', details: {} };
    expect(errorMessage(report, words).text).toContain('toString constructor');
  });
});
