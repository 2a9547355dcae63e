import { z } from 'zod';
import { providers } from '#protocol/providers.ts';
import type { Price } from './chat-model.ts';
import { ModelError } from './errors.ts';
import {
  failureFromProvider,
  failureFromTransport,
  modelError,
  type CallPlace,
} from './http/classify-failure.ts';
import { findEndpoint, readChoice, type EndpointOptions } from './provider.ts';

/** A tenth of the price for what is read from the cache, a quarter more for what is written to it. */
function withCache(input: number, output: number, cachedInput: number = rounded(input / 10)): Price {
  return { input: rounded(input * 1.25), cachedInput, output };
}

const longGpt = { tokens: 272_000, inputTimes: 2, outputTimes: 1.5 };

/**
 * By `provider/name`, for standard processing. What each provider's list said, as far as it could be known in November
 * 2026 (https://platform.claude.com/docs/en/about-claude/pricing, https://developers.openai.com/api/docs/pricing): partly
 * from memory, partly from others who had read it. A list in code grows old: a server that tells its prices is asked
 * (`fetchPrices`), and a model that is missing here has no price rather than a guessed one.
 *
 * Anthropic and the GPT models from 5.6 on charge a quarter more for input that is written to the cache. A usage does not
 * tell it apart, and a call of ours writes nearly all that it has not read, so `input` is the price of writing: what is
 * booked is the bill, or a little more than the bill for prompts that are too short for the cache.
 */
const builtIn: Readonly<Record<string, Price>> = {
  'anthropic/claude-fable-5-1': withCache(10, 50, 0.25),
  'anthropic/claude-fable-5': withCache(10, 50),
  'anthropic/claude-opus-5-5': withCache(4, 20, 0.2),
  'anthropic/claude-opus-5': withCache(5, 25),
  'anthropic/claude-opus-4-8': withCache(5, 25),
  'anthropic/claude-opus-4-7': withCache(5, 25),
  'anthropic/claude-opus-4-6': withCache(5, 25),
  'anthropic/claude-opus-4-5': withCache(5, 25),
  'anthropic/claude-sonnet-5-5': withCache(2, 10, 0.1),
  'anthropic/claude-sonnet-5': withCache(2, 10),
  'anthropic/claude-sonnet-4-6': withCache(3, 15),
  'anthropic/claude-sonnet-4-5': withCache(3, 15),
  'anthropic/claude-haiku-5-5': {
    ...withCache(0.1, 0.5),
    long: { tokens: 100_000, inputTimes: 5, outputTimes: 5 },
  },
  'anthropic/claude-haiku-4-5': withCache(1, 5),
  'openai/gpt-6-astra': { ...withCache(10, 50), long: longGpt },
  'openai/gpt-6-sol': { ...withCache(2, 10), long: longGpt },
  'openai/gpt-6-luna': { ...withCache(0.1, 0.5), long: longGpt },
  'openai/gpt-5.6-terra': { ...withCache(2, 12), long: longGpt },
  'openai/gpt-5.6-luna': { ...withCache(0.2, 1.2), long: longGpt },
  'openai/gpt-5.5': { input: 5, cachedInput: 0.5, output: 30, long: longGpt },
  'openai/gpt-5.4': { input: 2.5, cachedInput: 0.25, output: 15, long: longGpt },
  'openai/gpt-5.4-mini': { input: 0.75, cachedInput: 0.075, output: 4.5 },
  'openai/gpt-5.4-nano': { input: 0.2, cachedInput: 0.02, output: 1.25 },
  'openai/gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 },
  'openai/gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 },
  'openai/gpt-5-nano': { input: 0.05, cachedInput: 0.005, output: 0.4 },
  'openai/gpt-4.1': { input: 2, cachedInput: 0.5, output: 8 },
  'openai/gpt-4.1-mini': { input: 0.4, cachedInput: 0.1, output: 1.6 },
  'openai/gpt-4.1-nano': { input: 0.1, cachedInput: 0.025, output: 0.4 },
  'openai/gpt-4o': { input: 2.5, cachedInput: 1.25, output: 10 },
  'openai/gpt-4o-mini': { input: 0.15, cachedInput: 0.075, output: 0.6 },
  'openai/o3': { input: 2, cachedInput: 0.5, output: 8 },
  'openai/o4-mini': { input: 1.1, cachedInput: 0.275, output: 4.4 },
};

