import {
  LanguageModelChatMessageRole,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  type CancellationToken,
  type LanguageModelChatInformation,
  type LanguageModelChatProvider,
  type LanguageModelChatRequestMessage,
  type LanguageModelResponsePart,
  type Progress,
  type ProvideLanguageModelChatResponseOptions,
} from 'vscode';
import type { ChatMessage, ToolCall } from '#protocol/models.ts';
import type { Facts } from '#models/facts.ts';
import { playTurn } from '#models/playbook/play-turn.ts';
import type { Playbook } from '#models/playbook/playbook.ts';
import { deriveCallKey } from './derive-call-key.ts';
import { misbehave, type Misbehaviour } from './misbehaviour.ts';

/** A request as the provider saw it. */
interface SeenRequest {
  readonly model: string;
  /** Undefined when it is no call of an agent. */
  readonly key: string | undefined;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly string[];
}

const models = ['large', 'small'].map((id): LanguageModelChatInformation => ({
  id,
  name: `Playbook ${id}`,
  family: 'playbook',
  version: '1',
  maxInputTokens: 200_000,
  maxOutputTokens: 32_000,
  capabilities: { toolCalling: true },
}));

/** Characters of a text in one part. */
const pieceLength = 40;

export class PlaybookProvider implements LanguageModelChatProvider {
  readonly #playbook: Playbook;
  readonly #facts: Facts;
  readonly #requests: SeenRequest[] = [];
  readonly #orders: Misbehaviour[] = [];

  constructor(playbook: Playbook, facts: Facts) {
    this.#playbook = playbook;
    this.#facts = facts;
  }

  /** In the order in which they came, those that it misbehaved to included. */
  get requests(): readonly SeenRequest[] {
    return this.#requests;
  }

  /** Instead of answering the next calls. */
  misbehave(how: Misbehaviour, calls: number): void {
    for (let call = 0; call < calls; call += 1) this.#orders.push(how);
  }

  provideLanguageModelChatInformation(): LanguageModelChatInformation[] {
    return models;
  }

  async provideLanguageModelChatResponse(
    model: LanguageModelChatInformation,
    sent: readonly LanguageModelChatRequestMessage[],
    options: ProvideLanguageModelChatResponseOptions,
    progress: Progress<LanguageModelResponsePart>,
    token: CancellationToken,
  ): Promise<void> {
    const messages = sent.flatMap(readMessage);
    const key = deriveCallKey(messages);
    const tools = (options.tools ?? []).map(({ name }) => name);
    this.#requests.push({ model: model.id, key, messages, tools });
    const how = this.#orders.shift();
    if (how !== undefined) return misbehave(how, progress, token);
    if (key === undefined) {
      progress.report(new LanguageModelTextPart('I only know what agents ask.'));
      return undefined;
    }
    const after = this.#playbook.turns.get(key)?.after ?? [];
    await Promise.all(after.map(async (fact) => this.#facts.when(fact, signalOf(token))));
    const turn = playTurn(this.#playbook, { callKey: key, messages, maxOutputTokens: model.maxOutputTokens });
    for (let at = 0; at < turn.text.length; at += pieceLength) {
      progress.report(new LanguageModelTextPart(turn.text.slice(at, at + pieceLength)));
    }
    for (const { id, name, args } of turn.toolCalls) {
      const input: object = JSON.parse(args);
      progress.report(new LanguageModelToolCallPart(id, name, input));
    }
    return undefined;
  }

  /** A quarter of the bytes, as the playbook counts. */
  async provideTokenCount(
    _model: LanguageModelChatInformation,
    text: string | LanguageModelChatRequestMessage,
  ): Promise<number> {
    const whole = typeof text === 'string' ? text : JSON.stringify(readMessage(text));
    return Math.ceil(Buffer.byteLength(whole) / 4);
  }
}

/** A message can hold several results of tools; each is a message of ours. */
function readMessage(message: LanguageModelChatRequestMessage): readonly ChatMessage[] {
  const text = textOf(message.content);
  if (message.role === LanguageModelChatMessageRole.Assistant) {
    const toolCalls = message.content.flatMap((part): readonly ToolCall[] =>
      part instanceof LanguageModelToolCallPart
        ? [{ id: part.callId, name: part.name, args: JSON.stringify(part.input) }]
        : [],
    );
    return [{ role: 'assistant', text, toolCalls }];
  }
  const results = message.content.flatMap((part): readonly ChatMessage[] =>
    part instanceof LanguageModelToolResultPart
      ? [{ role: 'tool', callId: part.callId, text: textOf(part.content) }]
      : [],
  );
  return text === '' && results.length > 0 ? results : [...results, { role: 'user', text }];
}

function textOf(parts: readonly unknown[]): string {
  return parts.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
}

function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  token.onCancellationRequested(() => {
    controller.abort(new Error('the caller has cancelled'));
  });
  return controller.signal;
}
