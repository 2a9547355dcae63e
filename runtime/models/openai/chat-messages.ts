import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { ChatMessage, ChatRequest, ToolCall, ToolSpec } from '#protocol/models.ts';
import { argumentsText, portableCallName } from '../http/past-calls.ts';

/** `max_completion_tokens` is OpenAI's own today, and `openai/…` speaks another format; all others know `max_tokens`. */
export function toChatParams(model: string, request: ChatRequest): ChatCompletionCreateParamsStreaming {
  return {
    model,
    messages: request.messages.map(toWireMessage),
    ...(request.tools.length > 0 ? { tools: request.tools.map(toWireTool) } : {}),
    max_tokens: request.maxOutputTokens,
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toWireMessage(message: ChatMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.text };
    case 'assistant': {
      if (message.toolCalls.length === 0) return { role: 'assistant', content: message.text };
      const content = message.text === '' ? null : message.text;
      return { role: 'assistant', content, tool_calls: message.toolCalls.map(toWireCall) };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    default:
      return message satisfies never;
  }
}

function toWireTool(tool: ToolSpec): ChatCompletionTool {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: { ...tool.parameters } },
  };
}

function toWireCall(call: ToolCall): {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
} {
  return {
    id: call.id,
    type: 'function',
    function: { name: portableCallName(call.name), arguments: argumentsText(call.args) },
  };
}
