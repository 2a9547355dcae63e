import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem } from '#edges/file-system.ts';
import { nodeProcesses } from '#edges/processes.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import type { CommandResult } from './command-runner.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { SandboxError } from './errors.ts';
import { MemoryTree } from './tree-for-tests.ts';

const repository = join(import.meta.dirname, '..', '..');
const never = new AbortController().signal;

let store: string;
let runner: ReturnType<typeof createCommandRunner>;

function newRunner(toolchains: readonly string[] = []): ReturnType<typeof createCommandRunner> {
  return createCommandRunner({
    root: join(store, 'checkouts'),
    fileSystem: nodeFileSystem,
    processes: nodeProcesses,
    clock: systemClock,
    scheduler: systemScheduler,
    sandbox: 'bubblewrap',
    toolchains,
  });
}

async function run(command: string, milliseconds = 20_000): Promise<CommandResult> {
  const limits = { milliseconds, outputBytes: 1_000_000 };
  return runner.run('worker', new MemoryTree({ a: 'x' }), command, limits, never);
}

beforeAll(async () => {
  store = await mkdtemp(join(tmpdir(), 'store-'));
  await writeFile(join(store, 'log'), 'the log');
  runner = newRunner();
});
afterAll(async () => {
  await runner.close();
  await rm(store, { recursive: true });
});

