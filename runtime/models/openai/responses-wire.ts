import type { Wire } from '../http/wire.ts';
import { connectOpenAi } from './client.ts';
import { ResponsesAnswer } from './responses-answer.ts';
import { toResponsesParams } from './responses-input.ts';

/** OpenAI's Responses API. */
export const responsesWire: Wire = {
  server: 'the OpenAI API (other servers: compatible/NAME)',
  // Its models may reason for minutes without a byte.
  idleTimeout: 300_000,
  connect: async (endpoint) =>
    connectOpenAi(endpoint, async (client, request, options) =>
      client.responses.create(toResponsesParams(endpoint.name, request), options).withResponse(),
    ),
  readAnswer: (callKey, bound) => new ResponsesAnswer(callKey, bound),
};
