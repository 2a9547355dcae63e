import type { RunEvent } from '#protocol/events.ts';
import { isWithinTask, parentTask, type TaskPath } from '#protocol/tasks.ts';
import { RecordedFacts, type Effect, type RecordedTask } from './recorded-facts.ts';

/** Failures that follow from what an agent did, so that they come again when it is played. */
const playable: ReadonlySet<string> = new Set(['turn-limit', 'looping']);
/** Dependencies that a task may name. */
const mostDependencies = 20;

/** What a playbook must state, so that a run of it comes to the same trunk. */
export interface RecordedOrder {
  /** Facts that a turn waits for, by its key. */
  readonly after: ReadonlyMap<string, readonly string[]>;
  /** Names of siblings that a task must also depend on: it began after them as no slot was free before. */
  readonly dependencies: ReadonlyMap<TaskPath, readonly string[]>;
  /** Turns whose plan wakes at the last handoff, although the planner had asked to be woken at each. */
  readonly wakeAtAll: ReadonlySet<string>;
  /** The attempt that an agent is played as, by task and recorded attempt; undefined for one that is left out. */
  attempt(task: TaskPath, recorded: number): number | undefined;
  /** False for a task that may see less of others' work when it is played: what its commands say can differ. */
  seesTheSame(task: TaskPath): boolean;
  /** Keys of answered calls, in their order. */
  readonly turns: readonly string[];
  readonly concurrency: number;
  /** What cannot be stated, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Derives the order that a run's outcome depends on from its journal. A turn only waits for facts that held before it did
 * anything itself: so what waits is ordered as it was, and nothing waits for itself.
 *
 * - commits and conflicts come in their order;
 * - what an agent began from has what was on trunk then, and nothing later.
 *
 * @param bases commits that agents moved to by a sync, by the key of the turn that did
 */
export function recordedOrder(
  events: readonly RunEvent[],
  bases: ReadonlyMap<string, readonly string[]>,
): RecordedOrder {
  const facts = new RecordedFacts(events);
  const order = new OrderBuilder(facts);
  order.orderEffects();
  order.orderStarts();
  order.orderSyncs(bases);
  const { after, dependencies, notes } = order;
  return {
    after: new Map([...after].map(([turn, waits]) => [turn, [...waits]])),
    dependencies: new Map([...dependencies].map(([task, names]) => [task, [...names]])),
    wakeAtAll: wakesAtAll(facts, notes),
    attempt: keptAttempts(facts, notes),
    seesTheSame: (task) => !order.seesLess.has(task),
    turns: facts.turns,
    concurrency: Math.max(1, facts.peak),
    notes: [...new Set(notes)],
  };
}

class OrderBuilder {
  readonly after = new Map<string, Set<string>>();
  readonly dependencies = new Map<TaskPath, Set<string>>();
  readonly seesLess = new Set<TaskPath>();
  readonly notes: string[] = [];
  readonly #facts: RecordedFacts;

  constructor(facts: RecordedFacts) {
    this.#facts = facts;
  }

