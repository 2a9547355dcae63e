import type { ChatMessage } from '#protocol/models.ts';
import { toolCallId } from '../playbook/call-keys.ts';

/**
 * The arguments of a past call as an object. Servers parse them, and answer 400 or 500 for ever when one malformed call
 * is in the transcript; the result of that call tells the model what was wrong with it.
 */
export function argumentsObject(args: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(args);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The same as text: as the model wrote it where that is an object. */
export function argumentsText(args: string): string {
  try {
    return isRecord(JSON.parse(args)) ? args : '{}';
  } catch {
    return '{}';
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The id of a past call as every provider takes it. A run that goes on with another model has ids of the one before in
 * its transcripts, and some servers use characters that others refuse.
 */
export function portableCallId(id: string): string {
  return /^[\w-]{1,64}$/.test(id) ? id : toolCallId(id, 0);
}

/**
 * The name of a past call as every provider takes it. Some models write more than the name of a tool, or one that nobody
 * has; the result of that call has told them.
 */
export function portableCallName(name: string): string {
  return name.replaceAll(/[^\w-]/gu, '_').slice(0, 64);
}

/** The system prompt, for formats where it stands apart, and the messages behind it. */
export function splitSystem(messages: readonly ChatMessage[]): {
  readonly system: string;
  readonly rest: readonly ChatMessage[];
} {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const end = first === -1 ? messages.length : first;
  const system = messages.slice(0, end).map(({ text }) => text);
  return { system: system.join('\n\n'), rest: messages.slice(end) };
}
