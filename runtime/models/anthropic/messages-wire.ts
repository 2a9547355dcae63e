import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Stream } from '@anthropic-ai/sdk/streaming';
import { never, toldBySdk, type Endpoint, type Wire, type WireClient } from '../http/wire.ts';
import { MessagesAnswer } from './messages-answer.ts';
import { toMessagesParams } from './messages-params.ts';

/** Anthropic's Messages API, over the `@anthropic-ai/sdk` SDK. */
export const messagesWire: Wire = {
  server: 'the Anthropic API',
  idleTimeout: 60_000, // it sends a ping every few seconds
  connect,
  readAnswer: (callKey, bound) => new MessagesAnswer(callKey, bound),
};

async function connect(endpoint: Endpoint): Promise<WireClient> {
  const { APIConnectionError, APIError, BaseAnthropic } = await import('./sdk.ts');
  const { baseUrl, apiKey, name } = endpoint;
  return {
    send: async (request, { fetch, signal, headers }) => {
      const client = new BaseAnthropic({
        // The SDK's paths begin with the version.
        baseURL: baseUrl.replace(/\/v1$/, ''),
        // A credential that is given is the only one: neither the environment nor the user's profiles are read.
        apiKey: apiKey ?? '',
        webhookKey: null,
        maxRetries: 0,
        timeout: never,
        logLevel: 'off',
        openTelemetry: false,
        fetch,
        fetchOptions: { redirect: 'manual' },
      });
      return client
        .post<Stream<RawMessageStreamEvent>>('/v1/messages', {
          body: toMessagesParams(name, request),
          stream: true,
          signal,
          headers,
        })
        .withResponse();
    },
    toldBy: (error) => toldBySdk(error, { APIConnectionError, APIError }),
  };
}
