import { expect, test } from 'vitest';
import type { LandingDecision, ReviewState } from '#protocol/projection-review.ts';
import { DecisionGroups } from './decision-groups.ts';

type Known = Pick<ReviewState, 'decisions' | 'intents'>;

function known(...decided: readonly (readonly [path: string, group: string])[]): Known {
  const decisions = decided.map(([path, group]): LandingDecision => ({
    kind: 'discarded',
    decision: path,
    landing: 'l',
    group,
    path,
    trunk: null,
  }));
  return { decisions, intents: new Map() };
}

async function pathsOf(decisions: readonly LandingDecision[]): Promise<readonly string[]> {
  return decisions.map(({ path }) => path);
}

test('an undo takes the command that was given last, though one before it ended later', async () => {
  const groups = new DecisionGroups();
  const slow = groups.begin(known());
  const quick = groups.begin(known());
  const review = known(['quick', quick], ['slow', slow]);
  await expect(groups.undo(() => review, pathsOf)).resolves.toEqual(['quick']);
});

test('an undo waits for what is under way, and does not take what was asked for after it', async () => {
  const groups = new DecisionGroups();
  const { promise: gate, resolve } = Promise.withResolvers<void>();
  let review = known();
  const first = groups.begin(review);
  const deciding = groups.run(async () => {
    await gate;
    review = known(['first', first]);
    throw new Error('the editor is gone');
  });
  const undone = groups.undo(() => review, pathsOf);
  const later = groups.begin(review);
  resolve();
  await expect(deciding).rejects.toThrow('gone');
  review = known(['first', first], ['later', later]);
  await expect(undone).resolves.toEqual(['first']);
});

test('a second undo waits for the first, and takes the command before', async () => {
  const groups = new DecisionGroups();
  const [first, second] = [groups.begin(known()), groups.begin(known())];
  let review = known(['a', first], ['b', second], ['c', second]);
  const undos = [1, 2].map(async () =>
    groups.undo(
      () => review,
      async (decisions) => {
        review = { ...review, decisions: review.decisions.filter((one) => !decisions.includes(one)) };
        return pathsOf(decisions);
      },
    ),
  );
  await expect(Promise.all(undos)).resolves.toEqual([['b', 'c'], ['a']]);
});

test('after a reload commands go on being newer than what is on record, also than groups without numbers', async () => {
  const old = '4f6c1c1e-8f0a-4a3e-9d58-0f3f5a2c7d11';
  const before = known(['a', 'g7'], ['b', old]);
  await expect(new DecisionGroups().undo(() => before, pathsOf)).resolves.toEqual(['a']);
  await expect(new DecisionGroups().undo(() => known(['a', 'x'], ['b', old]), pathsOf)).resolves.toEqual([
    'b',
  ]);
  const groups = new DecisionGroups();
  groups.begin(known());
  await expect(groups.undo(() => before, pathsOf)).resolves.toEqual(['a']);
  const next = groups.begin(before);
  expect(next).toBe('g8');
  await expect(groups.undo(() => known(['c', next], ['a', 'g7']), pathsOf)).resolves.toEqual(['c']);
});

test('a group that is named is the one that is undone', async () => {
  const groups = new DecisionGroups();
  const review = known(['a', 'g1'], ['b', 'g2']);
  await expect(groups.undo(() => review, pathsOf, 'g1')).resolves.toEqual(['a']);
});
