import { existsSync } from 'node:fs';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildOnce } from './build-once.ts';
import { Command, type CommandEnd, type CommandOptions } from './command.ts';

/** Path -> mode and content, of files and links. */
export type FolderContent = Readonly<Record<string, string>>;

export async function contentOf(folder: string): Promise<FolderContent> {
  const content: [string, string][] = [];
  for (const path of (await readdir(folder, { recursive: true })).toSorted()) {
    const file = join(folder, path);
    const stats = await lstat(file);
    if (stats.isSymbolicLink()) content.push([path, `-> ${await readlink(file)}`]);
    else if (stats.isFile()) {
      content.push([path, `${(stats.mode & 0o777).toString(8)} ${await readFile(file, 'latin1')}`]);
    }
  }
  return Object.fromEntries(content);
}

/** What a user has before a run: a folder with a workspace in it, and what else a test puts there. */
export class Project implements AsyncDisposable {
  readonly folder: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #commands: Command[] = [];

  private constructor(folder: string, environment: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.#environment = {
      HOME: join(folder, 'home'),
      SWARMWRIGHT_STATE: join(folder, 'state'),
      ...environment,
    };
  }

  static async create(
    files: Readonly<Record<string, string | Uint8Array>>,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Project> {
    await buildOnce();
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'swarmwright-')));
    const project = new Project(folder, environment);
    for (const [name, content] of Object.entries(files)) await project.write(name, content);
    return project;
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), content);
  }

  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  async workspace(): Promise<FolderContent> {
    return contentOf(this.path('workspace'));
  }

  start(args: readonly string[], options: Partial<CommandOptions> = {}): Command {
    const command = new Command(args, {
      cwd: this.folder,
      ...options,
      environment: { ...this.#environment, ...options.environment },
    });
    this.#commands.push(command);
    return command;
  }

  async run(args: readonly string[], options: Partial<CommandOptions> = {}): Promise<CommandEnd> {
    return this.start(args, options).end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#commands.map(async (command) => command.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }
}
