import { setImmediate as othersHadTheirTurn } from 'node:timers/promises';

/** Takes all steps, and lets others have their turn after each: the thread is not blocked while much is loaded. */
export async function inSteps<Result>(steps: Generator<void, Result>): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    // oxlint-disable-next-line no-await-in-loop -- that is the point
    await othersHadTheirTurn();
    step = steps.next();
  }
  return step.value;
}
