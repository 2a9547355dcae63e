import { runCommand } from './command.ts';
import type { PlannerContext, ReadingContext, ResolverContext, WorkerContext } from './context.ts';
import { recordDecision } from './decision.ts';
import { dropParked } from './drop-parked.ts';
import { deleteFile, editFile, moveFile, writeFile } from './edits.ts';
import { listFiles, readFile, search } from './files.ts';
import { finishPlanning, finishWork } from './finish.ts';
import { plan } from './plan.ts';
import { resolve } from './resolve.ts';
import { specOutline, specRead, specSearch } from './spec.ts';
import type { Tool } from './tool.ts';
import { submit, sync } from './version-control.ts';

const readingTools: readonly Tool<ReadingContext>[] = [
  readFile,
  listFiles,
  search,
  specOutline,
  specRead,
  specSearch,
];

export const workerTools: readonly Tool<WorkerContext>[] = [
  ...readingTools,
  editFile,
  writeFile,
  deleteFile,
  moveFile,
  runCommand,
  sync,
  submit,
  finishWork,
];

/** No tool that writes or runs anything: a planner that implements fills its context with detail. */
export const plannerTools: readonly Tool<PlannerContext>[] = [
  ...readingTools,
  recordDecision,
  plan,
  dropParked,
  finishPlanning,
];

export const resolverTools: readonly Tool<ResolverContext>[] = [resolve];
