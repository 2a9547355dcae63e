import type { Dollars, RunEventBody } from '#protocol/events.ts';
import type { Usage } from '#protocol/models.ts';
import { toMicroDollars } from './cost.ts';

/** The part of each cap that is kept for the resolver, the keeper and landing. */
const kept = 0.05;

export interface LedgerCaps {
  readonly usd?: number;
  readonly tokens?: number;
}

/** What one call may cost at most. It is booked until the call is settled, lost or released. */
export interface Reservation {
  /** The call's key: at most one reservation of a key is open. */
  readonly key: string;
  readonly account: string;
  readonly model: string;
  readonly tokens: number;
  /** Null books nothing: without a price there can be no dollar cap. */
  readonly usd: Dollars;
}

export interface ReserveRequest extends Reservation {
  /** True for those whom the kept part is for. */
  readonly privileged: boolean;
}

export type ReserveResult =
  | { readonly kind: 'reserved'; readonly reservation: Reservation }
  /** `needed` and `left` are in the cap's unit: dollars or tokens. Nothing was booked. */
  | {
      readonly kind: 'refused';
      readonly cap: 'usd' | 'tokens';
      readonly needed: number;
      readonly left: number;
    };

/** Booked amounts; money in whole micro-dollars. */
interface Amount {
  readonly tokens: number;
  readonly microDollars: number;
}

/**
 * Tokens and dollars of a run against its caps. What is booked (settled calls, lost calls at their upper bound, open
 * reservations) never exceeds a cap, as long as no provider bills more than was reserved; if one does, the truth is
 * booked and what follows is refused. Holds no state of its own: `restore` rebuilds it from the journal.
 */
export class Ledger {
  readonly #caps: LedgerCaps;
  readonly #open = new Map<string, Reservation>();
  #spent: Amount = { tokens: 0, microDollars: 0 };
  #reserved: Amount = { tokens: 0, microDollars: 0 };

  constructor(caps: LedgerCaps) {
    this.#caps = caps;
  }

  /**
   * A ledger that has seen these events. Calls that were in flight when the run was killed are `open`: the caller
   * loses them, and journals that.
   */
  static restore(caps: LedgerCaps, events: Iterable<RunEventBody>): Ledger {
    const ledger = new Ledger(caps);
    for (const event of events) ledger.#apply(event);
    return ledger;
  }

  /** Reservations without an end, oldest first. */
  get open(): readonly Reservation[] {
    return [...this.#open.values()];
  }

  /** Dollars and tokens that are spent or reserved. */
  get booked(): { readonly usd: number; readonly tokens: number } {
    const { tokens, microDollars } = add(this.#spent, this.#reserved);
    return { usd: microDollars / 1e6, tokens };
  }

  /** @throws Error when a reservation of the same key is open */
  reserve(request: ReserveRequest): ReserveResult {
    const { privileged, ...reservation } = request;
    if (this.#open.has(request.key)) throw new Error(`call '${request.key}' is reserved already`);
    const needed = amountOf(request);
    const booked = add(this.#spent, this.#reserved);
    const share = privileged ? 1 : 1 - kept;
    const { tokens, usd } = this.#caps;
    if (tokens !== undefined) {
      const left = Math.floor(tokens * share) - booked.tokens;
      if (needed.tokens > left) return { kind: 'refused', cap: 'tokens', needed: needed.tokens, left };
    }
    if (usd !== undefined) {
      const left = Math.floor(usd * share * 1e6 + 1e-6) - booked.microDollars;
      if (needed.microDollars > left) {
        return { kind: 'refused', cap: 'usd', needed: needed.microDollars / 1e6, left: left / 1e6 };
      }
    }
    this.#put(reservation);
    return { kind: 'reserved', reservation };
  }

  /** Books what the call has cost in place of its upper bound. */
  settle(key: string, usage: Usage, usd: Dollars): void {
    this.#take(key);
    this.#spend({ tokens: usage.inputTokens + usage.outputTokens, usd });
  }

  /** The call was made and what it cost is not known: its upper bound stays booked for good. The key is free again. */
  lose(key: string): Reservation {
    const reservation = this.#take(key);
    this.#spend(reservation);
    return reservation;
  }

  /** The call cannot have cost anything. */
  release(key: string): void {
    this.#take(key);
  }

  #apply(event: RunEventBody): void {
    if (event.type === 'call.reserved') {
      const { key, account, model, tokens, usd } = event;
      this.#put({ key, account, model, tokens, usd });
    } else if (event.type === 'call.settled') this.settle(event.key, event.usage, event.usd);
    else if (event.type === 'call.lost') this.lose(event.key);
    else if (event.type === 'call.released') this.release(event.key);
  }

  #put(reservation: Reservation): void {
    this.#open.set(reservation.key, reservation);
    this.#reserved = add(this.#reserved, amountOf(reservation));
  }

  #take(key: string): Reservation {
    const reservation = this.#open.get(key);
    if (!reservation) throw new Error(`call '${key}' has no open reservation`);
    this.#open.delete(key);
    const { tokens, microDollars } = amountOf(reservation);
    this.#reserved = add(this.#reserved, { tokens: -tokens, microDollars: -microDollars });
    return reservation;
  }

  #spend(cost: { readonly tokens: number; readonly usd: Dollars }): void {
    this.#spent = add(this.#spent, amountOf(cost));
  }
}

function amountOf(cost: { readonly tokens: number; readonly usd: Dollars }): Amount {
  return { tokens: cost.tokens, microDollars: toMicroDollars(cost.usd ?? 0) };
}

function add(left: Amount, right: Amount): Amount {
  return { tokens: left.tokens + right.tokens, microDollars: left.microDollars + right.microDollars };
}
