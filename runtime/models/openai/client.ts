import type { OpenAI } from 'openai';
import { never, toldBySdk, type Endpoint, type SendOptions, type WireClient } from '../http/wire.ts';

/** What a stream of the SDK is asked for with. */
export interface SdkOptions {
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
}

/** A client over the `openai` SDK; `begin` makes the one request that the format needs. */
export async function connectOpenAi(
  endpoint: Endpoint,
  begin: (
    client: OpenAI,
    request: Parameters<WireClient['send']>[0],
    options: SdkOptions,
  ) => ReturnType<WireClient['send']>,
): Promise<WireClient> {
  const { OpenAI: Client } = await import('openai');
  const { baseUrl, apiKey } = endpoint;
  return {
    send: async (request, { fetch, signal, headers }: SendOptions) => {
      const client = new Client({
        baseURL: baseUrl,
        // The SDK wants a key, and would take one from the environment.
        apiKey: apiKey ?? 'none',
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
        maxRetries: 0,
        timeout: never,
        logLevel: 'off',
        fetch,
        fetchOptions: { redirect: 'manual' },
        ...(apiKey === undefined ? { defaultHeaders: { authorization: null } } : {}),
      });
      return begin(client, request, { signal, headers });
    },
    toldBy: (error) => toldBySdk(error, Client),
  };
}
