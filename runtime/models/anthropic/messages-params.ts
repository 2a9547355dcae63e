import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { ChatMessage, ChatRequest, ToolSpec } from '#protocol/models.ts';
import { argumentsObject, portableCallId, portableCallName, splitSystem } from '../http/past-calls.ts';

/** Kept for 5 minutes since the last use. */
const cached: CacheControlEphemeral = { type: 'ephemeral' };

type Block = TextBlockParam | ToolUseBlockParam | ToolResultBlockParam;
interface Turn {
  readonly role: 'user' | 'assistant';
  readonly blocks: Block[];
}

/**
 * A call with all four cache marks that are allowed (https://platform.claude.com/docs/en/build-with-claude/prompt-caching),
 * in the order in which the prefix is built: behind the tools, which all agents of a role share; behind the system prompt;
 * and behind the last two turns of the user, so that each call reads what the one before has written, however many results
 * lie between them (a mark finds an older entry within 20 blocks only).
 *
 * `thinking` is left out, since no value of it is taken by every model. Where a model thinks by default, its thoughts are
 * paid for as output, within the cap; they are not sent back, which adaptive thinking allows (docs/adr/0007).
 */
export function toMessagesParams(model: string, request: ChatRequest): MessageCreateParamsStreaming {
  const { system, rest } = splitSystem(request.messages);
  const turns = toTurns(rest);
  const asked = new Set(turns.filter(({ role }) => role === 'user').slice(-2));
  return {
    model,
    max_tokens: request.maxOutputTokens,
    ...(hasText(system) ? { system: [{ type: 'text', text: system, cache_control: cached }] } : {}),
    ...(request.tools.length > 0 ? { tools: request.tools.map(toTool) } : {}),
    messages: turns.map((turn): MessageParam => {
      const content: ContentBlockParam[] = asked.has(turn) ? markLast(turn.blocks) : turn.blocks;
      return { role: turn.role, content };
    }),
    stream: true,
  };
}

function toTool({ name, description, parameters }: ToolSpec, index: number, all: readonly ToolSpec[]): Tool {
  return {
    name,
    description,
    input_schema: { ...parameters, type: 'object' },
    ...(index === all.length - 1 ? { cache_control: cached } : {}),
  };
}

function markLast(blocks: readonly Block[]): Block[] {
  return blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, cache_control: cached } : block,
  );
}

/** Turns of user and assistant alternate; the results of a turn's calls come together, at the start of the next one. */
function toTurns(messages: readonly ChatMessage[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = toBlocks(message);
    if (blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, blocks });
  }
  return turns;
}

function toBlocks(message: ChatMessage): Block[] {
  // The API refuses a text of white space.
  const text: Block[] = hasText(message.text) ? [{ type: 'text', text: message.text }] : [];
  switch (message.role) {
    case 'system': // in mid-conversation, where older models know no system message
    case 'user':
      return text;
    case 'assistant':
      return [
        ...text,
        ...message.toolCalls.map(({ id, name, args }): Block => {
          return {
            type: 'tool_use',
            id: portableCallId(id),
            name: portableCallName(name),
            input: argumentsObject(args),
          };
        }),
      ];
    case 'tool':
      return [
        {
          type: 'tool_result',
          tool_use_id: portableCallId(message.callId),
          ...(hasText(message.text) ? { content: message.text } : {}),
        },
      ];
    default:
      return message satisfies never;
  }
}

function hasText(text: string): boolean {
  return text.trim() !== '';
}
