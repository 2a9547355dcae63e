import type { Dollars, RunEventBody } from './events.ts';
import { addUsage, noUsage, type Usage } from './models.ts';
import { mustHold } from './projection-error.ts';
import type { Role } from './tasks.ts';

/** What settled calls cost together. */
export interface Spend {
  readonly calls: number;
  readonly usage: Usage;
  /** The known part. */
  readonly usd: number;
  /** Calls that `usd` leaves out, as no price is known for their model. */
  readonly unpricedCalls: number;
}

export interface SettledCall {
  readonly key: string;
  readonly account: string;
  readonly role: Role;
  readonly model: string;
  readonly usage: Usage;
  readonly usd: Dollars;
}

/** A call's upper bound: booked while the call is open, and for ever when the call was lost. */
export interface BookedCall {
  readonly key: string;
  readonly account: string;
  readonly role: Role;
  readonly model: string;
  /** Input plus output. */
  readonly tokens: number;
  readonly usd: Dollars;
}

/** What counts against the caps. `usd` leaves out `unpricedCalls`, for whose models no price is known. */
export interface Booked {
  readonly tokens: number;
  readonly usd: number;
  readonly unpricedCalls: number;
}

export interface LostCall extends BookedCall {
  readonly reason: string;
}

const noSpend: Spend = { calls: 0, usage: noUsage, usd: 0, unpricedCalls: 0 };

/** Tokens and dollars of a run. Maps change with the next event; copy what must stay. */
export interface Ledger {
  /** By call key: a settled call is never made again. */
  readonly settled: ReadonlyMap<string, SettledCall>;
  /** Reservations without an end, by call key. */
  readonly open: ReadonlyMap<string, BookedCall>;
  /** In order; a key can be lost several times and settled later. */
  readonly lost: readonly LostCall[];
  /** Settled calls only. */
  readonly total: Spend;
  readonly byRole: ReadonlyMap<Role, Spend>;
  readonly byModel: ReadonlyMap<string, Spend>;
  /** Settled calls booked on the account itself or below it. */
  subtree(account: string): Spend;
  /** Settled, open and lost together. */
  readonly booked: Booked;
}

/** The ledger as JSON can carry it: its sums, without the settled calls one by one. */
export interface LedgerRecord {
  readonly open: readonly BookedCall[];
  readonly lost: readonly LostCall[];
  readonly total: Spend;
  readonly byRole: readonly (readonly [Role, Spend])[];
  readonly byModel: readonly (readonly [string, Spend])[];
  readonly bySubtree: readonly (readonly [string, Spend])[];
}

type LedgerEvent = Extract<
  RunEventBody,
  { type: 'call.reserved' | 'call.settled' | 'call.lost' | 'call.released' }
>;

function addCall(spend: Spend, call: SettledCall): Spend {
  return {
    calls: spend.calls + 1,
    usage: addUsage(spend.usage, call.usage),
    usd: spend.usd + (call.usd ?? 0),
    unpricedCalls: spend.unpricedCalls + Number(call.usd === null),
  };
}

function addTo<Key>(map: Map<Key, Spend>, key: Key, call: SettledCall): void {
  map.set(key, addCall(map.get(key) ?? noSpend, call));
}

export class LedgerProjection implements Ledger {
  readonly settled: Map<string, SettledCall> = new Map();
  readonly open: Map<string, BookedCall> = new Map();
  readonly lost: LostCall[] = [];
  readonly byRole: Map<Role, Spend> = new Map();
  readonly byModel: Map<string, Spend> = new Map();
  readonly #bySubtree = new Map<string, Spend>();
  total: Spend = noSpend;

  snapshot(): LedgerRecord {
    return {
      open: [...this.open.values()],
      lost: [...this.lost],
      total: this.total,
      byRole: [...this.byRole],
      byModel: [...this.byModel],
      bySubtree: [...this.#bySubtree],
    };
  }

  /** Of a ledger without calls. `settled` stays empty: who restores looks, and makes no calls. */
  restore(record: LedgerRecord): void {
    for (const call of record.open) this.open.set(call.key, call);
    this.lost.push(...record.lost);
    this.total = record.total;
    for (const [role, spend] of record.byRole) this.byRole.set(role, spend);
    for (const [model, spend] of record.byModel) this.byModel.set(model, spend);
    for (const [account, spend] of record.bySubtree) this.#bySubtree.set(account, spend);
  }

  subtree(account: string): Spend {
    return this.#bySubtree.get(account) ?? noSpend;
  }

  /** Summed anew, so that no rounding is left behind by what was added and taken away. */
  get booked(): Booked {
    let tokens = this.total.usage.inputTokens + this.total.usage.outputTokens;
    let { usd, unpricedCalls } = this.total;
    for (const call of [...this.open.values(), ...this.lost]) {
      tokens += call.tokens;
      usd += call.usd ?? 0;
      unpricedCalls += Number(call.usd === null);
    }
    return { tokens, usd, unpricedCalls };
  }

  apply(event: LedgerEvent): void {
    const { key } = event;
    if (event.type === 'call.reserved') {
      mustHold(!this.open.has(key), 'the call is already reserved', { key });
      mustHold(!this.settled.has(key), 'the call is already settled', { key });
      const { account, role, model, tokens, usd } = event;
      this.open.set(key, { key, account, role, model, tokens, usd });
      return;
    }
    mustHold(this.open.has(key), 'the call has no open reservation', { key, event: event.type });
    this.open.delete(key);
    if (event.type === 'call.settled') {
      const { account, role, model, usage, usd } = event;
      this.#settle({ key, account, role, model, usage, usd });
    } else if (event.type === 'call.lost') {
      const { account, role, model, tokens, usd, reason } = event;
      this.lost.push({ key, account, role, model, tokens, usd, reason });
    }
  }

  #settle(call: SettledCall): void {
    this.settled.set(call.key, call);
    this.total = addCall(this.total, call);
    addTo(this.byRole, call.role, call);
    addTo(this.byModel, call.model, call);
    addTo(this.#bySubtree, call.account, call);
    for (let cut = call.account.lastIndexOf('/'); cut > 0; cut = call.account.lastIndexOf('/', cut - 1)) {
      addTo(this.#bySubtree, call.account.slice(0, cut), call);
    }
  }
}
