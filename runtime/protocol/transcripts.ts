import type { FileMode, SnapshotId } from './change-sets.ts';
import type { StopReason, ToolCall, Usage } from './models.ts';
import type { TaskPath } from './tasks.ts';

/** What a tool call did to the agent's view: enough to rebuild the view without running anything again. */
export interface ViewStep {
  /** The new base, when it moved. */
  readonly base?: SnapshotId;
  /** Own edits that are new or changed; content is base64. */
  readonly set: readonly (
    | {
        readonly path: string;
        readonly kind: 'write';
        readonly mode: FileMode;
        readonly content: string;
        readonly movedFrom?: string;
      }
    | { readonly path: string; readonly kind: 'delete' }
  )[];
  /** Paths that no longer carry an own edit. */
  readonly unset: readonly string[];
}

/** One entry of an agent's transcript. A turn is complete when each of its tool calls has its result. */
export type TranscriptItem =
  | { readonly kind: 'system' | 'user'; readonly text: string; readonly handoffs?: readonly TaskPath[] }
  | {
      readonly kind: 'assistant';
      /** 1 for the agent's first. */
      readonly turn: number;
      readonly callKey: string;
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      readonly stopReason: StopReason;
      readonly usage: Usage;
    }
  | {
      readonly kind: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly view?: ViewStep;
      /** True when the run was killed before its result was stored, and it was run again. */
      readonly rerun?: boolean;
      /** True when the agent's work ended with this call. */
      readonly ends?: boolean;
    };
