import type { RuntimeApi } from '#protocol/runtime-api.ts';
import type { HostModels } from './host-models.ts';
import { landingFunctions } from './landing-functions.ts';
import type { RuntimeService } from './runtime-service.ts';

/** The functions that the other side of a channel may call: these, and nothing that the service inherits or keeps. */
export function runtimeApi(service: RuntimeService, models: HostModels): RuntimeApi {
  return {
    sandbox: async () => service.sandbox(),
    readSpec: async (path) => service.readSpec(path),
    prices: async (request) => service.prices(request),
    startRun: async (request) => service.startRun(request),
    resumeRun: async (request) => service.resumeRun(request),
    openRun: async (store) => service.openRun(store),
    closeRun: async (store) => service.closeRun(store),
    pauseRun: async (store) => service.pauseRun(store),
    continueRun: async (store) => service.continueRun(store),
    stopRun: async (store) => service.stopRun(store),
    runsOf: async (workspace) => service.runsOf(workspace),
    snapshot: async (store) => service.snapshot(store),
    events: async (store, after) => service.events(store, after),
    transcriptPage: async (store, agent, from) => service.transcriptPage(store, agent, from),
    agentsOf: async (store, task) => service.agentsOf(store, task),
    recordRun: async (store, folder) => service.recordRun(store, folder),
    blob: async (store, hash) => service.blob(store, hash),
    trunkFiles: async (store, folder) => service.trunkFiles(store, folder),
    fileAt: async (store, commit, path) => service.fileAt(store, commit, path),
    changesOf: async (store, task) => service.changesOf(store, task),
    taskHistory: async (store, task) => (await service.history(store)).task(task),
    conflictHistory: async (store) => (await service.history(store)).conflicts,
    commitsBelow: async (store, folder) => (await service.history(store)).commitsBelow(folder),
    ...landingFunctions(async (store, step) => service.review(store, step)),
    chatEvent: (call, event) => {
      models.take(call, event);
    },
    shutDown: async () => service.shutDown(),
  };
}
