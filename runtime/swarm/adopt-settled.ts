import type { Change, SnapshotId } from '#protocol/change-sets.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import type { LogRecord, RecordedChange } from '#vcs/log-record.ts';
import { mergeFile } from '#vcs/merge-file.ts';
import type { Repository, View } from '#vcs/repository.ts';

type ParkedRecord = Extract<LogRecord, { kind: 'parked' }>;

/** What an agent offered last and had parked, and the commit that settled it for both sides, if there is one. */
function settledOffer(
  records: readonly LogRecord[],
  task: TaskPath,
  epoch: number,
): { readonly offer: ParkedRecord; readonly commit: SnapshotId } | undefined {
  const at = records.findLastIndex(
    (record) =>
      record.kind === 'parked' &&
      record.submit.task === task &&
      record.submit.epoch === epoch &&
      record.submit.turn > 0,
  );
  const offer = records[at];
  if (offer?.kind !== 'parked') return undefined;
  let parked = offer.parked;
  for (const record of records.slice(at + 1)) {
    if (record.kind === 'parked' && record.replaces === parked) parked = record.parked;
    if (record.kind !== 'commit' || record.resolves !== parked) continue;
    // A later submit of the agent itself needs no adopting: the view has advanced with it.
    const own = record.submit?.task === task && record.submit.turn > 0;
    return own ? undefined : { offer, commit: record.commit };
  }
  return undefined;
}

async function isOffered(
  repository: Repository,
  edit: Change,
  offered: RecordedChange | undefined,
): Promise<boolean> {
  if (offered === undefined) return false;
  if (edit.kind === 'delete' || offered.entry === undefined) return edit.kind === 'delete' && !offered.entry;
  if (edit.mode !== offered.entry.mode || edit.content.length !== offered.entry.size) return false;
  return Buffer.compare(edit.content, await repository.blob(offered.entry)) === 0;
}

/**
 * Once a resolver has brought an agent's parked set to trunk, the view goes on from there: edits that were offered leave
 * it, and what was edited since is carried over. Without this the agent would meet its own settled conflict again with
 * each submit. Where an edit cannot be carried over, nothing changes, and the next submit shows the conflict.
 */
export async function adoptSettled(
  repository: Repository,
  view: View,
  task: TaskPath,
  epoch: number,
): Promise<void> {
  const settled = settledOffer(repository.records(0), task, epoch);
  if (settled === undefined) return;
  const snapshot = repository.snapshot(settled.commit);
  if (view.base.sequence >= snapshot.sequence) return;
  const offered = new Map(settled.offer.changes.map((change) => [change.path, change]));
  const kept: Change[] = [];
  for (const edit of view.edits()) {
    const before = offered.get(edit.path);
    if (await isOffered(repository, edit, before)) continue;
    const base = before === undefined ? view.base.entry(edit.path) : before.entry;
    const now = snapshot.entry(edit.path);
    if (base?.hash === now?.hash) {
      kept.push(edit);
      continue;
    }
    if (edit.kind === 'delete' || !base || !now) return;
    const merged = mergeFile(await repository.blob(base), edit.content, await repository.blob(now));
    if (merged.kind !== 'clean') return;
    kept.push({ ...edit, content: merged.content });
  }
  view.advance(settled.commit);
  for (const edit of kept) {
    if (edit.kind === 'delete') view.delete(edit.path);
    else view.write(edit.path, edit.content, edit.mode);
  }
}
