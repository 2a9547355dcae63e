import type { LandingApi } from '#protocol/landing-api.ts';
import type { LandingReview } from '#swarm/landing-review.ts';

/** The functions on landings that the other side of a channel may call. */
export function landingFunctions(reviewOf: (store: string) => LandingReview): LandingApi {
  return {
    landingContent: async (store, hash) => reviewOf(store).content(hash),
    acceptFiles: async (store, command) => reviewOf(store).accept(command),
    discardFiles: async (store, command) => reviewOf(store).discard(command),
    beginEdit: async (store, { landing, group, file, approved, replace }) =>
      reviewOf(store).beginEdit({ landing, group }, file, { approved, replace }),
    endEdit: async (store, decision, end) => reviewOf(store).endEdit(decision, end),
    undoDecision: async (store, decision) => reviewOf(store).undo(decision),
    beginUndo: async (store, decision, bytes) => reviewOf(store).beginUndo(decision, bytes),
    editProposal: async (store, landing, path, bytes) => reviewOf(store).editProposal(landing, path, bytes),
    sightFiles: async (store, landing, files) => reviewOf(store).sight(landing, files),
    markViewed: async (store, landing, file, viewed) => reviewOf(store).markViewed(landing, file, viewed),
    refreshLanding: async (store, landing) => reviewOf(store).refresh(landing),
  };
}
