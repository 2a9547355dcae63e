import type { ChatRequest } from '#protocol/models.ts';

/** Tokens a byte of English and code, about: what is taken before the model's own counting is known. */
const usualRatio = 1 / 3.5;
/** Between these a tokenizer lies; some providers answer with a constant. */
const [leastRatio, mostRatio] = [1 / 8, 1];
/**
 * The part of a model's stated input that is used: one that states 128 K has been seen to take 80 K, and to cut off the
 * rest without a word.
 */
const trustedPart = 0.6;

/** What is known of how a model counts. Its API tells no usage, so all of it is an estimate. */
export class TokenEstimate {
  #ratio = usualRatio;
  #limit: number;

  /** @param maxInputTokens as the model states it */
  constructor(maxInputTokens: number) {
    this.#limit = Math.floor(maxInputTokens * trustedPart);
  }

  /** Tokens of input that the model is trusted to read. */
  get limit(): number {
    return this.#limit;
  }

  /** The model has counted a text itself. */
  calibrate(text: string, tokens: number): void {
    const bytes = Buffer.byteLength(text);
    if (bytes === 0 || !Number.isFinite(tokens) || tokens <= 0) return;
    this.#ratio = Math.min(mostRatio, Math.max(leastRatio, tokens / bytes));
  }

  /** The model has refused an input of so many estimated tokens as too long. */
  refused(tokens: number): void {
    this.#limit = Math.min(this.#limit, Math.floor(tokens * 0.9));
  }

  tokens(bytes: number): number {
    return Math.ceil(bytes * this.#ratio);
  }
}

/** Bytes of all that a request sends. */
export function requestBytes(request: Pick<ChatRequest, 'messages' | 'tools'>): number {
  let bytes = 0;
  for (const message of request.messages) {
    bytes += Buffer.byteLength(message.text);
    for (const call of message.role === 'assistant' ? message.toolCalls : []) {
      bytes += Buffer.byteLength(call.name) + Buffer.byteLength(call.args);
    }
  }
  for (const tool of request.tools) {
    bytes +=
      Buffer.byteLength(tool.name) +
      Buffer.byteLength(tool.description) +
      Buffer.byteLength(JSON.stringify(tool.parameters));
  }
  return bytes;
}
