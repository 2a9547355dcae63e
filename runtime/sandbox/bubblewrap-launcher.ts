import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import type { Processes, ProcessSpec } from '#edges/processes.ts';
import { bubblewrapArguments, commandEnvironment, guardedProc, standInFiles } from './bubblewrap.ts';
import { eachInOrder } from './each.ts';
import { SandboxError } from './errors.ts';
import { shellStart } from './execute.ts';
import { nodeVersion, type Launcher } from './launcher.ts';
import { detectToolchains, exists, systemPath, type Toolchains } from './toolchains.ts';

interface Prepared {
  readonly version: string;
  readonly toolchains: Toolchains;
  readonly files: ReadonlyMap<string, string>;
  readonly guarded: readonly string[];
}

/** `0.8.0`; rejects when it cannot be started. */
export async function bubblewrapVersion(processes: Processes): Promise<string> {
  const env = { PATH: systemPath.join(':') };
  const child = processes.start({ file: 'bwrap', args: ['--version'], cwd: '/', env });
  let output = '';
  child.stdin.end();
  child.stderr.resume();
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('latin1');
  });
  await child.ended;
  return /\d+(?:\.\d+)+/u.exec(output)?.[0] ?? 'of unknown version';
}

/** Those of `guardedProc` that this kernel has. */
export async function guardedEntries(fileSystem: FileSystem): Promise<string[]> {
  const guarded: string[] = [];
  await eachInOrder(guardedProc, async (path) => {
    if (await exists(fileSystem, path)) guarded.push(path);
  });
  return guarded;
}

/** Runs commands in bubblewrap. What it needs to know of the machine is found out at the first command. */
export class BubblewrapLauncher implements Launcher {
  readonly #fileSystem: FileSystem;
  readonly #processes: Processes;
  readonly #root: string;
  readonly #program: string;
  readonly #more: readonly string[];
  #prepared: Promise<Prepared> | undefined;

  /** `root`: a folder for files of our own. `program`: the running Node. `more`: toolchains from the settings. */
  constructor(
    fileSystem: FileSystem,
    processes: Processes,
    root: string,
    program: string,
    more: readonly string[],
  ) {
    this.#fileSystem = fileSystem;
    this.#processes = processes;
    this.#root = root;
    this.#program = program;
    this.#more = more;
  }

  async environment(): Promise<string> {
    return `bubblewrap ${(await this.#ready()).version}${nodeVersion()}`;
  }

  async launch(checkout: string, command: string): Promise<ProcessSpec> {
    const prepared = await this.#ready();
    const shell = ['/bin/sh', '-c', `${shellStart}; exec /bin/sh -c "$1"`, 'sh', command];
    return {
      file: 'bwrap',
      args: bubblewrapArguments({ ...prepared, checkout, command: shell }),
      cwd: '/',
      env: commandEnvironment(prepared.toolchains.path),
    };
  }

  async #ready(): Promise<Prepared> {
    this.#prepared ??= this.#prepare();
    try {
      return await this.#prepared;
    } catch (error) {
      this.#prepared = undefined;
      throw error;
    }
  }

  async #prepare(): Promise<Prepared> {
    const own = join(this.#root, 'etc');
    await this.#fileSystem.makeDirectory(own);
    const hidden = [homedir(), await this.#fileSystem.realpath(this.#root)];
    const toolchains = await detectToolchains(this.#fileSystem, this.#program, this.#more, hidden);
    const files = new Map<string, string>();
    await eachInOrder(standInFiles, async ([target, text]) => {
      const file = join(own, target.slice('/etc/'.length));
      await this.#fileSystem.writeFile(file, Buffer.from(text));
      files.set(target, file);
    });
    const guarded = await guardedEntries(this.#fileSystem);
    return { version: await this.#version(), toolchains, files, guarded };
  }

  async #version(): Promise<string> {
    try {
      return await bubblewrapVersion(this.#processes);
    } catch (error) {
      throw new SandboxError('no-sandbox', 'bwrap cannot be started', { reason: String(error) }, error);
    }
  }
}
