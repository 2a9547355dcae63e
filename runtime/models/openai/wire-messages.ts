import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import type { ChatMessage, ToolCall } from '#protocol/models.ts';
import type { ToolSpec } from '../chat-model.ts';

export function toWireMessage(message: ChatMessage): ChatCompletionMessageParam {
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

export function toWireTool(tool: ToolSpec): ChatCompletionTool {
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
    // Servers that render a template parse the arguments of past calls, and answer 400 or 500 for ever when one
    // malformed call is in the transcript. The result of that call tells the model what was wrong with it.
    function: { name: call.name, arguments: isJsonObject(call.args) ? call.args : '{}' },
  };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
