/** A step as it counts: one that need not be asked is none. */
export interface CountedStep {
  /** As the answers are by now. Absent: always. */
  readonly isAsked?: () => boolean;
}

/** Which of the steps that are asked this is, from 1, and how many there are. */
export function stepPlace(
  steps: readonly CountedStep[],
  index: number,
): { readonly step: number; readonly totalSteps: number } {
  return { step: countAsked(steps.slice(0, index)) + 1, totalSteps: countAsked(steps) };
}

function countAsked(steps: readonly CountedStep[]): number {
  return steps.filter(isAsked).length;
}

export function isAsked(step: CountedStep): boolean {
  return step.isAsked?.() ?? true;
}
