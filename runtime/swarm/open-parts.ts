import type { RunEvent, RunOptions } from '#protocol/events.ts';
import { RunProjection } from '#protocol/projection.ts';
import type { Journal } from '#journal/journal.ts';
import type { RunStore } from '#journal/run-store.ts';
import { openJournal } from '#journal/sqlite-journal.ts';
import { FileLogStore } from '#vcs/file-log-store.ts';
import { createRepository, type CreatedRepository } from '#vcs/open-repository.ts';
import { workspaceSource } from '#vcs/workspace-import.ts';
import type { Edges } from './edges.ts';
import { RunError } from './errors.ts';
import { EventLog } from './event-log.ts';
import { LogFollower } from './log-follower.ts';

/** A run that is being created. */
export interface NewRun {
  readonly options: RunOptions;
  /** Called once the run is in its journal: from then on it can be resumed. */
  told(): Promise<void>;
}

/** Journal and version control of a store, brought together. */
export interface OpenedParts extends CreatedRepository {
  readonly log: EventLog;
  readonly journal: Journal;
  readonly follower: LogFollower;
  /** Those of earlier sessions. */
  readonly events: readonly RunEvent[];
  readonly options: RunOptions;
  close(): Promise<void>;
}

/** @throws JournalError, VcsError, RunError `never-started` */
export async function openParts(
  edges: Edges,
  store: RunStore,
  created?: NewRun,
  secrets: readonly string[] = [],
): Promise<OpenedParts> {
  const journal = await openJournal(store.paths.folder, edges.clock);
  let opened: CreatedRepository | undefined;
  try {
    const log = new EventLog(journal, new RunProjection(), { secrets });
    const events = await journal.events(0);
    for (const event of events) log.projection.apply(event);
    if (created) {
      await log.publish({ type: 'run.created', options: created.options });
      await created.told();
    }
    const { options } = log.projection;
    if (options === undefined) throw new RunError('never-started', 'no run was created in the store');
    opened = await openTrunk(edges, store, options);
    const follower = new LogFollower(log);
    await follower.follow(opened.repository, log.projection.vcsPosition);
    const close = closing(journal, opened, follower);
    return { ...opened, log, journal, follower, events, options, close };
  } catch (error) {
    await opened?.repository.close();
    await journal.close();
    throw error;
  }
}

function closing(
  journal: Journal,
  { repository }: CreatedRepository,
  follower: LogFollower,
): () => Promise<void> {
  return async () => {
    follower.stop();
    await repository.close();
    await journal.close();
  };
}

/** Trunk starts as an import of the workspace, which is made once. */
async function openTrunk(edges: Edges, store: RunStore, options: RunOptions): Promise<CreatedRepository> {
  const { fileSystem, clock } = edges;
  return createRepository(
    { logStore: new FileLogStore(fileSystem, store.paths.vcs), clock },
    workspaceSource({ fileSystem, folder: options.workspace, exclude: [store.paths.folder] }),
    {
      run: options.run,
      task: 'root',
      attempt: 1,
      role: 'harness',
      model: '',
      decisions: [],
      title: 'import the workspace',
    },
  );
}
