import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { installServer } from './install-server.ts';
import { serverEntry } from './places.ts';
import { quietSettings, type UserSettings } from './settings.ts';

export interface ServerOptions {
  /** Packed extensions to install. */
  readonly extensions?: readonly string[];
  /** On top of `quietSettings`. */
  readonly settings?: UserSettings;
  /** On top of the environment of the test; the extension host inherits it. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Files of the workspace: path -> content. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Workspace Trust is on: folders are untrusted until the user trusts them. Else every folder is trusted. */
  readonly workspaceTrust?: boolean;
  /** Starts the server inside of another program, which takes what it is to start as its last arguments. */
  readonly within?: readonly string[];
  /** Development URLs (`extensionDevelopmentPath` …) work, and notifications are not shown. */
  readonly smokeTestDriver?: boolean;
}

/** A part of a window's address that VS Code reads, e.g. `['extensionTestsPath', 'vscode-remote://…']`. */
export type Payload = readonly (readonly [name: string, value: string])[];

const startLimit = 30_000;

/** A running VS Code server with a user of its own: settings, extensions, home, state folder and one workspace. */
export class WorkbenchServer implements AsyncDisposable {
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #settings: UserSettings;
  /** `127.0.0.1:PORT` */
  readonly authority: string;

  private constructor(folder: string, child: ChildProcess, port: number, settings: UserSettings) {
    this.#folder = folder;
    this.#process = child;
    this.#settings = settings;
    this.authority = `127.0.0.1:${port}`;
  }

