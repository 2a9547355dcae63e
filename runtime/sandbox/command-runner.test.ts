import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem } from '#edges/file-system.ts';
import { nodeProcesses } from '#edges/processes.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import type { CommandLimits, CommandResult } from './command-runner.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { SandboxError } from './errors.ts';
import { MemoryTree } from './tree-for-tests.ts';

const limits: CommandLimits = { milliseconds: 20_000, outputBytes: 10 * 1024 ** 2 };
const never = new AbortController().signal;

describe.each(['bubblewrap', 'none'] as const)('a command runner (%s)', (sandbox) => {
  let root: string;
  let runner: ReturnType<typeof createCommandRunner>;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'runner-'));
    runner = createCommandRunner({
      root: join(root, 'checkouts'),
      fileSystem: nodeFileSystem,
      processes: nodeProcesses,
      clock: systemClock,
      scheduler: systemScheduler,
      sandbox,
    });
  });

  afterAll(async () => {
    await runner.close();
    await rm(root, { recursive: true });
  });

  const run = async (
    command: string,
    files: ConstructorParameters<typeof MemoryTree>[0] = {},
    some: Partial<CommandLimits> = {},
    signal: AbortSignal = never,
    owner = 'worker',
  ): Promise<CommandResult> =>
    runner.run(owner, new MemoryTree(files), command, { ...limits, ...some }, signal);

  it('runs a command in a checkout of the tree', async () => {
    const result = await run('cat src/a.txt; ls', { 'src/a.txt': 'hello\n', b: '' });
    expect(result).toMatchObject({ exitCode: 0, ended: 'exit', output: 'hello\nb\nsrc\n', changed: [] });
    expect(result.environment).toMatch(
      sandbox === 'none' ? /^unsandboxed, node v24/u : /^bubblewrap 0\.\d+\.\d+, node v24/u,
    );
  });

  it('tells the exit code, and both streams as they came', async () => {
    const result = await run('echo out; echo err >&2; exit 3');
    expect(result).toMatchObject({ exitCode: 3, ended: 'exit', output: 'out\nerr\n' });
  });

  it('tells a command that a signal ended as shells do', async () => {
    expect(await run('kill -SEGV $$')).toMatchObject({ exitCode: 139, ended: 'exit' });
  });

  it('gives no input', async () => {
    expect(await run('cat; echo end')).toMatchObject({ output: 'end\n' });
  });

  it('tells what changed, and puts it back before the next command', async () => {
    const files = { a: '1', b: '2', c: '3', 'd/e': '4' };
    const result = await run('echo x > a; rm b; chmod 755 c; mv d f; mkdir -p g/h; echo y > g/h/i', files);
    expect(result.changed).toEqual(['a', 'b', 'c', 'd/e', 'f/e', 'g/h/i']);
    const next = await run('cat a b c d/e; ls; test -x c || echo plain', files);
    expect(next).toMatchObject({ output: '1234a\nb\nc\nd\nplain\n', changed: [] });
  });

  it('keeps ignored files for the same owner, and for no other', async () => {
    const files = { '.gitignore': 'cache/\n', a: '1' };
    expect(await run('mkdir cache; echo hot > cache/x', files)).toMatchObject({ changed: [] });
    expect(await run('cat cache/x', files)).toMatchObject({ output: 'hot\n' });
    await runner.release('worker');
    expect(await run('ls -a | grep -c cache', files, {}, never, 'other')).toMatchObject({ output: '0\n' });
    await runner.release('other');
  });

  it('ends a command at its time limit, with all it started', async () => {
    const result = await run('echo before; sleep 60 & sleep 60', {}, { milliseconds: 300 });
    expect(result).toMatchObject({ exitCode: null, ended: 'time-limit', output: 'before\n' });
    expect(result.milliseconds).toBeLessThan(2000);
  });

  it('ends in time even when a process has left the group and holds the output open', async () => {
    const result = await run('setsid sleep 7 & echo x; sleep 7', {}, { milliseconds: 300 });
    expect(result).toMatchObject({ ended: 'time-limit', output: 'x\n' });
    expect(result.milliseconds).toBeLessThan(5000);
  });

  it('ends a command that floods, and keeps beginning and end of its output', async () => {
    const result = await run('echo first; yes 0123456789', {}, { outputBytes: 1_000_000 });
    expect(result).toMatchObject({ exitCode: null, ended: 'output-limit' });
    expect(result.output).toMatch(/^first\n0123456789\n[^]*characters left out[^]*789\n/u);
    expect(result.output.length).toBeLessThan(33_000);
  });

  it('ends what a command leaves in the background', async () => {
    const result = await run('sleep 60 & echo done');
    expect(result).toMatchObject({ exitCode: 0, output: 'done\n' });
    expect(result.milliseconds).toBeLessThan(5000);
  });

  it('ends a command when its signal aborts, and rejects with the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const running = run('echo x; sleep 60', {}, {}, controller.signal);
    setTimeout(() => {
      controller.abort(reason);
    }, 200);
    await expect(running).rejects.toBe(reason);
    await expect(run('echo x', {}, {}, controller.signal)).rejects.toBe(reason);
  });

  it('says that a command it cannot start was not started', async () => {
    const error: unknown = await run(`: ${'x'.repeat(200_000)}`).catch((caught: unknown) => caught);
    expect(SandboxError.is(error, 'not-started')).toBe(true);
  });

  it('lets a command see no environment but the allowed one', async () => {
    process.env['SECRET_KEY'] = 'secret';
    const result = await run(
      'env | cut -d= -f1 | sort | tr "\\n" " "; cat /proc/1/environ 2>/dev/null | grep -c SECRET',
    );
    expect(result.output.replace('OLDPWD ', '')).toMatch(/^CI HOME LANG NO_COLOR PATH PWD TERM TMPDIR TZ /u);
    expect(result.output).toMatch(/ 0\n$/u);
  });

  it('brings the Node that runs us', async () => {
    expect(await run('node --version')).toMatchObject({ output: `${process.version}\n` });
  });

  it('runs the commands of one owner one after the other, those of several at the same time', async () => {
    const took = await Promise.all([
      run('echo 1; sleep 0.3'),
      run('echo 2; sleep 0.3'),
      run('echo 3; sleep 0.3', {}, {}, never, 'another'),
    ]);
    expect(took.map(({ output }) => output)).toEqual(['1\n', '2\n', '3\n']);
  });

  it('keeps two streams in the order in which they were written', async () => {
    const { output } = await run('for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done');
    expect(output).toBe([1, 2, 3, 4, 5].map((number) => `out ${number}\nerr ${number}\n`).join(''));
  });

  it('gives up a checkout that a command made unusable, for a new one', async () => {
    await run('printf x > "$(printf "\\377")"', { a: '1' });
    expect(await run('ls', { a: '1' })).toMatchObject({ output: 'a\n', changed: [] });
    const name = '0123456789'.repeat(20);
    await run(`for i in $(seq 30); do mkdir ${name} && cd ${name} || exit 1; done`, { a: '1' });
    expect(await run('ls', { a: '1' })).toMatchObject({ output: 'a\n', changed: [] });
    expect(await readdir(join(root, 'checkouts'))).not.toContain('c1');
  });

  it('gives a free checkout to the next owner, and takes no more than are needed at once', async () => {
    await Promise.all([run('true', {}, {}, never, 'one'), run('true', {}, {}, never, 'two')]);
    await Promise.all([runner.release('one'), runner.release('two'), runner.release('nobody')]);
    const before = await readdir(join(root, 'checkouts'));
    await run('true', {}, {}, never, 'three');
    await run('true', {}, {}, never, 'four');
    expect(await readdir(join(root, 'checkouts'))).toEqual(before);
  });
});

