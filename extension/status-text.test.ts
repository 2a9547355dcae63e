import { describe, expect, it } from 'vitest';
import { fold, options, reserved, settled, tree } from '#protocol/projection-samples.ts';
import type { RunEventBody } from '#protocol/events.ts';
import { isResumable, phaseOf, statusText, type ShownState } from './status-text.ts';

const words = {
  t: (message: string, ...values: (string | number)[]): string =>
    message.replaceAll(/\{(\d+)\}/gu, (_, index: string) => String(values[Number(index)])),
};

function shown(mode: ShownState['mode'], ...bodies: readonly RunEventBody[]): ShownState {
  return { state: fold(...bodies), mode, outcome: undefined };
}

const running = tree;
const stopped: RunEventBody = { type: 'run.ended', status: 'interrupted', reasons: ['stopped by the user'] };

describe('the status bar', () => {
  it('counts the agents that work, and says that closing the window stops them', () => {
    const { text, tooltip, severity } = statusText(shown('driving', ...running), 'en', words);
    expect(text).toBe('$(sync~spin) 1 agent');
    expect(tooltip).toContain('Closing the window stops the run.');
    expect(severity).toBe('normal');
  });

  it('shows spend against the budget', () => {
    const priced: RunEventBody = {
      type: 'run.created',
      options: { ...options, caps: { ...options.caps, usd: 5 } },
    };
    const bodies = [priced, ...tree.slice(1), reserved('k', 'root'), settled('k', 'root')];
    expect(statusText(shown('driving', ...bodies), 'en', words).text).toMatch(/ of \$5\.00$/u);
  });

  it('tells a run that is held from one that works, has ended, or is driven elsewhere', () => {
    expect(statusText(shown('driving', ...running, { type: 'run.paused' }), 'en', words).text).toContain(
      'paused',
    );
    expect(statusText(shown('open', ...running, stopped), 'en', words).text).toContain('stopped');
    expect(statusText(shown('open', ...running), 'en', words).text).toContain('cut off');
    expect(statusText(shown('following', ...running), 'en', words).text).toContain('another window');
  });

  it('does not say of a run that has ended that closing the window stops it', () => {
    expect(statusText(shown('open', ...running, stopped), 'en', words).tooltip).not.toContain('Closing');
  });

  it('shows a failure as an error', () => {
    const failed: ShownState = {
      ...shown('open', ...running),
      outcome: { kind: 'failed', error: { area: 'ModelError', code: 'auth', message: 'm', details: {} } },
    };
    expect(statusText(failed, 'en', words)).toMatchObject({
      text: '$(error) Build failed',
      severity: 'error',
    });
  });
});

describe('a run', () => {
  it('can be resumed when it was stopped, cut off or is incomplete, and nobody drives it', () => {
    expect(isResumable(shown('open', ...running, stopped))).toBe(true);
    expect(isResumable(shown('open', ...running))).toBe(true);
    expect(isResumable(shown('driving', ...running))).toBe(false);
    expect(isResumable(shown('following', ...running))).toBe(false);
    const complete: RunEventBody = { type: 'run.ended', status: 'complete', reasons: [] };
    expect(isResumable(shown('open', ...running, complete))).toBe(false);
  });

  it('has a phase that commands go by', () => {
    expect(phaseOf(shown('driving', ...running))).toBe('running');
    expect(phaseOf(shown('driving', ...running, { type: 'run.paused' }))).toBe('paused');
    expect(phaseOf(shown('open', ...running))).toBe('ended');
    expect(phaseOf(shown('following', ...running))).toBe('following');
  });
});
