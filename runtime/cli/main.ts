import { join } from 'node:path';
import { build, land, resume } from './build-commands.ts';
import { demo } from './demo.ts';
import { helpText } from './help.ts';
import type { Host } from './host.ts';
import { conflicts, status } from './inspect-commands.ts';
import { log } from './log-command.ts';
import { errorText } from './messages.ts';
import { type Command, parseCommandLine } from './options.ts';
import { Output } from './output.ts';
import { playbookCheck } from './playbook-command.ts';
import { playbookRecord } from './record-command.ts';
import { isDebug } from './run-flow.ts';
import { CliError } from './errors.ts';

/** Runs one command line and returns the exit code. Never throws: what goes wrong becomes a line on stderr. */
export async function runCommandLine(host: Host, args: readonly string[]): Promise<number> {
  let command: Command | undefined;
  try {
    command = parseCommandLine(args);
    return await run(host, command);
  } catch (error) {
    const json = command !== undefined && 'json' in command && command.json;
    const output = new Output(host, json);
    const text = errorText(error, {
      invocation: host.invocation,
      debug: isDebug(host),
      store: command !== undefined && 'store' in command ? command.store : undefined,
      workspace: command !== undefined && 'workspace' in command ? command.workspace : undefined,
    });
    output.problem(text);
    // The demo has written its own last line.
    if (json && command?.kind !== 'demo') output.json({ status: 'failed', error: text.split('\n', 1)[0] });
    return CliError.is(error, 'bad-usage') ? 2 : 1;
  }
}

async function run(host: Host, command: Command): Promise<number> {
  const output = new Output(host, 'json' in command && command.json);
  switch (command.kind) {
    case 'help':
      output.line(helpText(command.command));
      return 0;
    case 'version':
      output.line(await version(host));
      return 0;
    case 'build':
      return build(host, output, command);
    case 'resume':
      return resume(host, output, command);
    case 'status':
      return status(host, output, command);
    case 'conflicts':
      return conflicts(host, output, command);
    case 'log':
      return log(host, output, command);
    case 'land':
      return land(host, output, command);
    case 'playbook check':
      return playbookCheck(host, output, command);
    case 'playbook record':
      return playbookRecord(host, output, command);
    case 'demo':
      return demo(host, output, command);
    default:
      command satisfies never;
      return 2;
  }
}

async function version(host: Host): Promise<string> {
  const bytes = await host.edges.fileSystem.readFile(join(host.packageRoot, 'package.json'));
  const manifest: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return 'unknown';
  return String(manifest.version);
}
