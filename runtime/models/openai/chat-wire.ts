import type { Wire } from '../http/wire.ts';
import { ChatAnswer } from './chat-answer.ts';
import { toChatParams } from './chat-messages.ts';
import { connectOpenAi } from './client.ts';

/** OpenAI's Chat Completions, which every other server speaks as well. */
export const chatWire: Wire = {
  server: 'an OpenAI-compatible server',
  idleTimeout: 60_000,
  connect: async (endpoint) =>
    connectOpenAi(endpoint, async (client, request, options) =>
      client.chat.completions.create(toChatParams(endpoint.name, request), options).withResponse(),
    ),
  readAnswer: (callKey, bound) => new ChatAnswer(callKey, bound),
};
