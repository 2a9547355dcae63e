import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import type { ChatMessage, ChatRequest, ToolSpec } from '#protocol/models.ts';
import { argumentsText, portableCallId, portableCallName, splitSystem } from '../http/past-calls.ts';

/**
 * A stateless call: OpenAI keeps nothing (`store: false`), and all of the transcript is sent each time.
 *
 * Reasoning items are not sent back. A transcript must be playable by any provider and resumable in any process, and what
 * OpenAI would take back is an encrypted blob of its own that also counts as input of unknown size, which would break the
 * bound that a call reserves. It is safe to leave them out because past calls are sent without their item ids: it is the
 * id of an item that makes the API ask for the reasoning that came before it. The model reasons anew each turn
 * (https://developers.openai.com/api/docs/guides/reasoning).
 */
export function toResponsesParams(model: string, request: ChatRequest): ResponseCreateParamsStreaming {
  const { system, rest } = splitSystem(request.messages);
  return {
    model,
    ...(system === '' ? {} : { instructions: system }),
    input: rest.flatMap(toInputItems),
    ...(request.tools.length > 0 ? { tools: request.tools.map(toTool) } : {}),
    max_output_tokens: request.maxOutputTokens,
    store: false,
    stream: true,
  };
}

function toInputItems(message: ChatMessage): ResponseInputItem[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'developer', content: message.text }];
    case 'user':
      return [{ role: 'user', content: message.text }];
    case 'assistant': {
      const calls = message.toolCalls.map((call): ResponseInputItem => {
        const { name, args } = call;
        return {
          type: 'function_call',
          call_id: portableCallId(call.id),
          name: portableCallName(name),
          arguments: argumentsText(args),
        };
      });
      return message.text === '' ? calls : [{ role: 'assistant', content: message.text }, ...calls];
    }
    case 'tool':
      return [
        { type: 'function_call_output', call_id: portableCallId(message.callId), output: message.text },
      ];
    default:
      return message satisfies never;
  }
}

/** Not `strict`, which is the default here and allows no optional parameters: arguments are checked by the tools. */
function toTool({ name, description, parameters }: ToolSpec): FunctionTool {
  return { type: 'function', name, description, parameters: { ...parameters }, strict: false };
}
