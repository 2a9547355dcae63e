import { parseModelChoice } from '#protocol/providers.ts';
import type { Role } from '#protocol/tasks.ts';

/** What "Build from Spec…" can be given by a keybinding, a test or another extension: then it asks nothing. */
export interface BuildArguments {
  /** Absolute, or relative to the folder that is built. */
  readonly spec: string;
  /** Absolute; else the folder that holds the specification, or the only one that is open. */
  readonly folder?: string;
  /** What is missing here and in the settings is played by the playbook. */
  readonly models?: Readonly<Partial<Record<Role, string>>>;
  /** `null`: no budget, whatever the settings say. */
  readonly budgetUsd?: number | null;
  /** Empty: no verify command, whatever the settings say. */
  readonly verify?: string;
  /** Absolute, or relative to the folder that is built. Empty: none, whatever the settings say. */
  readonly playbook?: string;
  readonly concurrency?: number;
}

const roles: readonly Role[] = ['planner', 'worker', 'resolver'];

type Parsed =
  | { readonly kind: 'ok'; readonly value: BuildArguments }
  /** One line that names what is wrong, for whoever wrote the arguments. */
  | { readonly kind: 'bad'; readonly problem: string };

function bad(problem: string): Parsed {
  return { kind: 'bad', problem };
}

/** Whether a command was called with arguments, and not from a menu. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const known = new Set(['spec', 'folder', 'models', 'budgetUsd', 'verify', 'playbook', 'concurrency']);

export function parseBuildArguments(given: unknown): Parsed {
  if (!isRecord(given)) return bad('the arguments are an object');
  const stranger = Object.keys(given).find((name) => !known.has(name));
  if (stranger !== undefined) return bad(`"${stranger}" is not known: known are ${[...known].join(', ')}`);
  const { spec, folder, models = {}, budgetUsd, verify, playbook, concurrency } = given;
  if (typeof spec !== 'string' || spec === '') return bad('"spec" is the path of a file or folder');
  for (const [name, value] of Object.entries({ folder, verify, playbook })) {
    if (value !== undefined && typeof value !== 'string') return bad(`"${name}" is a text`);
  }
  if (budgetUsd !== undefined && budgetUsd !== null && !isAboveZero(budgetUsd)) {
    return bad('"budgetUsd" is a number above zero, or null for none');
  }
  if (concurrency !== undefined && !(isAboveZero(concurrency) && Number.isInteger(concurrency))) {
    return bad('"concurrency" is a whole number above zero');
  }
  const choices = readModels(models);
  if (typeof choices === 'string') return bad(choices);
  return {
    kind: 'ok',
    value: {
      spec,
      ...(typeof folder === 'string' ? { folder } : {}),
      ...(given['models'] === undefined ? {} : { models: choices }),
      ...(budgetUsd === undefined ? {} : { budgetUsd }),
      ...(typeof verify === 'string' ? { verify } : {}),
      ...(typeof playbook === 'string' ? { playbook } : {}),
      ...(concurrency === undefined ? {} : { concurrency }),
    },
  };
}

function isAboveZero(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

/** The models of an argument object, or what is wrong with them. */
export function readModels(models: unknown): Partial<Record<Role, string>> | string {
  if (!isRecord(models)) return '"models" is an object: a model by role';
  const found: Partial<Record<Role, string>> = {};
  for (const [name, choice] of Object.entries(models)) {
    const role = roles.find((one) => one === name);
    if (role === undefined) return `"models" knows the roles ${roles.join(', ')}, not "${name}"`;
    if (typeof choice !== 'string' || parseModelChoice(choice) === undefined) {
      return `the model of the ${role} is PROVIDER/NAME`;
    }
    found[role] = choice;
  }
  return found;
}
