import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEventBody } from '#protocol/events.ts';
import type { Usage } from '#protocol/models.ts';
import { Ledger, type LedgerCaps, type ReserveRequest } from './ledger.ts';

function call(key: string, tokens: number, usd = 0, privileged = false): ReserveRequest {
  return { key, account: 'root', model: 'playbook/x', tokens, usd, privileged };
}

function usage(inputTokens: number, outputTokens = 0): Usage {
  return { inputTokens, outputTokens, cachedInputTokens: 0 };
}

describe('the ledger', () => {
  it('reserves the upper bound, and books what the call has cost in its place', () => {
    const ledger = new Ledger({ tokens: 1000, usd: 1 });
    expect(ledger.reserve(call('a', 900, 0.9)).kind).toBe('reserved');
    expect(ledger.booked).toEqual({ usd: 0.9, tokens: 900 });
    ledger.settle('a', usage(80, 20), 0.1);
    expect(ledger.booked).toEqual({ usd: 0.1, tokens: 100 });
    expect(ledger.open).toEqual([]);
  });

  it('refuses a call that might exceed a cap, and says by how much', () => {
    const ledger = new Ledger({ tokens: 1000, usd: 1 });
    expect(ledger.reserve(call('a', 951))).toEqual({
      kind: 'refused',
      cap: 'tokens',
      needed: 951,
      left: 950,
    });
    expect(ledger.reserve(call('a', 10, 0.96))).toEqual({
      kind: 'refused',
      cap: 'usd',
      needed: 0.96,
      left: 0.95,
    });
    expect(ledger.booked).toEqual({ usd: 0, tokens: 0 });
  });

  it('keeps 5 % of each cap for the privileged', () => {
    const ledger = new Ledger({ tokens: 1000 });
    ledger.reserve(call('worker', 950));
    expect(ledger.reserve(call('planner', 1)).kind).toBe('refused');
    expect(ledger.reserve(call('resolver', 50, 0, true)).kind).toBe('reserved');
    expect(ledger.reserve(call('resolver 2', 1, 0, true)).kind).toBe('refused');
  });

  it('keeps a lost call booked at its upper bound, and lets it be made again under its key', () => {
    const ledger = new Ledger({ tokens: 1000 });
    ledger.reserve(call('a', 400));
    expect(ledger.lose('a')).toMatchObject({ key: 'a', tokens: 400 });
    expect(ledger.reserve(call('a', 400)).kind).toBe('reserved');
    expect(ledger.booked.tokens).toBe(800);
    ledger.release('a');
    expect(ledger.booked.tokens).toBe(400);
  });

  it('books no dollars for calls of unknown price, also when it is rebuilt', () => {
    const reserved = { key: 'a', account: 'root', model: 'compatible/x', tokens: 400, usd: null };
    const ledger = Ledger.restore({ tokens: 1000 }, [
      { type: 'call.reserved', ...reserved, role: 'worker' },
      { type: 'call.settled', ...reserved, role: 'worker', usage: usage(100) },
      { type: 'call.reserved', ...reserved, key: 'b', role: 'worker' },
    ]);
    ledger.lose('b');
    expect(ledger.booked).toEqual({ usd: 0, tokens: 500 });
  });

  it('has no caps where none are given', () => {
    expect(new Ledger({}).reserve(call('a', 1e12, 1e6)).kind).toBe('reserved');
  });

  it('adds small amounts without drift', () => {
    const ledger = new Ledger({ usd: 1 });
    for (let index = 0; index < 9500; index += 1) {
      expect(ledger.reserve(call('a', 0, 0.0001)).kind).toBe('reserved');
      ledger.settle('a', usage(0), 0.0001);
    }
    expect(ledger.booked.usd).toBe(0.95);
    expect(ledger.reserve(call('a', 0, 0.000001)).kind).toBe('refused');
  });

  it('takes no second end and no second reservation of a call', () => {
    const ledger = new Ledger({});
    ledger.reserve(call('a', 1));
    expect(() => ledger.reserve(call('a', 1))).toThrow('reserved already');
    ledger.settle('a', usage(1), 0);
    expect(() => ledger.settle('a', usage(1), 0)).toThrow('no open reservation');
  });
});

interface Step {
  readonly end: 'settle' | 'lose' | 'release' | 'none';
  readonly tokens: number;
  readonly usd: number;
  readonly used: number;
  readonly privileged: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    end: fc.constantFrom('settle', 'lose', 'release', 'none'),
    tokens: fc.nat(400),
    usd: fc.double({ min: 0, max: 0.4, noNaN: true }),
    used: fc.double({ min: 0, max: 1, noNaN: true }),
    privileged: fc.boolean(),
  }),
  { maxLength: 60 },
);
const caps: fc.Arbitrary<LedgerCaps> = fc.record({
  tokens: fc.nat(2000),
  usd: fc.double({ min: 0, max: 2, noNaN: true }),
});
const role = { role: 'worker' as const };

/** Plays the steps, and returns what a journal would hold of them. */
function play(ledger: Ledger, made: readonly Step[], check: (ledger: Ledger) => void): RunEventBody[] {
  const events: RunEventBody[] = [];
  for (const [index, step] of made.entries()) {
    const result = ledger.reserve(call(`call ${index}`, step.tokens, step.usd, step.privileged));
    check(ledger);
    if (result.kind === 'refused') continue;
    const { reservation } = result;
    const { key } = reservation;
    events.push({ type: 'call.reserved', ...reservation, ...role });
    const used = usage(Math.floor(step.tokens * step.used));
    const usd = step.usd * step.used;
    if (step.end === 'settle') {
      ledger.settle(key, used, usd);
      events.push({ type: 'call.settled', ...reservation, ...role, usage: used, usd });
    } else if (step.end === 'lose') {
      events.push({ type: 'call.lost', ...ledger.lose(key), ...role, reason: 'killed' });
    } else if (step.end === 'release') {
      ledger.release(key);
      events.push({ type: 'call.released', key, reason: 'refused' });
    }
    check(ledger);
  }
  return events;
}

describe('for every order of calls, the ledger', () => {
  it('never books more than a cap, and never touches the kept part for others', () => {
    fc.assert(
      fc.property(caps, steps, (limits, made) => {
        const { tokens = 0, usd = 0 } = limits;
        play(new Ledger(limits), made, ({ booked }) => {
          expect(booked.tokens).toBeLessThanOrEqual(tokens);
          expect(booked.usd).toBeLessThanOrEqual(usd + 1e-9);
        });
        const common = made.map((step): Step => Object.assign(structuredClone(step), { privileged: false }));
        play(new Ledger(limits), common, ({ booked }) => {
          expect(booked.tokens).toBeLessThanOrEqual(tokens * 0.95);
          expect(booked.usd).toBeLessThanOrEqual(usd * 0.95 + 1e-9);
        });
      }),
    );
  });

  it('is the same when it is rebuilt from the journal', () => {
    fc.assert(
      fc.property(caps, steps, (limits, made) => {
        const ledger = new Ledger(limits);
        const restored = Ledger.restore(
          limits,
          play(ledger, made, () => undefined),
        );
        expect(restored.booked).toEqual(ledger.booked);
        expect(restored.open).toEqual(ledger.open);
      }),
    );
  });
});