describe.each(['bubblewrap', 'none'] as const)('command runners of several processes (%s)', (sandbox) => {
  const create = (root: string): ReturnType<typeof createCommandRunner> =>
    createCommandRunner({
      root,
      fileSystem: nodeFileSystem,
      processes: nodeProcesses,
      clock: systemClock,
      scheduler: systemScheduler,
      sandbox,
    });

  it('trust nothing that an earlier one left', async () => {
    const root = await mkdtemp(join(tmpdir(), 'runner-'));
    const tree = new MemoryTree({ '.gitignore': 'cache\n', a: '1' });
    const first = create(root);
    await first.run('worker', tree, 'echo x > a; echo y > cache; echo z > b', limits, never);
    const second = create(root);
    const result = await second.run('worker', tree, 'cat a; ls', limits, never);
    expect(result).toMatchObject({ output: '1a\n', changed: [] });
    await second.close();
    await rm(root, { recursive: true });
  });

  it('end their commands when they are closed, and leave no checkout', async () => {
    const root = await mkdtemp(join(tmpdir(), 'runner-'));
    const runner = create(root);
    const running = runner.run('a', new MemoryTree({}), 'sleep 60', limits, never);
    const waiting = runner.run('a', new MemoryTree({}), 'echo no', limits, never);
    const ends = Promise.allSettled([running, waiting]);
    await systemScheduler.sleep(150);
    const began = Date.now();
    await runner.close();
    expect(Date.now() - began).toBeLessThan(3000);
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(runner.run('a', new MemoryTree({}), 'echo no', limits, never)).rejects.toThrow('closed');
    expect((await readdir(root)).filter((name) => name !== 'etc')).toEqual([]);
    await rm(root, { recursive: true });
  });
});

describe('a sandbox that cannot be set up', () => {
  it.each([
    ['is not there', 'no-sandbox', undefined],
    ['fails', 'not-started', 'echo "bwrap: No permission" >&2; exit 1'],
  ])('is no failure of the command when it %s', async (_, code, script) => {
    const root = await mkdtemp(join(tmpdir(), 'runner-'));
    const program = join(root, 'bwrap');
    if (script !== undefined) await writeFile(program, `#!/bin/sh\n${script}`, { mode: 0o755 });
    const runner = createCommandRunner({
      root: join(root, 'checkouts'),
      fileSystem: nodeFileSystem,
      processes: { start: (spec) => nodeProcesses.start({ ...spec, file: program }) },
      clock: systemClock,
      scheduler: systemScheduler,
      sandbox: 'bubblewrap',
    });
    await expect(runner.run('a', new MemoryTree({}), 'true', limits, never)).rejects.toMatchObject({ code });
    await runner.close();
    await rm(root, { recursive: true });
  });
});
