import { CodedError } from './errors.ts';

/**
 * - `gap`: an event is missing, or came twice
 * - `unknown-event`: its type is not known to this version
 * - `unknown-task`: it names a task that was never created
 * - `contradiction`: it cannot follow from what happened before
 */
export type ProjectionErrorCode = 'contradiction' | 'gap' | 'unknown-event' | 'unknown-task';

/** The events do not tell one story. Nothing of the event was taken in. */
export class ProjectionError extends CodedError<ProjectionErrorCode> {
  static is(error: unknown, code?: ProjectionErrorCode): error is ProjectionError {
    return error instanceof ProjectionError && (code === undefined || error.code === code);
  }
}

/** Throws `contradiction` unless the condition holds. */
export function mustHold(
  condition: boolean,
  message: string,
  details: Readonly<Record<string, string | number>>,
): asserts condition {
  if (!condition) throw new ProjectionError('contradiction', message, details);
}
