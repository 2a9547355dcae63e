import { dirname, join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import type { ProcessSpec } from '#edges/processes.ts';
import { commandEnvironment } from './bubblewrap.ts';
import { besideCheckout } from './checkout-pool.ts';
import { shellStart } from './execute.ts';
import { nodeVersion, type Launcher } from './launcher.ts';
import { systemPath } from './toolchains.ts';

/**
 * Ends what the command left in the background as well, as a sandbox does: the shell tells its group, and is deaf to it.
 * The exit code is the command's.
 */
const script = `${shellStart}; /bin/sh -c "$1"; code=$?; trap '' TERM; kill -TERM 0; exit $code`;

/** Runs commands with nothing around them. The environment is the same as in the sandbox, so that no key leaks. */
export class UnsandboxedLauncher implements Launcher {
  readonly #fileSystem: FileSystem;
  readonly #path: readonly string[];

  /** `toolchains`: folders from the settings, whose `bin` and they themselves come first when a program is looked for. */
  constructor(fileSystem: FileSystem, program: string, toolchains: readonly string[]) {
    this.#fileSystem = fileSystem;
    this.#path = [
      ...toolchains.flatMap((folder) => [join(folder, 'bin'), folder]),
      dirname(program),
      ...systemPath,
      '/opt/homebrew/bin',
    ];
  }

  async environment(): Promise<string> {
    return `unsandboxed${nodeVersion()}`;
  }

  /** Home and temporary folder lie beside the checkout, and are new for each command. */
  async launch(checkout: string, command: string): Promise<ProcessSpec> {
    const temporary = besideCheckout(checkout);
    const home = join(temporary, 'home');
    await this.#fileSystem.remove(temporary);
    await this.#fileSystem.makeDirectory(home);
    return {
      file: '/bin/sh',
      args: ['-c', script, 'sh', command],
      cwd: checkout,
      env: commandEnvironment(this.#path, home, temporary),
    };
  }
}
