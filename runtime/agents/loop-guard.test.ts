import { describe, expect, test } from 'vitest';
import { noUsage } from '#protocol/models.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { endedBy, nudgeFor } from './loop-guard.ts';

const limits = { turns: 50, outputTokens: 100 };

function turn(number: number, call: string | undefined, result = 'ok', cut = false): TranscriptItem[] {
  const assistant: TranscriptItem = {
    kind: 'assistant',
    turn: number,
    callKey: `worker root/a 1 ${number}`,
    text: '',
    toolCalls: call === undefined ? [] : [{ id: `c${number}`, name: 'read_file', args: call }],
    stopReason: cut ? 'length' : 'end',
    usage: noUsage,
  };
  return call === undefined
    ? [assistant]
    : [assistant, { kind: 'tool', callId: `c${number}`, name: 'read_file', text: result }];
}

function turns(count: number, call: (number: number) => string | undefined, cut = false): TranscriptItem[] {
  return Array.from({ length: count }, (_, index) => turn(index + 1, call(index + 1), 'ok', cut)).flat();
}

describe('an agent that repeats itself', () => {
  test('is nudged at the third time and stopped at the sixth', () => {
    expect(nudgeFor(turns(2, () => '{}'))).toBeUndefined();
    expect(nudgeFor(turns(3, () => '{}'))).toContain('Try another way');
    expect(
      endedBy(
        turns(5, () => '{}'),
        limits,
      ),
    ).toBeUndefined();
    expect(
      endedBy(
        turns(6, () => '{}'),
        limits,
      )?.mode,
    ).toBe('looping');
  });

  test('is not one that pages through a file', () => {
    expect(
      endedBy(
        turns(20, (number) => `{"from_line":${number}}`),
        limits,
      ),
    ).toBeUndefined();
  });

  test('is not one that gets other results', () => {
    const items = Array.from({ length: 20 }, (_, index) => turn(index + 1, '{}', `result ${index}`)).flat();
    expect(endedBy(items, limits)).toBeUndefined();
  });
});

test('an agent that calls no tool is nudged, then stopped', () => {
  expect(nudgeFor(turns(1, () => undefined))).toContain('called no tool');
  expect(
    endedBy(
      turns(3, () => undefined),
      limits,
    )?.mode,
  ).toBe('stalled');
});

test('an agent whose answers are cut is nudged, then stopped', () => {
  expect(nudgeFor(turns(1, () => '{', true))).toContain('cut at the output cap');
  expect(
    endedBy(
      turns(3, (number) => `{${number}`, true),
      limits,
    )?.mode,
  ).toBe('output-limit');
});

test('an agent is stopped at its turn limit', () => {
  expect(endedBy(turns(50, String), limits)?.mode).toBe('turn-limit');
});

test('what was told last needs no nudge', () => {
  expect(nudgeFor([...turns(1, () => undefined), { kind: 'user', text: 'go on' }])).toBeUndefined();
});
