import { describe, expect, it } from 'vitest';
import { CommitPace } from './commit-pace.ts';

describe('the pace of commits', () => {
  it('is not told before it has been looked at for a second', () => {
    const pace = new CommitPace(1000);
    pace.add(1500);
    expect(pace.perSecond(1900)).toBeUndefined();
  });

  it('is measured over the last ten seconds, or as long as it has been looked at', () => {
    const pace = new CommitPace(0);
    for (let time = 100; time <= 20_000; time += 100) pace.add(time);
    expect(pace.perSecond(20_000)).toBeCloseTo(10, 1);
    expect(pace.perSecond(25_000)).toBeCloseTo(5, 1);
    expect(pace.perSecond(40_000)).toBe(0);
    const late = new CommitPace(0);
    for (const time of [500, 1000, 1500, 2000]) late.add(time);
    expect(late.perSecond(2000)).toBe(2);
  });
});
