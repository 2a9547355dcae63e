import {
  LanguageModelChatMessage,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  type LanguageModelChatTool,
} from 'vscode';
import type { ChatMessage, ChatRequest } from '#protocol/models.ts';

/**
 * Messages as the editor's models take them. There is no system role: what the agent is told first is a user's message.
 * Results of one turn are one message, as some models refuse a call whose result is not in the very next one.
 */
export function editorMessages(messages: readonly ChatMessage[]): LanguageModelChatMessage[] {
  const converted: LanguageModelChatMessage[] = [];
  let results: LanguageModelToolResultPart[] = [];
  const flush = (): void => {
    if (results.length > 0) converted.push(LanguageModelChatMessage.User(results));
    results = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(
        new LanguageModelToolResultPart(message.callId, [new LanguageModelTextPart(message.text)]),
      );
      continue;
    }
    flush();
    if (message.role === 'assistant') converted.push(assistantMessage(message));
    else converted.push(LanguageModelChatMessage.User(message.text));
  }
  flush();
  return converted;
}

function assistantMessage(message: Extract<ChatMessage, { role: 'assistant' }>): LanguageModelChatMessage {
  const calls = message.toolCalls.map(
    ({ id, name, args }) => new LanguageModelToolCallPart(id, name, argumentsOf(args)),
  );
  const text = message.text === '' && calls.length > 0 ? [] : [new LanguageModelTextPart(message.text)];
  return LanguageModelChatMessage.Assistant([...text, ...calls]);
}

/** The API wants an object; what the model wrote need not be one. */
function argumentsOf(args: string): object {
  try {
    const value: unknown = JSON.parse(args);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // It is passed on as it was written.
  }
  return { written: args };
}

export function editorTools(tools: ChatRequest['tools']): LanguageModelChatTool[] {
  return tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters }));
}
