import { dirname, join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import type { RecordedRun } from '#protocol/runtime-api.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { findStore } from '#journal/run-store.ts';
import { readJournal } from '#journal/sqlite-journal.ts';
import { RecordingError } from '#models/recording/errors.ts';
import { agentsIn, recordPlaybook } from '#models/recording/record-playbook.ts';
import { inspectRun } from './run-access.ts';

/**
 * Makes a playbook of a run after the fact, in a folder that is missing or empty. The store is only read, also while
 * the run goes on: then the playbook ends where it is.
 * @throws RecordingError, JournalError `no-store`, `io`, `damaged`
 */
export async function recordRun(
  store: string,
  output: string,
  { fileSystem }: { readonly fileSystem: FileSystem },
): Promise<RecordedRun> {
  const { folder } = await findStore(store, fileSystem);
  const { projection, events } = await inspectRun(folder, { fileSystem });
  const transcripts = await readTranscripts(folder, agentsIn(events));
  const title = projection.options?.specTitle ?? '';
  const { yaml, files, turns, concurrency, notes } = recordPlaybook(title, events, transcripts);
  if (turns === 0) throw new RecordingError('nothing-recorded', 'no call of the run was answered', { store });
  await mustBeEmpty(output, fileSystem);
  for (const [path, content] of files) await writeText(join(output, path), content, fileSystem);
  const file = join(output, 'playbook.yaml');
  // Last: a folder without it is no playbook.
  await writeText(file, yaml, fileSystem);
  return { file, turns, files: files.size, concurrency, notes: withState(notes, projection.status) };
}

function withState(notes: readonly string[], status: string): readonly string[] {
  if (status === 'complete' || status === 'partial') return notes;
  return [`The run is not over (${status}): the playbook ends where it is.`, ...notes];
}

async function readTranscripts(
  folder: string,
  agents: readonly string[],
): Promise<ReadonlyMap<string, readonly TranscriptItem[]>> {
  const reader = await readJournal(folder);
  try {
    const transcripts = new Map<string, readonly TranscriptItem[]>();
    for (const agent of agents) transcripts.set(agent, await reader.transcript(agent));
    return transcripts;
  } finally {
    await reader.close();
  }
}

async function mustBeEmpty(folder: string, fileSystem: FileSystem): Promise<void> {
  await fileSystem.makeDirectory(folder);
  const [entry] = await fileSystem.readDirectory(folder);
  if (entry === undefined) return;
  throw new RecordingError('not-empty', `${folder} holds ${entry.name}`, { folder, entry: entry.name });
}

async function writeText(file: string, text: string, fileSystem: FileSystem): Promise<void> {
  await fileSystem.makeDirectory(dirname(file));
  await fileSystem.writeFile(file, new TextEncoder().encode(text));
}
