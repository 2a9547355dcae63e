import { relative, resolve } from 'node:path';
import { recordRun } from '#swarm/record-run.ts';
import type { Host } from './host.ts';
import type { PlaybookRecordCommand } from './options.ts';
import type { Output } from './output.ts';
import { findStore } from './state-folder.ts';
import { counted, oneLine, shellQuote } from './text.ts';

/** `playbook record`: a run, after the fact, as a playbook that plays it again. */
export async function playbookRecord(
  host: Host,
  output: Output,
  command: PlaybookRecordCommand,
): Promise<number> {
  const store = await findStore(host, command);
  const recorded = await recordRun(store, resolve(host.cwd, command.output), host.edges);
  if (command.json) {
    output.json({ ...recorded });
    return 0;
  }
  const file = relative(host.cwd, recorded.file) || recorded.file;
  const parts = [counted(recorded.turns, 'turn'), counted(recorded.files, 'file')].join(', ');
  output.line(`${oneLine(file)}: ${parts}; it needs ${counted(recorded.concurrency, 'slot')}.`);
  for (const note of recorded.notes) output.line(`- ${oneLine(note)}`);
  output.line(`Look at it with \`${host.invocation} playbook check ${shellQuote(file)}\`.`);
  return 0;
}