/**
 * What is known without asking, or undefined; also of a dated edition (`claude-haiku-4-5-20251001`). The prices are the
 * providers' own: they say nothing about another base URL.
 */
export function builtInPrice(choice: string): Price | undefined {
  const undated = choice.replace(/-\d{4}-?\d{2}-?\d{2}$/, '');
  return [choice, undated]
    .map((name) => (Object.hasOwn(builtIn, name) ? builtIn[name] : undefined))
    .find(Boolean);
}

/**
 * The price of a choice: the provider's own where it is known, else what its server tells. Null when nobody tells one.
 * @throws ModelError as `findEndpoint` and `fetchPrices`
 */
export async function findPrice(
  choice: string,
  options: EndpointOptions,
  signal: AbortSignal,
): Promise<Price | null> {
  const info = providers[readChoice(choice).provider];
  if (info.format === 'host') return null;
  const endpoint = findEndpoint(choice, options);
  const isOwn = endpoint.baseUrl === info.baseUrl;
  const known = isOwn ? builtInPrice(choice) : undefined;
  // Anthropic and OpenAI tell no prices; who stands in their place may.
  if (known || (isOwn && info.format !== 'openai-chat')) return known ?? null;
  const prices = await fetchPrices(endpoint.baseUrl, endpoint.apiKey, signal);
  return prices.get(endpoint.name) ?? null;
}

/** Text, or a number. Nothing, which would be read as free, is not a price. */
const dollarsPerToken = z
  .union([z.string().regex(/\d/), z.number()])
  .transform(Number)
  .pipe(z.number().nonnegative());
const listShape = z.object({ data: z.array(z.unknown()) });
/** As OpenRouter lists models, https://openrouter.ai/docs/api-reference/list-available-models. */
const pricedModel = z.object({
  id: z.string(),
  pricing: z.object({
    prompt: dollarsPerToken,
    completion: dollarsPerToken,
    input_cache_read: dollarsPerToken.nullish(),
  }),
});

/**
 * Asks a server for its models' prices (`GET /models`), by the name that it gives them. Models without a price, or with
 * one that changes with the request (OpenRouter writes -1), are left out; most servers tell no prices at all.
 * @throws ModelError, also when the signal aborts with a `TimeoutError`; the reason of any other signal that aborts
 */
export async function fetchPrices(
  baseUrl: string,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Price>> {
  const place: CallPlace = {
    model: 'the list of models',
    host: new URL(baseUrl).host,
    secrets: apiKey === undefined ? [] : [apiKey],
    keyVariable: 'the environment',
    server: 'a server that lists its models',
    answering: false,
  };
  try {
    signal.throwIfAborted();
    const response = await fetch(`${baseUrl}/models`, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      redirect: 'manual',
      signal,
    });
    const body = await response.text();
    if (!response.ok) {
      throw failureFromProvider({ status: response.status, body, headers: response.headers }, place);
    }
    return readPrices(body, place);
  } catch (error) {
    if (signal.aborted && error instanceof DOMException && error.name === 'TimeoutError') {
      throw modelError('timeout', 'it did not come in time', place);
    }
    signal.throwIfAborted();
    throw ModelError.is(error) ? error : failureFromTransport(error, place);
  }
}

function readPrices(body: string, place: CallPlace): ReadonlyMap<string, Price> {
  const parsed = listShape.safeParse(JSON.parse(body));
  if (!parsed.success) throw modelError('bad-answer', `no list of models: ${body}`, place);
  const prices = new Map<string, Price>();
  for (const model of parsed.data.data) {
    const { data } = pricedModel.safeParse(model);
    if (!data) continue;
    const { prompt, completion, input_cache_read: cached } = data.pricing;
    prices.set(data.id, {
      input: perMillion(prompt),
      cachedInput: perMillion(cached ?? prompt),
      output: perMillion(completion),
    });
  }
  return prices;
}

/** Rounded to a millionth of a dollar, which a binary fraction of a dollar per token misses by a hair. */
function perMillion(dollars: number): number {
  return rounded(dollars * 1e6);
}

function rounded(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}
