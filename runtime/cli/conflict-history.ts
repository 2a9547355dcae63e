import type { Conflict, ParkedId } from '#protocol/change-sets.ts';
import type { RunEvent } from '#protocol/events.ts';
import { RunProjection } from '#protocol/projection.ts';
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
  const projection = new RunProjection();
  const records: ConflictRecord[] = [];
  /** Parked set -> its place in `records`. */
  const places = new Map<ParkedId, number>();
  const close = (id: ParkedId, end: ConflictEnd): void => {
    const place = places.get(id);
    const record = place === undefined ? undefined : records[place];
    if (place !== undefined && record !== undefined) records[place] = { ...record, end };
  };
  for (const event of events) {
    const before = event.type === 'vcs.parked' ? [...projection.parked.keys()] : [];
    projection.apply(event);
    if (event.type === 'vcs.parked' && event.conflicts.length > 0) {
      // A set that is gone now was replaced by this one: the same conflict in its next round.
      const replaced = before.find((id) => !projection.parked.has(id));
      const place = (replaced === undefined ? undefined : places.get(replaced)) ?? records.length;
      const { task, conflicts, round, parked, time } = event;
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
