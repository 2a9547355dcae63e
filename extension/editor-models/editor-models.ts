import {
  CancellationTokenSource,
  l10n,
  LanguageModelChatMessage,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  lm,
  type Disposable,
  type LanguageModelAccessInformation,
  type LanguageModelChat,
} from 'vscode';
import type { HostChatEnd, HostChatEvent, HostModelInfo } from '#protocol/host-models.ts';
import type { ChatRequest } from '#protocol/models.ts';
import { failureOf, HostModelError } from './chat-failure.ts';
import { editorMessages, editorTools } from './chat-messages.ts';
import { choiceOf, readModelName } from './model-choice.ts';
import { requestBytes, TokenEstimate } from './token-estimate.ts';

interface KnownModel {
  readonly chat: LanguageModelChat;
  readonly estimate: TokenEstimate;
  /** Whether its own counting has been asked for. */
  isCalibrated: boolean;
}

/** Calls the models that other extensions have given the editor, for the runtime, which cannot reach them. */
export class EditorModels implements Disposable {
  readonly #access: LanguageModelAccessInformation;
  readonly #tell: (call: string, event: HostChatEvent) => void;
  readonly #calls = new Map<string, CancellationTokenSource>();
  readonly #known = new Map<string, KnownModel>();
  readonly #listener: Disposable;

  constructor(access: LanguageModelAccessInformation, tell: (call: string, event: HostChatEvent) => void) {
    this.#access = access;
    this.#tell = tell;
    this.#listener = lm.onDidChangeChatModels(() => {
      this.#known.clear();
    });
  }

  /** All that can be chosen now. Looking asks the user nothing. */
  async list(): Promise<readonly HostModelInfo[]> {
    return (await lm.selectChatModels()).map((model) => ({
      choice: choiceOf(model),
      label: model.name,
      vendor: model.vendor,
      maxInputTokens: model.maxInputTokens,
    }));
  }

  /**
   * Has the user allow the use of these choices, where that was not asked before. Only to be called for something that
   * the user has just asked for, as the editor may show a dialog. What it takes is a request of a few tokens.
   * @throws HostModelError `auth` when it is refused, `unknown-model` when a model is not there
   */
  async ask(choices: readonly string[]): Promise<void> {
    for (const name of new Set(choices.flatMap((choice) => /^vscode\/(.+)$/u.exec(choice)?.[1] ?? []))) {
      // oxlint-disable-next-line no-await-in-loop -- one dialog after the other
      await this.#askFor(name);
    }
  }

  async #askFor(name: string): Promise<void> {
    const model = `vscode/${name}`;
    const { chat } = await this.#find(name);
    if (this.#access.canSendRequest(chat) === true) return;
    const cancellation = new CancellationTokenSource();
    try {
      const greeting = LanguageModelChatMessage.User('Answer with OK.');
      const justification = l10n.t(
        'Swarmwright builds your specification with this model, in many requests.',
      );
      const answer = await chat.sendRequest([greeting], { justification }, cancellation.token);
      // That it may be asked is all that was to be known.
      for await (const _ of answer.stream) break;
    } catch (error) {
      throw failureOf(error, model, false);
    } finally {
      cancellation.cancel();
      cancellation.dispose();
    }
  }

  /** As `HostApi.chat`. @throws HostModelError */
  async chat(call: string, name: string, request: ChatRequest): Promise<HostChatEnd> {
    const cancellation = new CancellationTokenSource();
    this.#calls.set(call, cancellation);
    const answer = new Answer((event) => {
      this.#tell(call, event);
    });
    try {
      const model = await this.#find(name);
      await this.#calibrate(model, request);
      return await answer.read(model, `vscode/${name}`, request, cancellation);
    } catch (error) {
      const failure = failureOf(error, `vscode/${name}`, answer.events > 0);
      if (failure.code === 'unknown-model') this.#known.delete(name);
      throw failure;
    } finally {
      if (this.#calls.get(call) === cancellation) this.#calls.delete(call);
      cancellation.dispose();
    }
  }

  cancelChat(call: string): void {
    this.#calls.get(call)?.cancel();
  }

  /** The runtime is gone: nobody waits for the answers. */
  cancelAll(): void {
    for (const cancellation of this.#calls.values()) cancellation.cancel();
  }

  dispose(): void {
    this.cancelAll();
    this.#listener.dispose();
  }

  async #find(name: string): Promise<KnownModel> {
    const known = this.#known.get(name);
    if (known) return known;
    const id = readModelName(name);
    const [chat] = id ? await lm.selectChatModels({ vendor: id.vendor, id: id.id }) : [];
    if (!chat) {
      const details = { model: `vscode/${name}`, removed: 'true' };
      throw new HostModelError('unknown-model', `the editor has no model ${name}`, details);
    }
    const found = { chat, estimate: new TokenEstimate(chat.maxInputTokens), isCalibrated: false };
    this.#known.set(name, found);
    return found;
  }

  /** Asked once a model: each count is a round trip to another extension. */
  async #calibrate(model: KnownModel, request: ChatRequest): Promise<void> {
    const text = request.messages[0]?.text;
    if (model.isCalibrated || text === undefined) return;
    model.isCalibrated = true;
    try {
      model.estimate.calibrate(text, await model.chat.countTokens(text));
    } catch {
      // Some providers do not count; the usual ratio stays.
    }
  }
}

