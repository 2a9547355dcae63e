import { z } from 'zod';
import type { Price } from './chat-model.ts';
import { ModelError } from './errors.ts';
import {
  failureFromProvider,
  failureFromTransport,
  modelError,
  type CallPlace,
} from './http/classify-failure.ts';

/**
 * By `provider/name`. From OpenAI's price list for standard processing, https://openai.com/api/pricing, as it was in
 * August 2025. A list in code grows old: a server that tells its prices is asked (`fetchPrices`).
 */
const builtIn: Readonly<Record<string, Price>> = {
  'openai/gpt-4o': { input: 2.5, cachedInput: 1.25, output: 10 },
  'openai/gpt-4o-mini': { input: 0.15, cachedInput: 0.075, output: 0.6 },
  'openai/gpt-4.1': { input: 2, cachedInput: 0.5, output: 8 },
  'openai/gpt-4.1-mini': { input: 0.4, cachedInput: 0.1, output: 1.6 },
  'openai/gpt-4.1-nano': { input: 0.1, cachedInput: 0.025, output: 0.4 },
  'openai/gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 },
  'openai/gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 },
  'openai/gpt-5-nano': { input: 0.05, cachedInput: 0.005, output: 0.4 },
  'openai/o3': { input: 2, cachedInput: 0.5, output: 8 },
  'openai/o4-mini': { input: 1.1, cachedInput: 0.275, output: 4.4 },
};

/** What is known without asking, or undefined. The prices are OpenAI's own: they say nothing about another base URL. */
export function builtInPrice(choice: string): Price | undefined {
  return Object.hasOwn(builtIn, choice) ? builtIn[choice] : undefined;
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
  return Math.round(dollars * 1e12) / 1e6;
}
