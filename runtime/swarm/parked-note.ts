import type { TaskPath } from '#protocol/tasks.ts';
import type { Repository } from '#vcs/repository.ts';

/** One line for the reader of a path on which others have parked work. */
export function parkedNote(repository: Repository, path: string, reader: TaskPath): string | undefined {
  const others = repository
    .parked()
    .filter(({ request }) => request.id.task !== reader)
    .filter(({ request }) => request.changeSet.changes.some((change) => change.path === path))
    .map(({ request }) => request.id.task);
  return others.length === 0
    ? undefined
    : `${others.join(', ')} has parked work on this path; it may still change`;
}
