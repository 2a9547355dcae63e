import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CliError } from './errors.ts';
import { type CommandName, type CommandSchema, commandSchemas, type OptionSchema } from './schemas.ts';

/** What was given for one command, checked against its schema. */
export class Arguments {
  readonly positionals: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(positionals: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.positionals = positionals;
    this.#values = values;
  }

  flag(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string): string | undefined {
    return this.list(name).at(-1);
  }

  list(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** The value of a `number` or `whole` option. */
  number(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : Number(text);
  }
}

/** Undefined when help was asked for. @throws CliError `bad-usage` */
export function readArguments(command: CommandName, args: readonly string[]): Arguments | undefined {
  const schema: CommandSchema = commandSchemas[command];
  const { tokens } = parseArgs({ ...parserConfig(schema), args: [...args] });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens ?? []) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help') return undefined;
    const { name, value } = token;
    const option = Object.hasOwn(schema.options, name) ? schema.options[name] : undefined;
    if (option === undefined) throw unknownOption(token.rawName, command, schema);
    values.set(name, [...(values.get(name) ?? []), checkedValue(token.rawName, option, value)]);
  }
  checkPositionals(command, schema, positionals);
  return new Arguments(positionals, values);
}

/** Not strict: the parser's own messages are long, so what it would refuse is refused here. */
function parserConfig(schema: CommandSchema): ParseArgsConfig & { tokens: true } {
  const options = Object.entries(schema.options).map(
    ([name, option]) => [name, { type: option.kind === 'flag' ? 'boolean' : 'string' }] as const,
  );
  return {
    options: { ...Object.fromEntries(options), help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  };
}

function checkedValue(rawName: string, option: OptionSchema, value: string | undefined): string {
  if (option.kind === 'flag') {
    if (value === undefined) return '';
    throw new CliError('bad-usage', `${rawName} takes no value: write only ${rawName}`);
  }
  if (option.kind === 'number' || option.kind === 'whole') return checkedNumber(rawName, option.kind, value);
  if (value === undefined || value.startsWith('--')) {
    throw new CliError('bad-usage', `${rawName} needs a value: ${rawName} ${option.value}`);
  }
  if (value === '')
    throw new CliError('bad-usage', `${rawName} must not be empty: ${rawName} ${option.value}`);
  return value;
}

function checkedNumber(rawName: string, kind: 'number' | 'whole', value: string | undefined): string {
  const number = Number(value);
  const isForm = value !== undefined && /^\d+(\.\d+)?$/.test(value);
  if (isForm && number > 0 && Number.isFinite(number)) {
    if (kind === 'number' || Number.isSafeInteger(number)) return value;
  }
  const wanted = kind === 'whole' ? 'a whole number above 0' : 'a number above 0';
  throw new CliError(
    'bad-usage',
    `${rawName} needs ${wanted}${value === undefined ? '' : `, not "${value}"`}`,
  );
}

function unknownOption(rawName: string, command: CommandName, schema: CommandSchema): CliError {
  const known = Object.keys(schema.options).map((name) => `--${name}`);
  const near = nearest(rawName, known);
  return new CliError(
    'bad-usage',
    `\`${command}\` has no option ${rawName}${near === undefined ? '.' : `; did you mean ${near}?`} See \`${command} --help\`.`,
  );
}

function checkPositionals(command: CommandName, schema: CommandSchema, positionals: readonly string[]): void {
  const missing = schema.positionals[positionals.length];
  if (missing !== undefined || positionals.some((value) => value === '')) {
    throw new CliError(
      'bad-usage',
      `\`${command}\` needs ${missing ?? schema.positionals[0]}: swarmwright ${schema.usage}`,
    );
  }
  const extra = positionals[schema.positionals.length];
  if (extra === undefined) return;
  const isModel = /^(planner|worker|resolver)=/.test(extra);
  throw new CliError(
    'bad-usage',
    isModel
      ? `write --model before each role: --model ${extra}`
      : `\`${command}\` takes no argument "${extra}". See \`${command} --help\`.`,
  );
}

/** The one of `known` that `name` was most likely meant to be, if any is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .toSorted((left, right) => left.distance - right.distance);
  const [best] = ranked;
  // Two letters of three are another word.
  const near = name.length < 5 ? 1 : Math.max(2, name.length / 4);
  return best !== undefined && best.distance <= near ? best.candidate : undefined;
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of left.split('').entries()) {
    const current = [row + 1];
    for (const [column, other] of right.split('').entries()) {
      const replace = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replace, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
