import type { ChatEvent, ChatModel, ChatRequest } from '../chat-model.ts';
import type { Facts } from '../facts.ts';
import { playTurn } from './play-turn.ts';
import type { Playbook } from './playbook.ts';

/** Plays assistant turns from a playbook: the embedded default, and what demos and tests run on. */
export class PlaybookModel implements ChatModel {
  readonly provider = 'playbook';
  readonly name: string;
  readonly scripted = true;
  readonly #playbook: Playbook;
  readonly #facts: Facts;
  readonly #playedKeys = new Set<string>();

  constructor(playbook: Playbook, facts: Facts) {
    this.#playbook = playbook;
    this.#facts = facts;
    this.name = playbook.title;
  }

  /** Keys of the turns that this process has played; a record for reports, not looked at when playing. */
  get playedKeys(): ReadonlySet<string> {
    return this.#playedKeys;
  }

  /** Waits for the turn's barriers. A key without a turn waits for nothing: `chat` tells what is wrong with it. */
  async ready(request: ChatRequest, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const after = this.#playbook.turns.get(request.callKey)?.after ?? [];
    await Promise.all(after.map(async (fact) => this.#facts.when(fact, signal)));
  }

  async *chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    signal.throwIfAborted();
    const turn = playTurn(this.#playbook, request);
    this.#playedKeys.add(request.callKey);
    if (turn.text !== '') yield { kind: 'text', text: turn.text };
    for (const call of turn.toolCalls) {
      signal.throwIfAborted();
      yield { kind: 'tool-call', call };
    }
    signal.throwIfAborted();
    yield { kind: 'end', stopReason: turn.stopReason, usage: turn.usage };
  }
}
