import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { nodeProcesses, type ProcessEnd, type RunningProcess } from '#edges/processes.ts';
import { systemScheduler, type Scheduler } from '#edges/scheduler.ts';
import { LineEngine } from './line-engine.ts';

const limits = { milliseconds: 1000, answerLength: 10_000 };

/** Time passes when the test says so. */
class HeldScheduler implements Scheduler {
  readonly #actions = new Set<() => void>();

  async sleep(): Promise<void> {
    return Promise.reject(new Error('not used'));
  }

  after(_milliseconds: number, action: () => void): () => void {
    this.#actions.add(action);
    return () => this.#actions.delete(action);
  }

  pass(): void {
    for (const action of this.#actions) action();
  }
}

class FakeProcess implements RunningProcess {
  readonly pid = 1;
  readonly stdin: PassThrough = new PassThrough();
  readonly stdout: PassThrough = new PassThrough();
  readonly stderr: PassThrough = new PassThrough();
  readonly #end: PromiseWithResolvers<ProcessEnd> = Promise.withResolvers();
  killed = false;

  get ended(): Promise<ProcessEnd> {
    return this.#end.promise;
  }

  kill(): void {
    this.killed = true;
    this.end({ code: null, signal: 'SIGKILL' });
  }

  end(end: ProcessEnd): void {
    this.#end.resolve(end);
  }

  fail(error: Error): void {
    this.#end.reject(error);
  }
}

interface Setting {
  readonly process: FakeProcess;
  readonly scheduler: HeldScheduler;
  readonly engine: LineEngine;
}

function start(): Setting {
  const process = new FakeProcess();
  const scheduler = new HeldScheduler();
  return { process, scheduler, engine: new LineEngine(process, scheduler, limits) };
}

describe('a line engine', () => {
  it('writes a request a line and reads an answer a line, however it is cut', async () => {
    const { process, engine } = start();
    const answer = engine.execute("SELECT 'é\n'");
    expect(String((await once(process.stdin, 'data'))[0])).toBe('{"sql":"SELECT \'é\\n\'"}\n');
    for (const byte of Buffer.from('{"columns":["a"],"rows":[["é\u2028"],[null],[1.5],[true]]}\n')) {
      process.stdout.write(Buffer.of(byte));
    }
    expect(await answer).toEqual({
      kind: 'rows',
      columns: ['a'],
      rows: [['é\u2028'], [null], [1.5], [true]],
    });
  });

  it('tells an error with its code', async () => {
    const { process, engine } = start();
    const answer = engine.execute('SELECT');
    process.stdout.write('{"error":{"code":"syntax_error","message":"at 7"}}\n');
    expect(await answer).toEqual({ kind: 'error', code: 'syntax_error', message: 'at 7' });
  });

  it('is killed when no answer comes in time, and stays broken', async () => {
    const { process, scheduler, engine } = start();
    const answer = engine.execute('SELECT 1');
    process.stderr.write('warming up\nthinking\n');
    await once(process.stdin, 'data');
    scheduler.pass();
    const broken = { kind: 'broken', reason: 'no answer within 1000 ms: thinking' };
    expect(await answer).toEqual(broken);
    expect(process.killed).toBe(true);
    expect(await engine.execute('SELECT 2')).toEqual(broken);
  });

  it('is broken when its process ends or cannot start', async () => {
    const ended = start();
    const answer = ended.engine.execute('SELECT 1');
    ended.process.end({ code: 3, signal: null });
    expect(await answer).toEqual({ kind: 'broken', reason: 'the engine ended with exit code 3' });
    const failed = start();
    const other = failed.engine.execute('SELECT 1');
    failed.process.fail(new Error('ENOENT'));
    expect(await other).toMatchObject({ kind: 'broken', reason: expect.stringContaining('ENOENT') });
    await failed.engine.close();
  });

  it.each([
    ['hello', 'is no answer'],
    ['null', 'is no answer'],
    ['{"columns":["a"],"rows":[[{}]]}', 'is no answer'],
    ['{"columns":["a"],"rows":[1]}', 'is no answer'],
    ['{"error":"syntax_error"}', 'is no answer'],
    ['{"columns":[],"rows":[]}\n{"columns":[],"rows":[]}', 'was not asked for'],
    ['x'.repeat(limits.answerLength + 1), 'longer than'],
  ])('is broken by %j', async (line, problem) => {
    const { process, engine } = start();
    const answer = engine.execute('SELECT 1');
    process.stdout.write(`${line}\n`);
    expect(await answer).toMatchObject({ kind: 'broken', reason: expect.stringContaining(problem) });
    expect(process.killed).toBe(true);
  });

  it('closes by the end of the input, by force where that is not enough', async () => {
    const { process, scheduler, engine } = start();
    const closed = engine.close();
    expect(process.stdin.writableEnded).toBe(true);
    scheduler.pass();
    await closed;
    expect(process.killed).toBe(true);
  });

  it('drives a real process', async () => {
    const program = `
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        console.log(JSON.stringify({ columns: ['sql'], rows: [[JSON.parse(line).sql]] }));
      });`;
    const process = nodeProcesses.start({
      file: globalThis.process.execPath,
      args: ['-e', program],
      cwd: '/',
      env: {},
    });
    const engine = new LineEngine(process, systemScheduler, { ...limits, milliseconds: 20_000 });
    expect(await engine.execute('SELECT 1')).toMatchObject({ rows: [['SELECT 1']] });
    expect(await engine.execute('SELECT 2')).toMatchObject({ rows: [['SELECT 2']] });
    await engine.close();
    expect(await process.ended).toEqual({ code: 0, signal: null });
  });
});