  /** Each commit and conflict after the one before it, if that is another's: an agent's own come in their order anyway. */
  orderEffects(): void {
    for (const [index, effect] of this.#facts.effects.entries()) {
      for (const turn of effect.turns) {
        // Only the turn's first one can be ordered: a turn waits before all that it does.
        if (this.#facts.firstEffect.get(turn) === effect.sequence) this.#waitForEffect(turn, index - 1);
        else this.#noteInterleaved(effect, index);
      }
    }
  }

  orderStarts(): void {
    for (const task of this.#facts.tasks.values()) {
      const start = task.attempts[0]?.started;
      if (start === undefined) continue;
      this.#nothingLater(task.task, start);
      this.#nothingMissing(task, start);
    }
  }

  orderSyncs(bases: ReadonlyMap<string, readonly string[]>): void {
    for (const [turn, commits] of bases) {
      for (const commit of commits) {
        const index = this.#facts.effects.findIndex((effect) => effect.commit === commit);
        if (index >= 0) this.#waitForEffect(turn, index);
      }
    }
  }

  /** The first change after a task's start waits for that start; later ones wait for the first. */
  #nothingLater(task: TaskPath, start: number): void {
    const next = this.#facts.effects.find(({ sequence, turns }) => sequence > start && turns.length > 0);
    // A task below it cannot be there before it has begun.
    if (!next || isWithinTask(next.task, task)) return;
    for (const turn of next.turns) {
      if (!this.#wait(turn, `${task} started`, start)) {
        this.seesLess.add(task);
        if (this.#meet(next, task)) this.notes.push(`${next.task} may change trunk before ${task} begins.`);
      }
    }
  }

  /** What was on trunk when a task began is there when it is played. */
  #nothingMissing(task: RecordedTask, start: number): void {
    const { effects } = this.#facts;
    const before = effects.findLastIndex(({ sequence }) => sequence < task.created);
    if (before >= 0 && task.plannedBy !== undefined) this.#waitForEffect(task.plannedBy, before);
    for (const effect of effects) {
      if (effect.sequence < task.created || effect.sequence > start) continue;
      if (effect.kind === 'committed' && !this.#isImplied(effect, task.task))
        this.#dependOn(effect, task, start);
    }
  }

  #dependOn(effect: Effect, task: RecordedTask, start: number): void {
    const parent = parentTask(task.task);
    const sibling = [...this.#facts.tasks.values()].find(
      (other) => parentTask(other.task) === parent && isWithinTask(effect.task, other.task),
    );
    const names = this.dependencies.get(task.task) ?? new Set<string>();
    const canWait =
      parent !== undefined &&
      sibling !== undefined &&
      sibling.ended?.isDone === true &&
      sibling.ended.sequence < start &&
      names.size + task.dependsOn.length < mostDependencies;
    if (!canWait) {
      this.seesLess.add(task.task);
      if (!this.#meet(effect, task.task)) return;
      this.notes.push(
        `${task.task} began when a change of ${effect.task} to the same files was on trunk; when it is played it may begin without.`,
      );
      return;
    }
    names.add(sibling.task.slice(parent.length + 1));
    this.dependencies.set(task.task, names);
  }

  /** A task begins once what it and the tasks above it depend on has ended. */
  #isImplied({ task: author }: Effect, task: TaskPath): boolean {
    if (isWithinTask(author, task)) return true;
    if (isWithinTask(task, author)) return false;
    const seen = new Set<TaskPath>();
    const waits = (path: TaskPath | undefined): boolean => {
      if (path === undefined || seen.has(path)) return false;
      seen.add(path);
      const parent = parentTask(path);
      const added = [...(this.dependencies.get(path) ?? [])].map((name) => `${parent ?? ''}/${name}`);
      const all = [...(this.#facts.tasks.get(path)?.dependsOn ?? []), ...added];
      return all.some((dependency) => isWithinTask(author, dependency) || waits(dependency));
    };
    return waits(task) || waits(parentTask(task));
  }

  /** Waits for the newest change up to an index that can be named; older ones are before it. */
  #waitForEffect(turn: string, upTo: number): void {
    const { effects, firstEffect, tasks } = this.#facts;
    const until = firstEffect.get(turn) ?? Number.POSITIVE_INFINITY;
    for (let index = upTo; index >= 0; index -= 1) {
      const effect = effects[index];
      if (!effect || effect.sequence > until) continue;
      if (effect.turns.some((other) => isSameAgent(other, turn))) return;
      const { task, kind, isFact, sequence } = effect;
      if (isFact && this.#wait(turn, `${task} ${kind}`, sequence)) return;
      const ended = tasks.get(task)?.ended;
      if (ended && this.#wait(turn, `${task} ended`, ended.sequence)) return;
      const ofTurn = effects.filter(({ turns }) => turns.includes(turn));
      if (ofTurn.some((other) => overlap(other, effect))) {
        this.notes.push(
          `A later change of ${task} to the same files cannot be named: '${turn}' may come before it.`,
        );
      }
    }
  }

  /** False when the fact came only after the turn had done something. */
  #wait(turn: string, fact: string, sequence: number): boolean {
    if (sequence >= (this.#facts.firstEffect.get(turn) ?? Number.POSITIVE_INFINITY)) return false;
    const waits = this.after.get(turn) ?? new Set<string>();
    waits.add(fact);
    this.after.set(turn, waits);
    return true;
  }

  /** True when a change is one to files that the task changes too. */
  #meet(effect: Effect, task: TaskPath): boolean {
    return this.#facts.effects.some((other) => other.task === task && overlap(other, effect));
  }

  #noteInterleaved(effect: Effect, index: number): void {
    const { effects, firstEffect } = this.#facts;
    const first = Math.min(...effect.turns.map((turn) => firstEffect.get(turn) ?? effect.sequence));
    for (const between of effects.slice(0, index)) {
      if (between.sequence < first || between.task === effect.task || !overlap(between, effect)) continue;
      this.notes.push(
        `${effect.task} changed trunk twice in one turn, and ${between.task} the same files in between.`,
      );
    }
  }
}

function overlap(left: Effect, right: Effect): boolean {
  return left.paths.some((path) => right.paths.includes(path));
}

function isSameAgent(left: string, right: string): boolean {
  return left.slice(0, left.lastIndexOf(' ')) === right.slice(0, right.lastIndexOf(' '));
}

/** A planner that asked to be woken at each handoff and was woken once, with all of them, is woken so again. */
function wakesAtAll(facts: RecordedFacts, notes: string[]): ReadonlySet<string> {
  const turns = new Set<string>();
  for (const { planner, turn, wake, woke, allEnded } of facts.sleeps) {
    if (wake === 'all' || woke.length === 0) continue;
    if (allEnded && turn !== undefined) turns.add(turn);
    else {
      notes.push(`${planner} was woken at single handoffs: which come together is not stated.`);
    }
  }
  return turns;
}

/** Agents whose failure no playbook can play, and that left nothing on trunk, are left out; later ones take their number. */
function keptAttempts(facts: RecordedFacts, notes: string[]): RecordedOrder['attempt'] {
  const kept = new Map<TaskPath, readonly number[]>();
  for (const { task, attempts } of facts.tasks.values()) {
    const played = attempts.filter(({ failure, changedTrunk }, index) => {
      if (failure === undefined || playable.has(failure)) return true;
      const isLast = index === attempts.length - 1;
      if (changedTrunk || isLast) notes.push(`An agent of ${task} failed (${failure}), which is not played.`);
      return changedTrunk || isLast;
    });
    kept.set(
      task,
      played.map(({ attempt }) => attempt),
    );
  }
  return (task, recorded) => {
    const index = kept.get(task)?.indexOf(recorded) ?? -1;
    return index < 0 ? undefined : index + 1;
  };
}
