import { systemScheduler, type Scheduler } from '#edges/scheduler.ts';

/** Time that passes `factor` times as fast, for limits that no test can wait for. */
export function hastened(factor: number): Scheduler {
  return {
    sleep: async (milliseconds, signal) => systemScheduler.sleep(milliseconds / factor, signal),
    after: (milliseconds, action) => systemScheduler.after(milliseconds / factor, action),
  };
}
