import { join } from 'node:path';
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem } from '#edges/file-system.ts';
import { formatSubmitId } from '#protocol/change-sets.ts';
import type { RunEvent } from '#protocol/events.ts';
import { inspectRun } from '#swarm/run-access.ts';
import { FileLogStore } from '#vcs/file-log-store.ts';
import { openRepository } from '#vcs/open-repository.ts';
import { contentOf, type FolderContent } from '../command-line/project.ts';

/** What must be the same however often a run was killed, and whoever played its turns. */
interface Result {
  readonly workspace: FolderContent;
  /** Of green, which is what landed. */
  readonly treeHash: string;
  /** Keys of the calls that were settled, sorted. */
  readonly settled: readonly string[];
  /** What is on trunk, one line a commit, sorted: tasks that wait for nothing of each other commit in any order. */
  readonly commits: readonly string[];
  readonly conflicts: { readonly raised: number; readonly resolved: number; readonly open: number };
}

/** What must not be there, however often a run was killed. */
export interface Damage {
  /** What opening the version control log found to mend, once the run has ended. */
  readonly log: readonly string[];
  /** Submits that are on trunk twice. */
  readonly committedTwice: readonly string[];
  /** Files that were put into the workspace twice with the same content. */
  readonly landedTwice: readonly string[];
  /** Keys of calls that were settled twice. */
  readonly settledTwice: readonly string[];
  /** Calls that were cut off and never answered later. */
  readonly lostForGood: readonly string[];
  /** Calls that a resume calls lost and the ledger does not, or the other way round. */
  readonly lostUnlisted: readonly string[];
}

export const noDamage: Damage = {
  log: [],
  committedTwice: [],
  landedTwice: [],
  settledTwice: [],
  lostForGood: [],
  lostUnlisted: [],
};

export interface Outcome {
  readonly result: Result;
  readonly damage: Damage;
  readonly events: readonly RunEvent[];
  /** Keys of calls that were in flight at a kill, in order. */
  readonly lost: readonly string[];
}

function twice(keys: readonly string[]): readonly string[] {
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}

function ofType<Type extends RunEvent['type']>(
  events: readonly RunEvent[],
  type: Type,
): readonly Extract<RunEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);
}

/** Reads what a run has left behind that no process works on any more. */
export async function readOutcome(store: string, workspace: string): Promise<Outcome> {
  const { projection, events } = await inspectRun(store, { fileSystem: nodeFileSystem });
  const logStore = new FileLogStore(nodeFileSystem, join(store, 'vcs'));
  const trunk = await openRepository({ logStore, clock: systemClock });
  const commits = trunk.records(0).filter((record) => record.kind === 'commit');
  const settled = ofType(events, 'call.settled').map(({ key }) => key);
  const lost = ofType(events, 'call.lost');
  const listed = ofType(events, 'run.resumed').flatMap(({ lostCalls }) => lostCalls);
  const killed = lost.filter(({ reason }) => reason === 'killed').map(({ key }) => key);
  const outcome: Outcome = {
    result: {
      workspace: await contentOf(workspace),
      treeHash: trunk.snapshot(projection.green?.snapshot ?? trunk.head().id).treeHash(),
      settled: settled.toSorted(),
      commits: commits
        .map(({ provenance: { task, role, title }, changes, mergedPaths }) =>
          [task, role, title, ...changes.map(({ path }) => path), '|', ...mergedPaths].join(' '),
        )
        .toSorted(),
      conflicts: projection.counts.conflicts,
    },
    damage: {
      log: trunk.reports,
      committedTwice: twice(commits.flatMap(({ submit }) => (submit ? [formatSubmitId(submit)] : []))),
      landedTwice: twice(
        ofType(events, 'landing.file')
          .filter(({ file }) => !['waits', 'already-there', 'kept'].includes(file.result))
          .map(({ file, hash }) => `${file.path} ${hash ?? 'deleted'}`),
      ),
      settledTwice: twice(settled),
      lostForGood: killed.filter((key) => !settled.includes(key)),
      lostUnlisted: [
        ...killed.filter((key) => !listed.includes(key)),
        ...listed.filter((key) => !killed.includes(key)),
      ],
    },
    events,
    lost: lost.map(({ key }) => key),
  };
  await trunk.close();
  return outcome;
}
