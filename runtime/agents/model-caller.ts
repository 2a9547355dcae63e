import type { RunEventBody } from '#protocol/events.ts';
import type { StopReason, ToolCall, Usage } from '#protocol/models.ts';
import type { ChatRequest } from '#models/chat-model.ts';

/** One answer of a model, whole. */
export interface AssistantTurn {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

/** A model as an agent sees it: barriers, slot, reservation, limiter and retries are behind it. */
export interface ModelCaller {
  /** `provider/name`. */
  readonly id: string;
  /**
   * Makes one call. `settle` stores the answer together with the events that settle its cost. @throws ModelError, the
   * signal's reason
   */
  call(
    request: ChatRequest,
    signal: AbortSignal,
    settle: (answer: AssistantTurn, events: readonly RunEventBody[]) => Promise<void>,
  ): Promise<void>;
}
