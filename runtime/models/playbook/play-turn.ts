import type { ChatMessage, StopReason, ToolCall, Usage } from '#protocol/models.ts';
import { formatFirstLine, parseFirstLine } from '#protocol/first-line.ts';
import { ModelError } from '../errors.ts';
import { previousCallKey, toolCallId } from './call-keys.ts';
import type { Playbook } from './playbook.ts';

export interface PlayedTurn {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

/** What a turn needs of a request; a loopback server has no more than this. */
export interface TurnRequest {
  readonly callKey: string;
  readonly messages: readonly ChatMessage[];
  readonly maxOutputTokens: number;
}

/**
 * The turn of the request's key, once the results that the turn before it expected are seen in the messages. Pure, and
 * the same whether the playbook is played in the process or by a server.
 *
 * Tokens are counted as a quarter of the bytes; the part of the input that the turn before had sent counts as cached.
 * @throws ModelError `playbook-contradicted`, `playbook-missing-turn`, `playbook-malformed`; each names the key
 */
export function playTurn(playbook: Playbook, request: TurnRequest): PlayedTurn {
  const { callKey: key, messages, maxOutputTokens } = request;
  // First: an agent that went astray also asks for turns that nobody has written, and why it did is what helps.
  checkExpectations(playbook, key, messages);
  const turn = playbook.turns.get(key);
  if (!turn) {
    throw new ModelError('playbook-missing-turn', `${playbook.file} has no turn '${key}': add it`, {
      key,
      file: playbook.file,
    });
  }
  const toolCalls = turn.calls.map((call, index) => ({
    id: toolCallId(key, index),
    name: call.tool,
    args: JSON.stringify(call.args),
  }));
  const usage = countUsage(messages, { role: 'assistant', text: turn.text, toolCalls });
  if (usage.outputTokens > maxOutputTokens) {
    const problem = `turn '${key}' has ${usage.outputTokens} tokens, ${maxOutputTokens} are allowed: split it`;
    throw new ModelError('playbook-malformed', `${playbook.file}:${turn.line}: ${problem}`, {
      key,
      file: playbook.file,
      line: turn.line,
      problem,
    });
  }
  return { text: turn.text, toolCalls, stopReason: toolCalls.length > 0 ? 'tool-calls' : 'end', usage };
}

function checkExpectations(playbook: Playbook, key: string, messages: readonly ChatMessage[]): void {
  const previousKey = previousCallKey(key);
  const previous = previousKey === undefined ? undefined : playbook.turns.get(previousKey);
  if (!previous) return;
  for (const [index, call] of previous.calls.entries()) {
    if (call.expect.size === 0) continue;
    const id = toolCallId(previous.key, index);
    const result = messages.find((message) => message.role === 'tool' && message.callId === id);
    const came = result && parseFirstLine(result.text);
    if (came && [...call.expect].every(([name, value]) => came.get(name) === value)) continue;
    const expected = formatFirstLine(Object.fromEntries(call.expect));
    const actual = result ? (result.text.split('\n', 1)[0] ?? '').slice(0, 300) : 'no result';
    throw new ModelError(
      'playbook-contradicted',
      `${playbook.file}:${previous.line}: turn '${previous.key}' expected '${expected}' from ${call.tool} (call ${index + 1}), but got '${actual}': correct the turn or the 'expect'`,
      { key: previous.key, file: playbook.file, line: previous.line, tool: call.tool, expected, actual },
    );
  }
}

function countUsage(messages: readonly ChatMessage[], answer: ChatMessage): Usage {
  const sentBefore = messages.findLastIndex((message) => message.role === 'assistant');
  const bytes = messages.map(messageBytes);
  return {
    inputTokens: Math.ceil(sum(bytes) / 4),
    cachedInputTokens: Math.floor(sum(bytes.slice(0, Math.max(sentBefore, 0))) / 4),
    outputTokens: Math.ceil(messageBytes(answer) / 4),
  };
}

function messageBytes(message: ChatMessage): number {
  const calls = message.role === 'assistant' ? message.toolCalls : [];
  return calls.reduce(
    (total, call) => total + Buffer.byteLength(call.name) + Buffer.byteLength(call.args),
    Buffer.byteLength(message.text),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}
