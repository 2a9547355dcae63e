import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import { RunHistory } from '#protocol/history.ts';
import { RunProjection } from '#protocol/projection.ts';
import { numbered } from '#protocol/projection-samples.ts';
import type { DashboardRuntime, ShownRun } from './dashboard-host.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A run that a test makes happen, event by event, and what a runtime would tell of it. */
export class TestRun implements ShownRun {
  readonly store: string;
  readonly mode = 'driving';
  readonly state: RunProjection = new RunProjection();
  readonly #history = new RunHistory();
  readonly #blobs: ReadonlyMap<string, string>;
  /** Snapshots that were made. */
  snapshots = 0;

  /** @param blobs text by hash */
  constructor(store: string, blobs: ReadonlyMap<string, string> = new Map()) {
    this.store = store;
    this.#blobs = blobs;
  }

  happen(...bodies: readonly RunEventBody[]): readonly RunEvent[] {
    const events = numbered(bodies, this.state.version + 1);
    for (const event of events) {
      this.state.apply(event);
      this.#history.apply(event);
    }
    return events;
  }

  readonly runtime: DashboardRuntime = {
    snapshot: async () => {
      this.snapshots += 1;
      return { version: this.state.version, json: JSON.stringify(this.state.snapshot()) };
    },
    taskHistory: async (_store, task) => this.#history.task(task),
    conflictHistory: async () => this.#history.conflicts,
    blob: async (_store, hash) => bytes(this.#blobs.get(hash) ?? ''),
    fileAt: async (_store, commit, path) => bytes(`${path} at ${commit}\n`),
    trunkFiles: async (_store, folder) => [{ path: `${folder}/index.md`, bytes: bytes('# Guide\n') }],
    commitsBelow: async (_store, folder) => this.#history.commitsBelow(folder),
  };
}
