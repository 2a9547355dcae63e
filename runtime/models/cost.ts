import type { Dollars } from '#protocol/events.ts';
import type { Usage } from '#protocol/models.ts';
import type { ChatRequest, Price } from './chat-model.ts';

/**
 * Dollars in whole micro-dollars, rounded up: money is added as integers, so that a sum neither drifts nor slips past
 * a cap. Less than a millionth of a micro-dollar is a rounding error of the multiplication, not money.
 */
export function toMicroDollars(usd: number): number {
  return Math.max(0, Math.ceil(usd * 1e6 - 1e-6));
}

/** Dollars of one call, rounded up to the next micro-dollar. */
export function costOf(usage: Usage, price: Price): number {
  const { inputTokens, cachedInputTokens, outputTokens } = usage;
  const isLong = price.long !== undefined && inputTokens > price.long.tokens;
  const { inputTimes, outputTimes } = isLong ? price.long : { inputTimes: 1, outputTimes: 1 };
  const input = (inputTokens - cachedInputTokens) * price.input + cachedInputTokens * price.cachedInput;
  const millionths = input * inputTimes + outputTokens * price.output * outputTimes;
  return toMicroDollars(millionths / 1e6) / 1e6;
}

/** Tokens and dollars that a call can cost at most. */
export interface Bound {
  readonly tokens: number;
  readonly usd: Dollars;
}

const tokensPerRequest = 64;
const tokensPerMessage = 16;
const tokensPerToolCall = 16;
const tokensPerTool = 32;

/**
 * What the call can cost at most: its input as bytes, its answer as the output cap. A tokenizer that works on bytes
 * (byte-level BPE, or SentencePiece with byte fallback) makes no more tokens than there are bytes in the text; the
 * constants stand for the special tokens around messages, calls and tools (3 or 4 each in the chat formats of OpenAI,
 * https://github.com/openai/openai-cookbook, "How to count tokens with tiktoken"; Llama and Qwen templates use up to 10).
 * Input is priced as if nothing came from a cache. Without a price only tokens are bounded.
 */
export function upperBound(
  request: Pick<ChatRequest, 'messages' | 'tools' | 'maxOutputTokens'>,
  price: Price | null,
): Bound {
  const inputTokens = inputBound(request);
  const usage: Usage = { inputTokens, cachedInputTokens: 0, outputTokens: request.maxOutputTokens };
  const dearest = price && { ...price, input: Math.max(price.input, price.cachedInput) };
  return {
    tokens: inputTokens + request.maxOutputTokens,
    usd: dearest === null ? null : costOf(usage, dearest),
  };
}

/** Tokens that the messages and tools are at most. */
export function inputBound(request: Pick<ChatRequest, 'messages' | 'tools'>): number {
  let tokens = tokensPerRequest;
  for (const message of request.messages) {
    tokens += tokensPerMessage + Buffer.byteLength(message.text);
    if (message.role === 'tool') tokens += Buffer.byteLength(message.callId);
    for (const call of message.role === 'assistant' ? message.toolCalls : []) {
      tokens += tokensPerToolCall + byteLengths(call.id, call.name, call.args);
    }
  }
  for (const tool of request.tools) {
    tokens += tokensPerTool + byteLengths(tool.name, tool.description, JSON.stringify(tool.parameters));
  }
  return tokens;
}

function byteLengths(...texts: readonly string[]): number {
  return texts.reduce((total, text) => total + Buffer.byteLength(text), 0);
}
