import type { Conflict, ParkedId } from '#protocol/change-sets.ts';
import type { RunEvent } from '#protocol/events.ts';
import type { TaskPath } from '#protocol/tasks.ts';

/** How a conflict of one task's change set ended. */
type ConflictEnd =
  | { readonly kind: 'open' }
  | {
      readonly kind: 'resolved';
      readonly by: string;
      readonly title: string;
      readonly commit: string;
    }
  | { readonly kind: 'dropped'; readonly reason: string };

export interface ConflictRecord {
  readonly task: TaskPath;
  readonly conflicts: readonly Conflict[];
  /** Rounds it took so far. */
  readonly round: number;
  /** Milliseconds since the Unix epoch. */
  readonly raisedAt: number;
  readonly end: ConflictEnd;
}

/** The conflicts of a run in the order in which they were raised. */
export function conflictHistory(events: readonly RunEvent[]): readonly ConflictRecord[] {
  const records: ConflictRecord[] = [];
  /** Parked set -> its place in `records`. */
  const places = new Map<ParkedId, number>();
  const close = (id: ParkedId, end: ConflictEnd): void => {
    const place = places.get(id);
    const record = place === undefined ? undefined : records[place];
    if (place !== undefined && record !== undefined) records[place] = { ...record, end };
  };
  for (const event of events) {
    if (event.type === 'vcs.parked' && event.conflicts.length > 0) {
      const { task, conflicts, round, parked, replaces, time } = event;
      // One that takes another's place is the same conflict, in its next round or with more work on it.
      const place = (replaces === undefined ? undefined : places.get(replaces)) ?? records.length;
      const raisedAt = records[place]?.raisedAt ?? time;
      records[place] = { task, conflicts, round, raisedAt, end: { kind: 'open' } };
      places.set(parked, place);
    } else if (event.type === 'vcs.committed' && event.resolves !== undefined) {
      const { role, title, commit } = event;
      close(event.resolves, { kind: 'resolved', by: role, title, commit });
    } else if (event.type === 'vcs.dropped') {
      close(event.parked, { kind: 'dropped', reason: event.reason });
    }
  }
  return records;
}
