import type { LandingDecision, ReviewState } from '#protocol/projection-review.ts';

type Known = Pick<ReviewState, 'decisions' | 'intents'>;

/** A group's name holds the number of its command; 0 for groups of older journals, which hold none. */
function numberOf(group: string): number {
  return Number(/^g(\d+)$/u.exec(group)?.[1] ?? 0);
}

/** Numbers the user's commands in the order in which they are given: a file in an editor may be decided later than it was asked for. */
export class DecisionGroups {
  #last = 0;
  readonly #underWay = new Set<Promise<unknown>>();

  /** The name of a command that is given now. */
  begin(known: Known): string {
    this.#see(known);
    this.#last += 1;
    return `g${this.#last}`;
  }

  /** A step that an undo waits for when it is asked for later. */
  async run<Result>(step: () => Promise<Result>): Promise<Result> {
    const turn = step();
    this.#underWay.add(turn);
    try {
      return await turn;
    } finally {
      this.#underWay.delete(turn);
    }
  }

  /**
   * Takes the step once all that was asked for before has ended. `group` picks the decisions that are undone: by default those
   * of the newest command that was given before.
   */
  async undo<Result>(
    review: () => Known | undefined,
    step: (decisions: readonly LandingDecision[]) => Promise<Result>,
    group?: string,
  ): Promise<Result> {
    // What is asked for while this waits is not what the user wants back.
    this.#see(review());
    const last = this.#last;
    const before = [...this.#underWay];
    return this.run(async () => {
      await Promise.allSettled(before);
      const decisions = review()?.decisions ?? [];
      const wanted = group ?? newestOf(decisions, last);
      return step(decisions.filter((one) => one.group === wanted));
    });
  }

  /** What was decided before this window showed the run. */
  #see(known: Known | undefined): void {
    for (const { group } of [...(known?.decisions ?? []), ...(known?.intents.values() ?? [])]) {
      this.#last = Math.max(this.#last, numberOf(group));
    }
  }
}

/** Of the groups of one number, and of those that have none, the one that was decided last. */
function newestOf(decisions: readonly LandingDecision[], last: number): string | undefined {
  const known = decisions.filter(({ group }) => numberOf(group) <= last);
  const most = known.reduce((number, { group }) => Math.max(number, numberOf(group)), 0);
  return known.findLast(({ group }) => numberOf(group) === most)?.group;
}