describe('a command in the sandbox', () => {
  it('sees toolchains, its checkout and nothing else', async () => {
    const { output } = await run('ls / /etc /opt');
    const allowed =
      /^(?:alternatives|bin|checkout|dev|etc|group|hosts|java-.*|ld\.so\..*|lib.*|node|opt|passwd|proc|sbin|tmp|usr|\/.*:|)$/u;
    expect(output.split('\n').filter((line) => !allowed.test(line))).toEqual([]);
  });

  it.each([
    ['home directories', `${homedir()} /home /root`],
    ['the store', '$STORE $STORE/log $STORE/checkouts'],
    ['our repository and its held-out suites', `${repository}/package.json ${repository}/test/held-out`],
    ['shadow passwords, host names and keys', '/etc/shadow /etc/hostname /etc/ssh /etc/ssl /var /run /sys'],
  ])('cannot see %s', async (_, paths) => {
    const { output } = await run(`for path in ${paths.replaceAll('$STORE', store)}; do ls -d $path; done`);
    expect(output.split('\n').filter((line) => !/^$|No such file/u.test(line))).toEqual([]);
  });

  it('cannot reach them through /proc either', async () => {
    const { output } = await run(
      `for root in /proc/[0-9]*/root /proc/[0-9]*/cwd; do ls -d $root${store} $root/../log; done 2>&1 | grep -vc "No such"`,
    );
    expect(output).toBe('0\n');
  });

  it('knows no users of the host', async () => {
    expect(await run('cut -d: -f1 /etc/passwd; id -un')).toMatchObject({ output: 'agent\nagent\n' });
  });

  it.each(['/', '/usr', '/usr/bin', '/etc', '/dev', '/opt', '/opt/node/bin', '/proc/sys/kernel', '/root'])(
    'cannot write to %s',
    async (folder) => {
      expect(await run(`echo x > ${folder}/planted && echo written`)).toMatchObject({ exitCode: 2 });
    },
  );

  it('cannot change what it is given read-only', async () => {
    const node = await readFile(process.execPath);
    const { output } = await run(
      'echo x >> $(which node) && echo written; rm -f /usr/bin/env && echo removed; chmod 777 /etc/passwd && echo opened',
    );
    expect(output).not.toMatch(/^(?:written|removed|opened)$/mu);
    expect(node.equals(await readFile(process.execPath))).toBe(true);
  });

  it('has no capabilities, gets none, and cannot mount', async () => {
    const { output } = await run(
      [
        'grep Cap /proc/self/status | grep -vc 0000000000000000',
        'mount -o remount,rw /usr && echo mounted',
        'mount -t tmpfs none /tmp && echo mounted',
        'unshare -Urm mount -o remount,rw / && echo mounted',
        'unshare -Ur true && echo nested',
        'chroot / true && echo changed',
        'exit 0',
      ].join('\n'),
    );
    expect(output).toMatch(/^0\n/u);
    expect(output).not.toMatch(/^(?:mounted|nested|changed)$/mu);
  });

  it('can write to nothing in /proc that belongs to the host', async () => {
    const program = `
      const fs = require('fs');
      const visit = (folder) => {
        let entries = [];
        try { entries = fs.readdirSync(folder, { withFileTypes: true }); } catch {}
        for (const entry of entries) {
          const path = folder + '/' + entry.name;
          if (/^\\/proc\\/([0-9]+|self|thread-self)$/.test(path)) continue;
          if (entry.isDirectory()) visit(path);
          else if (entry.isFile()) try { fs.closeSync(fs.openSync(path, 'a')); console.log(path); } catch {}
        }
      };
      visit('/proc'); console.log('looked');`;
    const limits = { milliseconds: 20_000, outputBytes: 1_000_000 };
    const tree = new MemoryTree({ 'look.js': program });
    expect(await runner.run('worker', tree, 'node look.js', limits, never)).toMatchObject({
      output: 'looked\n',
    });
  });

  it('has no network, not even to this machine', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end('secret');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const { output } = await run(
      `node -e 'fetch("http://127.0.0.1:${port}").then((r) => r.text()).then(console.log, (e) => console.log(e.cause.code))'`,
    );
    server.close();
    expect(output).toBe('ECONNREFUSED\n');
    expect(asked).toBe(0);
  });

  it('can talk to itself over localhost', async () => {
    const program = `const s = require("http").createServer((q, r) => r.end("hi")).listen(0, "localhost", async () => {
      console.log(await (await fetch("http://localhost:" + s.address().port)).text()); s.close(); })`;
    expect(await run(`node -e '${program}'`)).toMatchObject({ output: 'hi\n' });
  });

  it('has a private /tmp, which is new for each command', async () => {
    await writeFile(join(store, 'mine'), '');
    expect(await run(`ls /tmp; echo x > /tmp/left; echo $HOME; cd ~ && pwd`)).toMatchObject({
      output: 'home\n/tmp/home\n/tmp/home\n',
    });
    expect(await run('ls /tmp')).toMatchObject({ output: 'home\n' });
  });

  it('cannot fill the memory or the disk of the machine', async () => {
    expect(await run('df --output=size -BM /tmp /dev/shm | tail -n +2 | tr -d " "')).toMatchObject({
      output: '1024M\n256M\n',
    });
    expect(await run('truncate -s 1100M big')).toMatchObject({ exitCode: 153, changed: ['big'] });
    const { output } = await run("node -e 'Buffer.allocUnsafeSlow(5e9)' 2>&1 | grep -o -m1 ^RangeError");
    expect(output).toBe('RangeError\n');
  });

  it('dies with all that it started', async () => {
    const mark = `61.${process.pid}`;
    await run(`setsid sleep ${mark} & sleep ${mark}`, 300);
    await run(`setsid sleep ${mark} & nohup sleep ${mark} & exit 0`);
    const commands = await Promise.all(
      (await readdir('/proc'))
        .filter((name) => /^\d+$/u.test(name))
        .map(async (pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    expect(commands.filter((command) => command.includes(mark))).toEqual([]);
  });

  it('leaves a checkout that no other user can enter', async () => {
    await run('cp /usr/bin/env . && chmod u+s env');
    const { mode } = await nodeFileSystem.lstat(join(store, 'checkouts'));
    expect(mode & 0o077).toBe(0);
  });
});

describe('a toolchain from the settings', () => {
  it('is mounted read-only, and its programs come first', async () => {
    const folder = join(store, '..', `toolchain-${process.pid}`);
    await mkdir(join(folder, 'bin'), { recursive: true });
    await writeFile(join(folder, 'bin', 'node'), '#!/bin/sh\necho mine', { mode: 0o755 });
    runner = newRunner([folder]);
    const result = await run(`node; touch ${folder}/x`);
    await rm(folder, { recursive: true });
    runner = newRunner();
    expect(result.output).toMatch(/^mine\ntouch: .*Read-only/u);
  });

  it.each([
    ['the root', '/'],
    ['a home directory', homedir()],
    ['what holds the store', tmpdir()],
    ['/etc', '/etc'],
    ['a place within a path', '/usr/../etc'],
    ['nothing', '/no-such-toolchain'],
    ['a relative path', 'bin'],
  ])('is refused when it is %s', async (_, folder) => {
    runner = newRunner([folder]);
    const error: unknown = await run('true').catch((caught: unknown) => caught);
    runner = newRunner();
    expect(SandboxError.is(error, 'unsafe-path')).toBe(true);
  });
});
