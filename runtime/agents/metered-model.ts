import type { RunEventBody } from '#protocol/events.ts';
import type { Role } from '#protocol/tasks.ts';
import type { ToolCall } from '#protocol/models.ts';
import type { ChatModel, ChatRequest, Price } from '#models/chat-model.ts';
import { costOf, upperBound } from '#models/cost.ts';
import { ModelError } from '#models/errors.ts';
import type { Ledger, Reservation } from '#models/ledger.ts';
import type { AssistantTurn, ModelCaller } from './model-caller.ts';
import type { PauseGate } from './pause-gate.ts';
import type { SlotHold } from './slots.ts';

/** Bounds how many calls go to a provider at once, and tries again what may be tried again. */
export interface CallLimiter {
  run<Result>(attempt: (signal: AbortSignal) => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

export interface MeteredParts {
  readonly model: ChatModel;
  readonly role: Role;
  /** Null where none is known: then no dollar cap can be set. */
  readonly price: Price | null;
  readonly ledger: Ledger;
  readonly limiter: CallLimiter;
  readonly hold: SlotHold;
  /** Closed while the user holds the run. */
  readonly gate: PauseGate;
  publish(event: RunEventBody): Promise<void>;
  /** Resolves when a reservation anywhere has ended, so that a refused one may be tried again. */
  reservationEnded(signal: AbortSignal): Promise<void>;
}

async function collect(model: ChatModel, request: ChatRequest, signal: AbortSignal): Promise<AssistantTurn> {
  let text = '';
  const toolCalls: ToolCall[] = [];
  for await (const event of model.chat(request, signal)) {
    switch (event.kind) {
      case 'text':
        text += event.text;
        break;
      case 'tool-call':
        toolCalls.push(event.call);
        break;
      case 'end':
        return { text, toolCalls, stopReason: event.stopReason, usage: event.usage };
      default:
        event satisfies never;
    }
  }
  const name = `${model.provider}/${model.name}`;
  throw new ModelError(
    'broken-stream',
    `${name}: the answer ended without an end`,
    {},
    { mayHaveCost: true },
  );
}

/** A model whose calls are ordered, bounded and paid for: what every agent calls. */
export class MeteredModel implements ModelCaller {
  readonly id: string;
  readonly #parts: MeteredParts;

  constructor(parts: MeteredParts) {
    this.#parts = parts;
    this.id = `${parts.model.provider}/${parts.model.name}`;
  }

  async call(
    request: ChatRequest,
    signal: AbortSignal,
    settle: (answer: AssistantTurn, events: readonly RunEventBody[]) => Promise<void>,
  ): Promise<void> {
    const { model, hold, limiter, ledger, price, role } = this.#parts;
    await hold.without(model.ready(request, signal), signal);
    const answer = await limiter.run(async (attemptSignal) => this.#attempt(request, attemptSignal), signal);
    const usd = price === null ? null : costOf(answer.usage, price);
    // Before the event is told: who waits for it looks at the ledger at once. If it cannot be stored, the run is over.
    ledger.settle(request.callKey, answer.usage, usd);
    await settle(answer, [
      {
        type: 'call.settled',
        key: request.callKey,
        account: request.account,
        role,
        model: this.id,
        usage: answer.usage,
        usd,
      },
    ]);
  }

  /** One try: reserved before, and lost or released when it fails. */
  async #attempt(request: ChatRequest, signal: AbortSignal): Promise<AssistantTurn> {
    const { gate, hold } = this.#parts;
    if (gate.isClosed) await hold.without(gate.pass(signal), signal);
    const reservation = await this.#reserve(request, signal);
    const { key, account, model, tokens, usd } = reservation;
    const { role } = this.#parts;
    await this.#parts.publish({ type: 'call.reserved', key, account, role, model, tokens, usd });
    try {
      return await collect(this.#parts.model, request, signal);
    } catch (error) {
      await this.#giveBack(reservation, error);
      throw error;
    }
  }

  async #giveBack(reservation: Reservation, error: unknown): Promise<void> {
    const { key, account, model, tokens, usd } = reservation;
    const reason = ModelError.is(error) ? error.code : 'aborted';
    if (ModelError.is(error) && !error.mayHaveCost) {
      this.#parts.ledger.release(key);
      await this.#parts.publish({ type: 'call.released', key, reason });
      return;
    }
    this.#parts.ledger.lose(key);
    const { role } = this.#parts;
    await this.#parts.publish({ type: 'call.lost', key, account, role, model, tokens, usd, reason });
  }

  /** Waits, without a slot, while other calls' reservations stand between this one and the cap. */
  async #reserve(request: ChatRequest, signal: AbortSignal): Promise<Reservation> {
    const { ledger, price, role, hold } = this.#parts;
    const bound = upperBound(request, price);
    for (;;) {
      const result = ledger.reserve({
        key: request.callKey,
        account: request.account,
        model: this.id,
        ...bound,
        privileged: role === 'resolver',
      });
      if (result.kind === 'reserved') return result.reservation;
      if (ledger.open.length === 0) {
        const { cap, needed, left } = result;
        throw new ModelError('budget', `the next call may need ${needed} ${cap}, and ${left} are left`, {
          cap,
          needed,
          left,
        });
      }
      await hold.without(this.#parts.reservationEnded(signal), signal);
    }
  }
}
