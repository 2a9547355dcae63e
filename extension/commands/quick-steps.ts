import { QuickInputButtons, window, type Disposable, type QuickInput, type QuickPickItem } from 'vscode';
import { isAsked, stepPlace, type CountedStep } from './step-count.ts';

export type Answer<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  | { readonly kind: 'back' }
  | { readonly kind: 'backed-out' };

export interface StepPlace {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  /** Also from the first step: it stands behind another input. */
  readonly canGoBack?: boolean;
}

export interface PickStep<Item extends QuickPickItem> extends StepPlace {
  readonly placeholder: string;
  readonly items: readonly Item[];
  /** Chosen at first. */
  readonly active?: Item | undefined;
}

export interface InputStep extends StepPlace {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value: string;
  /** What is wrong with a text, for the user. */
  check(text: string): string | undefined;
}

/** One step of several: a list. */
export async function pickStep<Item extends QuickPickItem>(step: PickStep<Item>): Promise<Answer<Item>> {
  const pick = window.createQuickPick<Item>();
  pick.placeholder = step.placeholder;
  pick.items = step.items;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  if (step.active) pick.activeItems = [step.active];
  return show<Item>(pick, step, (answer) => [
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item) answer(item);
    }),
  ]);
}

/** One step of several: a text. */
export async function inputStep(step: InputStep): Promise<Answer<string>> {
  const input = window.createInputBox();
  input.prompt = step.prompt;
  input.placeholder = step.placeholder;
  input.value = step.value;
  return show<string>(input, step, (answer) => [
    input.onDidChangeValue((text) => {
      input.validationMessage = step.check(text);
    }),
    input.onDidAccept(() => {
      const problem = step.check(input.value);
      if (problem === undefined) answer(input.value);
      else input.validationMessage = problem;
    }),
  ]);
}

async function show<Value>(
  input: QuickInput & {
    buttons: readonly unknown[];
    onDidTriggerButton: (listener: (button: unknown) => void) => Disposable;
  },
  place: StepPlace,
  listen: (answer: (value: Value) => void) => readonly Disposable[],
): Promise<Answer<Value>> {
  const { promise, resolve } = Promise.withResolvers<Answer<Value>>();
  input.title = place.title;
  input.step = place.step;
  input.totalSteps = place.totalSteps;
  input.ignoreFocusOut = true;
  if (place.step > 1 || place.canGoBack === true) input.buttons = [QuickInputButtons.Back];
  const listeners = [
    ...listen((value) => {
      resolve({ kind: 'answered', value });
    }),
    input.onDidTriggerButton((button) => {
      if (button === QuickInputButtons.Back) resolve({ kind: 'back' });
    }),
    input.onDidHide(() => {
      resolve({ kind: 'backed-out' });
    }),
  ];
  input.show();
  const answer = await promise;
  for (const listener of listeners) listener.dispose();
  input.dispose();
  return answer;
}

export type StepOutcome = 'answered' | 'back' | 'backed-out';

/** A step asks, and keeps the answer itself. */
export interface Step extends CountedStep {
  readonly ask: (step: number, totalSteps: number) => Promise<StepOutcome>;
}

/** Asks one step after the other, and goes back where the user does. True when all are answered. */
export async function takeSteps(steps: readonly Step[]): Promise<boolean> {
  let index = 0;
  let direction = 1;
  for (let step = steps[0]; step !== undefined; step = steps[index]) {
    if (isAsked(step)) {
      const place = stepPlace(steps, index);
      // oxlint-disable-next-line no-await-in-loop -- a step comes after the one before
      const outcome = await step.ask(place.step, place.totalSteps);
      if (outcome === 'backed-out') return false;
      direction = outcome === 'back' ? -1 : 1;
    }
    index = Math.max(0, index + direction);
  }
  return true;
}
