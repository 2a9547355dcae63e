import type { ErrorReport } from '#protocol/rpc.ts';

/** What `vscode.l10n` is, so that words can be made where `vscode` is not. */
export interface Words {
  t(message: string, ...values: (string | number)[]): string;
}

/** What a button of a message does. */
export type MessageAction =
  | { readonly kind: 'build' }
  | { readonly kind: 'choose-models' }
  | { readonly kind: 'open-file'; readonly path: string; readonly line?: number }
  | { readonly kind: 'open-folder' }
  | { readonly kind: 'open-settings'; readonly setting: string }
  | { readonly kind: 'raise-budget' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'set-api-key'; readonly provider?: string }
  | { readonly kind: 'show-log' };

/** One sentence or two: what happened, and what to do. */
export interface Message {
  readonly text: string;
  /** At most three, the likeliest first. */
  readonly actions: readonly MessageAction[];
  /** The run that the message is about. */
  readonly store?: string;
}

/** The facts of an error, as its message needs them. */
export class ErrorFacts {
  readonly report: ErrorReport;

  constructor(report: ErrorReport) {
    this.report = report;
  }

  /** The first of the facts that is there. */
  find(...names: readonly string[]): string | undefined {
    const name = names.find((each) => this.report.details[each] !== undefined);
    return name === undefined ? undefined : String(this.report.details[name]);
  }

  /** What the error says itself: for the log, and for messages that have nothing better. On one line, short. */
  get own(): string {
    const line = this.report.message.replaceAll(/\s+/gu, ' ').trim();
    return line.length <= 300 ? line : `${line.slice(0, 299)}…`;
  }
}

export type Sentence = (facts: ErrorFacts, words: Words) => Message;

/** Every code of an area has its sentence. */
export type Sentences<Code extends string> = Readonly<Record<Code, Sentence>>;

export const showLog: MessageAction = { kind: 'show-log' };
export const resume: MessageAction = { kind: 'resume' };

/** For what should not happen. */
export const unexpected: Sentence = (facts, words) => ({
  text: words.t(
    'Something went wrong that should not ({0} {1}: {2}). Nothing that was built is lost: resume the run, and report it with the log if it happens again.',
    facts.report.area,
    facts.report.code,
    facts.own,
  ),
  actions: [showLog, resume],
});
