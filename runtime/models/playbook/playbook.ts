import type { Price } from '../chat-model.ts';

/** A file of scripted assistant turns, read and checked. Lines count from 1 in the playbook's own file. */
export interface Playbook {
  /** Absolute path of the YAML file. */
  readonly file: string;
  readonly title: string;
  /** Slots that its barriers need; a run with fewer must be refused. */
  readonly concurrency: number;
  /** What its tokens cost, when a run is to be charged as if a provider had answered. */
  readonly price: Price | null;
  /** By call key, in the order of the file. */
  readonly turns: ReadonlyMap<string, PlaybookTurn>;
}

export interface PlaybookTurn {
  readonly key: string;
  readonly line: number;
  readonly text: string;
  /** Facts that must hold before the turn is played: `root/lexer committed`. */
  readonly after: readonly string[];
  readonly calls: readonly PlaybookCall[];
}

export interface PlaybookCall {
  readonly tool: string;
  /** With the contents of `files` filled in. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Pairs that must be in the first line of the call's result. */
  readonly expect: ReadonlyMap<string, string>;
}
