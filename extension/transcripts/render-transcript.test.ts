import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it, test } from 'vitest';
import type { Dollars } from '#protocol/events.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { endOfTurns } from './fence.ts';
import { TranscriptText } from './render-transcript.ts';

const words = {
  t: (message: string, ...values: (string | number)[]): string =>
    message.replaceAll(/\{(\d)\}/gu, (_, index: string) => String(values[Number(index)])),
};

function turn(more: Partial<Extract<TranscriptItem, { kind: 'assistant' }>>): TranscriptItem {
  const usage = { inputTokens: 12_345, cachedInputTokens: 8000, outputTokens: 456 };
  return {
    kind: 'assistant',
    turn: 1,
    callKey: 'worker root/a 1 1',
    text: '',
    toolCalls: [],
    stopReason: 'end',
    usage,
    ...more,
  };
}

function render(items: readonly TranscriptItem[], usd: Dollars = 0.012, isLive = false): string {
  const text = new TranscriptText('root/a@1', words, 'en');
  text.add({ items, costs: [['worker root/a 1 1', usd]], isLive });
  return text.toString();
}

describe('a turn', () => {
  it('shows its tokens and what it cost', () => {
    expect(render([turn({})])).toContain('12,345 tokens in (8,000 from the cache), 456 out · $0.01');
  });

  it('says where both are guesses or unknown', () => {
    const usage = { inputTokens: 12, cachedInputTokens: 0, outputTokens: 4, estimated: true } as const;
    const text = render([turn({ usage })], null);
    expect(text).toContain('about 12 tokens in, 4 out (estimated: the model tells no usage) · price unknown');
  });

  it('shows long arguments of a call as they are', () => {
    const args = JSON.stringify({ path: 'src/a.js', content: 'let a;\nlet b;\n' });
    const text = render([turn({ toolCalls: [{ id: '1', name: 'write_file', args }] })]);
    expect(text).toContain('### Call of `write_file`\n\n```json\n{\n  "path": "src/a.js"\n}\n```\n');
    expect(text).toContain('`content`:\n\n```text\nlet a;\nlet b;\n```\n');
  });

  it('shows arguments that are no JSON as they were written', () => {
    expect(render([turn({ toolCalls: [{ id: '1', name: 'plan', args: '{"a": ' }] })])).toContain(
      '```text\n{"a": \n```',
    );
  });

  it('says when it was cut off', () => {
    expect(render([turn({ stopReason: 'length' })])).toContain('cut off');
  });
});

test('a call that was run again says so', () => {
  const result: TranscriptItem = {
    kind: 'tool',
    callId: '1',
    name: 'run_command',
    text: 'exit=0',
    rerun: true,
  };
  expect(render([result])).toContain('the call was run again');
});

test('nothing that others wrote is a link, an image, HTML or a heading', () => {
  const hostile =
    '# h\n![i](https://example.com/i.png) [l](command:x) <b>x</b> https://example.com\n```\n# h\n';
  const items: readonly TranscriptItem[] = [
    { kind: 'system', text: hostile },
    { kind: 'user', text: hostile, handoffs: ['root/a'] },
    turn({
      text: hostile,
      toolCalls: [{ id: '1', name: hostile, args: JSON.stringify({ [hostile]: hostile }) }],
    }),
    turn({ toolCalls: [{ id: '1', name: 'x', args: hostile }] }),
    { kind: 'tool', callId: '1', name: hostile, text: hostile },
  ];
  const seen = new Set<string>();
  const walk = (node: object): void => {
    if ('type' in node && typeof node.type === 'string') seen.add(node.type);
    if ('children' in node && Array.isArray(node.children)) for (const child of node.children) walk(child);
  };
  const text = render(items);
  walk(fromMarkdown(text));
  expect([...seen].toSorted()).toEqual(
    ['code', 'heading', 'inlineCode', 'paragraph', 'root', 'text', 'thematicBreak'].toSorted(),
  );
  const headings = fromMarkdown(text).children.filter(({ type }) => type === 'heading');
  expect(headings).toHaveLength(1 + 2 + 2 + 2 + 1);
});

test('what comes later is added, and the end of the document tells whether more can come', () => {
  const text = new TranscriptText('root/a@1', words, 'en');
  expect(text.add({ items: [turn({})], costs: [], isLive: true })).toBe(true);
  expect(text.toString()).toContain('is at work');
  expect(text.add({ items: [], costs: [], isLive: true })).toBe(false);
  expect(text.add({ items: [turn({ turn: 2, text: 'Second.' })], costs: [], isLive: false })).toBe(true);
  expect(text.items).toBe(2);
  expect(text.toString()).toMatch(
    /## Turn 1[\s\S]*## Turn 2[\s\S]*Second\.[\s\S]*all that the agent has said/u,
  );
});

test('turns come first, and what the agent was told before them at the end', () => {
  const text = new TranscriptText('root/a@1', words, 'en');
  const prompts: readonly TranscriptItem[] = [
    { kind: 'system', text: 'Be brief.' },
    { kind: 'user', text: 'Build it.' },
  ];
  text.add({ items: prompts, costs: [], isLive: true });
  expect(text.toString()).toMatch(/is at work[\s\S]*## Instructions[\s\S]*Be brief\.[\s\S]*Build it\./u);
  const later: TranscriptItem = { kind: 'user', text: 'Done.', handoffs: ['root/a/b'] };
  text.add({ items: [turn({}), later, turn({ turn: 2 })], costs: [], isLive: true });
  const headings = text.toString().match(/^## .*$/gmu);
  expect(headings).toEqual([
    '## Turn 1',
    '## Handoffs of `root/a/b`',
    '## Turn 2',
    '## Instructions',
    '## Message to the agent',
  ]);
  const lines = text.toString().split('\n');
  expect(lines[endOfTurns(lines)]).toContain('is at work');
});
