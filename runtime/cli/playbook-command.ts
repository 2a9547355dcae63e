import { resolve } from 'node:path';
import { plannerTools, resolverTools, workerTools } from '#agents/tools/toolsets.ts';
import type { FileSystem } from '#edges/file-system.ts';
import { checkPlaybook } from '#models/playbook/check-playbook.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import { CliError } from './errors.ts';
import type { Host } from './host.ts';
import type { PlaybookCheckCommand } from './options.ts';
import type { Output } from './output.ts';
import { counted, oneLine } from './text.ts';

/** `playbook check`: what a run of it would stumble over. */
export async function playbookCheck(
  host: Host,
  output: Output,
  command: PlaybookCheckCommand,
): Promise<number> {
  const file = resolve(host.cwd, command.file);
  if (await isFolder(file, host.edges.fileSystem)) {
    throw new CliError('bad-usage', `${command.file} is a folder: name the file of the playbook in it.`);
  }
  const playbook = await loadPlaybook(file, host.edges.fileSystem);
  const tools = [...plannerTools, ...workerTools, ...resolverTools].map((tool) => tool.name);
  const findings = checkPlaybook(playbook, [...new Set(tools)]);
  if (command.json) {
    output.json({ file, title: playbook.title, turns: playbook.turns.size, findings });
  } else {
    for (const finding of findings) output.line(oneLine(finding));
    const turns = counted(playbook.turns.size, 'turn');
    output.line(
      findings.length === 0
        ? `${command.file}: ${turns}; none is missing, none is unused.`
        : `${command.file}: ${turns}, ${counted(findings.length, 'problem')}.`,
    );
  }
  return findings.length === 0 ? 0 : 1;
}

/** False as well for what cannot be looked at: reading it tells what is wrong. */
async function isFolder(path: string, fileSystem: FileSystem): Promise<boolean> {
  try {
    return (await fileSystem.stat(path)).isDirectory();
  } catch {
    return false;
  }
}