  /** Installs VS Code where that has not been done. @throws Error with the server's log when it does not come up */
  static async start(options: ServerOptions = {}): Promise<WorkbenchServer> {
    await installServer();
    // Short, as Unix sockets go below it.
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'vst-')));
    for (const name of ['data/User', 'extensions', 'workspace', 'state', 'tmp', 'home', 'run']) {
      await mkdir(join(folder, name), { recursive: true });
    }
    const settings = { ...quietSettings, ...options.settings };
    await writeFile(join(folder, 'data/User/settings.json'), JSON.stringify(settings, undefined, 2));
    await writeFile(join(folder, 'config.yaml'), '');
    const environment = environmentOf(folder, options.environment ?? {});
    for (const extension of options.extensions ?? []) await installExtension(folder, extension, environment);
    const port = await freePort();
    const child = startProcess(folder, port, options, environment);
    const server = new WorkbenchServer(folder, child, port, settings);
    try {
      for (const [path, content] of Object.entries(options.files ?? {})) await server.write(path, content);
      await server.#isUp();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get workspace(): string {
    return join(this.#folder, 'workspace');
  }

  /** What `SWARMWRIGHT_STATE` names. */
  get state(): string {
    return join(this.#folder, 'state');
  }

  /** A path below the server's own temporary folder, for what a test needs besides the workspace. */
  path(...names: readonly string[]): string {
    return join(this.#folder, ...names);
  }

  /** The address of a window on the folder, by default the workspace; null opens a window without one. */
  url(folder: string | null = this.workspace, payload: Payload = []): string {
    const query = new URLSearchParams(folder === null ? { ew: 'true' } : { folder });
    if (payload.length > 0) query.set('payload', JSON.stringify(payload));
    return `http://${this.authority}/?${query.toString()}`;
  }

  /** Writes a file of the workspace. */
  async write(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(this.workspace, path)), { recursive: true });
    await writeFile(join(this.workspace, path), content);
  }

  /** Reads a file of the workspace. */
  async read(path: string): Promise<string> {
    return await readFile(join(this.workspace, path), 'utf8');
  }

  async copyIntoWorkspace(from: string, to = '.'): Promise<void> {
    await cp(from, join(this.workspace, to), { recursive: true });
  }

  /** Changes user settings. Windows read them when they are loaded: reload those that are open. */
  async changeSettings(changes: UserSettings): Promise<void> {
    Object.assign(this.#settings, changes);
    await writeFile(
      join(this.#folder, 'data/User/settings.json'),
      JSON.stringify(this.#settings, undefined, 2),
    );
  }

  /** Sets settings of the machine, where those stand that no repository may set. Windows read them when they are loaded. */
  async setMachineSettings(settings: UserSettings): Promise<void> {
    await mkdir(join(this.#folder, 'data/Machine'), { recursive: true });
    await writeFile(join(this.#folder, 'data/Machine/settings.json'), JSON.stringify(settings, undefined, 2));
  }

  /** Process ids of the extension hosts that run, one for each window; oldest first. */
  extensionHosts(): readonly number[] {
    return groupOf(this.#process.pid ?? 0)
      .filter(({ command }) => command.includes('--type=extensionHost'))
      .map(({ pid }) => pid);
  }

  /** SIGKILL to every extension host, as the kernel does it when memory runs out. Returns their ids. */
  killExtensionHosts(): readonly number[] {
    const hosts = this.extensionHosts();
    if (hosts.length === 0) throw new Error('no extension host is running');
    for (const pid of hosts) process.kill(pid, 'SIGKILL');
    return hosts;
  }

  /** What the server wrote; extension hosts log to files below `path('data/logs')`. */
  log(): string {
    return readFileSync(join(this.#folder, 'server.log'), 'utf8');
  }

  /** Ends the server with everything that it started, and removes its folder. */
  async stop(): Promise<void> {
    const { pid } = this.#process;
    if (pid !== undefined) await endGroup(this.#process, pid);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #isUp(): Promise<void> {
    const end = performance.now() + startLimit;
    while (performance.now() < end && this.#process.exitCode === null) {
      const response = await fetch(`http://${this.authority}/healthz`).catch(() => undefined);
      if (response?.ok) return;
      await sleep(50);
    }
    throw new Error(`VS Code did not start:\n${this.log()}`);
  }
}

function environmentOf(folder: string, extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  // What another VS Code, npm or vitest has set is not for this one.
  const foreign = /^(?:VSCODE_|npm_|VITEST|COUNTS$|NODE_ENV$|NODE_OPTIONS$)/u;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return {
    ...Object.fromEntries(own),
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    XDG_RUNTIME_DIR: join(folder, 'run'),
    SWARMWRIGHT_STATE: join(folder, 'state'),
    ...extra,
  };
}

function commonArguments(folder: string): readonly string[] {
  return [
    serverEntry,
    `--config=${join(folder, 'config.yaml')}`,
    `--user-data-dir=${join(folder, 'data')}`,
    `--extensions-dir=${join(folder, 'extensions')}`,
  ];
}

async function installExtension(
  folder: string,
  extension: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...commonArguments(folder), '--install-extension', extension],
    { env: environment },
  );
  if (!stdout.includes('successfully installed')) {
    throw new Error(`${extension} was not installed:\n${stdout}${stderr}`);
  }
}

function startProcess(
  folder: string,
  port: number,
  options: ServerOptions,
  environment: NodeJS.ProcessEnv,
): ChildProcess {
  const log = openSync(join(folder, 'server.log'), 'a');
  const { within = [] } = options;
  const program = within[0] ?? process.execPath;
  const prefix = within.length === 0 ? [] : [...within.slice(1), process.execPath];
  const child = spawn(
    program,
    [
      ...prefix,
      ...commonArguments(folder),
      `--bind-addr=127.0.0.1:${port}`,
      '--auth=none',
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
      ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
      // An extension host whose window has gone ends after this many seconds.
      '--reconnection-grace-time=5',
      ...(options.smokeTestDriver ? ['--vscode-option=enable-smoke-test-driver'] : []),
    ],
    // A process group of its own, so that extension hosts and file watchers end with it.
    { env: environment, stdio: ['ignore', log, log], detached: true },
  );
  closeSync(log);
  return child;
}

async function endGroup(child: ChildProcess, group: number): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(5000, undefined, { ref: false })]);
  }
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nothing was left of the group.
  }
  for (let tries = 0; groupOf(group).length > 0 && tries < 100; tries += 1) await sleep(20);
}

interface GroupMember {
  readonly pid: number;
  readonly command: string;
}

/** Processes of the group, oldest first. Linux only, as the server is. */
function groupOf(group: number): readonly GroupMember[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name): GroupMember[] => {
      try {
        // Fields after the name of the program, which stands in parentheses and may hold anything: state, parent, group.
        const [state, , itsGroup] =
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
        if (Number(itsGroup) !== group || state === 'Z') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), command }];
      } catch {
        return []; // It has ended meanwhile.
      }
    })
    .toSorted((left, right) => left.pid - right.pid);
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => {
      if (address !== null && typeof address === 'object') resolve(address.port);
      else reject(new Error('a TCP server has an address and a port'));
    });
  });
  return await promise;
}
