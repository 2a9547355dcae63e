import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '#protocol/change-sets.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { viewStateAfter, viewStepBetween, type ViewState } from './view-steps.ts';

const change = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    path: fc.constantFrom('a', 'b', 'c/d'),
    mode: fc.constantFrom('file' as const, 'executable' as const),
    content: fc.uint8Array({ maxLength: 6 }),
  }),
  fc.record({ kind: fc.constant('delete' as const), path: fc.constantFrom('a', 'b', 'c/d') }),
);
const state = fc.record({
  base: fc.constantFrom('0', '1'),
  edits: fc
    .uniqueArray(change, { selector: (one) => one.path })
    .map((edits: Change[]) => edits.toSorted((x, y) => (x.path < y.path ? -1 : 1))),
});

test('the steps between states, stored and read back, lead to the last state', () => {
  fc.assert(
    fc.property(fc.array(state, { maxLength: 8 }), (states: ViewState[]) => {
      let before: ViewState = { base: '0', edits: [] };
      const items: TranscriptItem[] = [];
      for (const after of states) {
        const view = viewStepBetween(before, after);
        const item: TranscriptItem = {
          kind: 'tool',
          callId: 'c',
          name: 't',
          text: '',
          ...(view ? { view } : {}),
        };
        items.push(structuredClone(item));
        before = after;
      }
      expect(viewStateAfter('0', items)).toEqual(before);
    }),
  );
});

test('a call that changes nothing stores no step', () => {
  const same: ViewState = {
    base: '0',
    edits: [{ kind: 'write', path: 'a', mode: 'file', content: new Uint8Array([1]) }],
  };
  expect(viewStepBetween(same, { base: '0', edits: [{ ...same.edits[0]! }] })).toBeUndefined();
});
