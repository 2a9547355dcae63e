import type { Dollars } from '#protocol/events.ts';
import type { ToolCall } from '#protocol/models.ts';
import type { TranscriptPage } from '#protocol/runtime-api.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import type { Words } from '../messages/message.ts';
import { dollarText } from '../spend-text.ts';
import { cutText, fenced, plainWord } from './fence.ts';

type Assistant = Extract<TranscriptItem, { kind: 'assistant' }>;
type ToolResult = Extract<TranscriptItem, { kind: 'tool' }>;

/** Strings of arguments that are shown as they are, not as JSON: those with lines of their own, and long ones. */
const longArgument = 200;

/**
 * A transcript as Markdown, grown item by item. What others wrote stands in fences. What the agent was told before its
 * first turn is long, and seldom what one looks for: it stands at the end.
 */
export class TranscriptText {
  readonly #words: Words;
  readonly #locale: string;
  readonly #title: string;
  readonly #parts: string[] = [];
  readonly #prompts: string[] = [];
  readonly #costs = new Map<string, Dollars>();
  #items = 0;
  #isLive = false;

  constructor(agent: string, words: Words, locale: string) {
    this.#words = words;
    this.#locale = locale;
    this.#title = `# ${inline(agent)}\n`;
  }

  /** Items that it has; the next page begins there. */
  get items(): number {
    return this.#items;
  }
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Returns whether the text is another one. */
  add({ items, costs, isLive }: TranscriptPage): boolean {
    const isNew = items.length > 0 || isLive !== this.#isLive;
    for (const [key, usd] of costs) this.#costs.set(key, usd);
    for (const item of items) {
      const isPrompt = this.#parts.length === 0 && (item.kind === 'system' || item.kind === 'user');
      (isPrompt ? this.#prompts : this.#parts).push(this.#render(item));
    }
    this.#items += items.length;
    this.#isLive = isLive;
    return isNew;
  }

  toString(): string {
    const words = this.#words;
    const end = this.#isLive
      ? words.t('The agent is at work: what it does next is added here.')
      : words.t('This is all that the agent has said.');
    const none = this.#items === 0 ? `${words.t('The agent has not been told anything yet.')}\n\n` : '';
    const told = this.#prompts.length > 0;
    const hint = told ? [`${words.t('What the agent was told at first stands at the end.')}\n`] : [];
    const turns = [this.#title, ...hint, ...this.#parts].join('\n');
    const prompts = told ? `\n${this.#prompts.join('\n')}` : '';
    return `${turns}\n---\n\n${none}${end}\n${prompts}`;
  }

  #render(item: TranscriptItem): string {
    switch (item.kind) {
      case 'system':
        return `## ${this.#words.t('Instructions')}\n\n${this.#text(item.text, 'markdown')}`;
      case 'user':
        return `## ${this.#told(item.handoffs ?? [])}\n\n${this.#text(item.text, 'markdown')}`;
      case 'assistant':
        return this.#turn(item);
      case 'tool':
        return this.#result(item);
      default:
        return item satisfies never;
    }
  }

  #told(handoffs: readonly string[]): string {
    if (handoffs.length === 0) return this.#words.t('Message to the agent');
    return this.#words.t('Handoffs of {0}', handoffs.map(inline).join(', '));
  }

  #turn(item: Assistant): string {
    const blocks = [`## ${this.#words.t('Turn {0}', item.turn)}\n\n${this.#usage(item)}\n`];
    if (item.text !== '') blocks.push(this.#text(item.text, 'markdown'));
    for (const call of item.toolCalls) blocks.push(this.#call(call));
    if (item.stopReason === 'length') {
      blocks.push(`${this.#words.t('The answer was cut off: it was longer than an answer may be.')}\n`);
    } else if (item.stopReason === 'filtered') {
      blocks.push(`${this.#words.t('The provider has withheld the answer.')}\n`);
    }
    return blocks.join('\n');
  }

  #usage({ usage, callKey }: Assistant): string {
    const number = new Intl.NumberFormat(this.#locale);
    const words = this.#words;
    const [input, cached, output] = [
      number.format(usage.inputTokens),
      number.format(usage.cachedInputTokens),
      number.format(usage.outputTokens),
    ];
    const tokens =
      usage.estimated === true
        ? words.t('about {0} tokens in, {1} out (estimated: the model tells no usage)', input, output)
        : words.t('{0} tokens in ({1} from the cache), {2} out', input, cached, output);
    const usd = this.#costs.get(callKey);
    const price =
      usd === undefined || usd === null ? words.t('price unknown') : dollarText(usd, this.#locale);
    return `${tokens} · ${price}`;
  }

  #call({ name, args }: ToolCall): string {
    const title = `### ${this.#toolName(name, this.#words.t('Call of an unknown tool'), (tool) => this.#words.t('Call of {0}', tool))}`;
    const parsed = parseObject(args);
    if (!parsed) return `${title}\n\n${this.#text(args, 'text')}`;
    const [short, long] = [Object.entries(parsed), Object.entries(parsed)].map((entries, index) =>
      entries.filter(([argument, value]) => isLong(argument, value) === (index === 1)),
    );
    const blocks = [title, ''];
    if (short && short.length > 0) {
      blocks.push(this.#text(JSON.stringify(Object.fromEntries(short), undefined, 2), 'json'));
    }
    for (const [argument, value] of long ?? []) {
      if (typeof value === 'string') blocks.push(`${inline(argument)}:\n`, this.#text(value, 'text'));
    }
    return blocks.join('\n');
  }

  #result({ name, text, rerun }: ToolResult): string {
    const title = this.#toolName(name, this.#words.t('Result of an unknown tool'), (tool) =>
      this.#words.t('Result of {0}', tool),
    );
    const again =
      rerun === true ? `\n${this.#words.t('The run was stopped meanwhile; the call was run again.')}\n` : '';
    return `### ${title}\n${again}\n${this.#text(text, 'text')}`;
  }

  #toolName(name: string, unknown: string, known: (tool: string) => string): string {
    const tool = plainWord(name);
    return tool === undefined ? unknown : known(inline(tool));
  }

  #text(text: string, language: string): string {
    const { shown, left } = cutText(text);
    if (left === 0) return fenced(shown, language);
    const number = new Intl.NumberFormat(this.#locale);
    return `${fenced(shown, language)}\n${this.#words.t("{0} more characters are in the run's store.", number.format(left))}\n`;
  }
}

/** Names that the harness gives: of agents and tasks. A resolver's holds the path of a file. */
function inline(name: string): string {
  return `\`${name.replaceAll(/[`\s\p{Cc}]+/gu, ' ')}\``;
}

function isLong(argument: string, value: unknown): boolean {
  if (typeof value !== 'string' || plainWord(argument) === undefined) return false;
  return value.length > longArgument || value.includes('\n');
}

function parseObject(args: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(args);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Models write what they want; it is shown as it is.
  }
  return undefined;
}