/** One answer, from its request to its end. */
class Answer {
  readonly #tell: (event: HostChatEvent) => void;
  events = 0;
  #bytes = 0;
  #toolCalls = 0;

  constructor(tell: (event: HostChatEvent) => void) {
    this.#tell = tell;
  }

  async read(
    { chat, estimate }: KnownModel,
    model: string,
    request: ChatRequest,
    cancellation: CancellationTokenSource,
  ): Promise<HostChatEnd> {
    const { token } = cancellation;
    const inputTokens = estimate.tokens(requestBytes(request));
    if (inputTokens > estimate.limit) {
      const details = { model, mayHaveCost: 0, tokens: inputTokens, limit: estimate.limit };
      const message = `about ${inputTokens} tokens are sent, and the model can be trusted with ${estimate.limit}`;
      throw new HostModelError('context-overflow', message, details);
    }
    const justification = l10n.t('Swarmwright builds your specification with this model, in many requests.');
    const isTooLong = (): boolean => estimate.tokens(this.#bytes) > request.maxOutputTokens;
    try {
      const tools = editorTools(request.tools);
      const response = await chat.sendRequest(
        editorMessages(request.messages),
        { justification, tools },
        token,
      );
      for await (const part of response.stream) {
        // What comes after a cancellation is nobody's: the call may have been taken over by another.
        if (token.isCancellationRequested) break;
        this.#take(part);
        if (isTooLong()) break;
      }
    } catch (error) {
      const failure = failureOf(error, model, this.events > 0);
      if (failure.code === 'context-overflow') estimate.refused(inputTokens);
      throw failure;
    }
    const wasTooLong = isTooLong();
    if (wasTooLong) cancellation.cancel();
    // A stream that was cancelled ends like one that is finished.
    else if (token.isCancellationRequested) {
      throw new HostModelError('broken-stream', 'the answer was stopped', { model, mayHaveCost: 1 });
    }
    const usage = {
      inputTokens,
      cachedInputTokens: 0,
      outputTokens: Math.min(estimate.tokens(this.#bytes), request.maxOutputTokens),
      estimated: true,
    } as const;
    const stopReason = wasTooLong ? 'length' : this.#toolCalls > 0 ? 'tool-calls' : 'end';
    return { events: this.events, stopReason, usage };
  }

  /** Parts of other kinds, such as what a model thinks, are passed over: the API says that there may be any. */
  #take(part: unknown): void {
    if (part instanceof LanguageModelTextPart) {
      if (part.value === '') return;
      this.#send({ kind: 'text', text: part.value }, part.value);
    } else if (part instanceof LanguageModelToolCallPart) {
      const args = JSON.stringify(part.input);
      this.#toolCalls += 1;
      const call = { id: part.callId, name: part.name, args };
      this.#send({ kind: 'tool-call', call }, part.name + args);
    }
  }

  #send(event: HostChatEvent, text: string): void {
    this.events += 1;
    this.#bytes += Buffer.byteLength(text);
    this.#tell(event);
  }
}
