import type { LandingApi } from '#protocol/landing-api.ts';
import type { LandingReview } from '#swarm/landing-review.ts';

/** Takes a step of the review of a run. */
type OnReview = <Result>(store: string, step: (review: LandingReview) => Promise<Result>) => Promise<Result>;

/** The functions on landings that the other side of a channel may call. */
export function landingFunctions(on: OnReview): LandingApi {
  return {
    landingContent: async (store, hash) => on(store, async (review) => review.content(hash)),
    acceptFiles: async (store, command) => on(store, async (review) => review.accept(command)),
    discardFiles: async (store, command) => on(store, async (review) => review.discard(command)),
    beginEdit: async (store, { landing, group, file, approved, replace }) =>
      on(store, async (review) => review.beginEdit({ landing, group }, file, { approved, replace })),
    endEdit: async (store, decision, end) => on(store, async (review) => review.endEdit(decision, end)),
    undoDecision: async (store, decision) => on(store, async (review) => review.undo(decision)),
    beginUndo: async (store, decision, bytes) =>
      on(store, async (review) => review.beginUndo(decision, bytes)),
    editProposal: async (store, landing, path, bytes) =>
      on(store, async (review) => review.editProposal(landing, path, bytes)),
    sightFiles: async (store, landing, files) => on(store, async (review) => review.sight(landing, files)),
    markViewed: async (store, landing, file, viewed) =>
      on(store, async (review) => review.markViewed(landing, file, viewed)),
    refreshLanding: async (store, landing) => on(store, async (review) => review.refresh(landing)),
  };
}
