import type { RunOptions } from './events.ts';
import type { LandingRecord } from './projection-landing.ts';
import type { LedgerRecord } from './projection-ledger.ts';
import type { TreeRecord } from './projection-tasks.ts';
import type { TrunkRecord } from './projection-trunk.ts';
import type { RunState } from './projection.ts';
import type { Decision } from './tasks.ts';

/** The state of a run at one moment, as JSON can carry it: `RunProjection.restore` goes on from it. */
export interface RunSnapshot {
  readonly version: number;
  readonly options: RunOptions | undefined;
  readonly imported: boolean;
  readonly status: RunState['status'];
  readonly reasons: readonly string[];
  readonly braked: string | undefined;
  readonly paused: boolean;
  readonly clock: { readonly earlier: number; readonly start: number; readonly last: number };
  readonly tree: TreeRecord;
  readonly decisions: readonly Decision[];
  readonly trunk: TrunkRecord;
  readonly ledger: LedgerRecord;
  readonly landing: LandingRecord;
}
