/**
 * The entry of the worker thread that runs the swarm in an editor: composes the edges and puts the runtime behind the
 * thread's port. `dist/worker.js` is made of it.
 */
import { homedir } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem } from '#edges/file-system.ts';
import { nodeProcesses } from '#edges/processes.ts';
import { systemRandomness } from '#edges/randomness.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import { connectRpc } from '#protocol/rpc.ts';
import type { HostApi, RuntimeApi } from '#protocol/runtime-api.ts';
import { RunFolders, stateFolder } from '#journal/run-folders.ts';
import { HostModels } from '#service/host-models.ts';
import { RuntimeService } from '#service/runtime-service.ts';
import { runtimeApi } from '#service/runtime-api.ts';

if (parentPort === null) throw new Error('this file is started as a worker thread');
const port = parentPort;

const hostModels = new HostModels(() => host.remote, systemRandomness);
const edges = {
  clock: systemClock,
  randomness: systemRandomness,
  scheduler: systemScheduler,
  fileSystem: nodeFileSystem,
  processes: nodeProcesses,
  hostChats: hostModels,
};
const state = stateFolder({ environment: process.env, platform: process.platform, home: homedir() });
const service = new RuntimeService(edges, new RunFolders(state, edges), {
  events: (store, events) => {
    void host.remote.events(store, events);
  },
  ended: (store, outcome) => {
    void host.remote.ended(store, outcome);
  },
  freed: (store) => {
    void host.remote.freed(store);
  },
});
const api: RuntimeApi = runtimeApi(service, hostModels);
const host = connectRpc<HostApi>(
  api,
  {
    post: (message) => {
      port.postMessage(message);
    },
    listen: (listener) => {
      port.on('message', listener);
    },
  },
  {
    events: ['events', 'ended', 'freed', 'log', 'cancelChat'],
    onError: (error, name) => {
      void host.remote.log('debug', `${name}: ${String(error)}`);
    },
  },
);
process.on('warning', (warning) => {
  void host.remote.log('warn', warning.stack ?? warning.message);
});
