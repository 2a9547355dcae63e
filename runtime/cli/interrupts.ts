import type { Host } from './host.ts';

/** A stopping run has this long to close what is open before the process is ended. */
const stopMilliseconds = 4_000;
/** npm passes on a Ctrl-C that the terminal has sent to the whole group: what comes this soon is the same one. */
const echoMilliseconds = 400;

export interface Interrupts {
  /** Aborts at the first Ctrl-C. */
  readonly signal: AbortSignal;
  dispose(): void;
}

/**
 * The first interrupt aborts the signal and calls `onFirst`. `onForced` is called once, at the second one or when what
 * was to stop has not been disposed of in time.
 */
export function watchInterrupts(host: Host, onFirst: () => void, onForced: () => void): Interrupts {
  const abort = new AbortController();
  const { clock, scheduler } = host.edges;
  let firstAt = 0;
  let forced = false;
  let cancelDeadline: (() => void) | undefined;
  const force = (): void => {
    if (forced) return;
    forced = true;
    onForced();
  };
  const stopListening = host.onInterrupt(() => {
    if (abort.signal.aborted) {
      if (clock.now() - firstAt >= echoMilliseconds) force();
      return;
    }
    firstAt = clock.now();
    cancelDeadline = scheduler.after(stopMilliseconds, force);
    onFirst();
    abort.abort(new Error('interrupted'));
  });
  return {
    signal: abort.signal,
    dispose: () => {
      stopListening();
      cancelDeadline?.();
    },
  };
}
