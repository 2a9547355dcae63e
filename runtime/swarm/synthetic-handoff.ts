import type { FailureMode, Handoff } from '#protocol/tasks.ts';

/** What the harness hands up for an agent that cannot. */
export function syntheticHandoff(mode: FailureMode, summary: string): Handoff {
  return {
    status: 'failed',
    summary,
    verification: 'not-verified',
    deviations: [],
    findings: [],
    concerns: [],
    synthetic: mode,
  };
}
