import { commands, Disposable } from 'vscode';
import type { RunCommandResult, RunControl } from '../run/run-control.ts';
import type { ResumeCommand } from './resume.ts';
import type { Log } from '../safe-log.ts';

/** "Pause", "Resume", "Stop" and "Show Log". */
export function registerRunCommands(control: RunControl, resume: ResumeCommand, output: Log): Disposable {
  return Disposable.from(
    commands.registerCommand('swarmwright.pause', async () => control.pause()),
    commands.registerCommand('swarmwright.stop', async () => control.stop()),
    commands.registerCommand('swarmwright.resume', async (given?: unknown): Promise<RunCommandResult> =>
      resume.run(given),
    ),
    commands.registerCommand('swarmwright.showLog', () => {
      output.show();
    }),
  );
}
