import { type CommandName, type CommandSchema, commandSchemas } from './schemas.ts';

/** The text of `--help`, for the whole program or for one command. */
export function helpText(command: CommandName | undefined): string {
  return (command === undefined ? overview() : commandHelp(commandSchemas[command])).join('\n');
}

function overview(): string[] {
  const rows = Object.entries(commandSchemas).map(([name, schema]): readonly [string, string] => [
    name,
    schema.says,
  ]);
  return [
    'swarmwright builds software from a specification with a swarm of planners and workers.',
    '',
    'Usage: swarmwright COMMAND [options]',
    '',
    ...table(rows),
    '',
    '`swarmwright COMMAND --help` shows the options of a command; `swarmwright --version` the version.',
    'Keys of model providers are read from the environment, e.g. OPENAI_API_KEY.',
  ];
}

function commandHelp(schema: CommandSchema): string[] {
  const rows = Object.entries(schema.options).map(([name, option]): readonly [string, string] => [
    `--${name}${option.value === undefined ? '' : ` ${option.value}`}`,
    option.says,
  ]);
  return [
    `Usage: swarmwright ${schema.usage}`,
    '',
    schema.says,
    '',
    ...table([...rows, ['--help', 'Show this text.']]),
    ...(schema.notes.length === 0 ? [] : ['', ...schema.notes]),
  ];
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, says]) => `  ${name.padEnd(width)}  ${says}`);
}
