import { describe, expect, it } from 'vitest';
import { SeededRandomness } from '#edges/randomness.ts';
import { ManualScheduler, settle } from '../../test/loopback/manual-scheduler.ts';
import { ModelError, type ModelErrorCode } from './errors.ts';
import { Limiter, type LimiterPolicy, type Retry } from './limiter.ts';

const policy: Partial<LimiterPolicy> = {
  firstConcurrency: 2,
  rampInterval: 1e9,
  firstBackoff: 100,
  failuresToOpen: 1000,
};

function failure(code: ModelErrorCode, retryAfter?: number): ModelError {
  return new ModelError(code, `it was ${code}`, {}, retryAfter === undefined ? {} : { retryAfter });
}

/** One attempt that has begun and that the test ends. */
interface Attempt {
  readonly name: string;
  readonly at: number;
  end(error?: Error): Promise<void>;
}

class Bench {
  readonly scheduler = new ManualScheduler();
  readonly begun: Attempt[] = [];
  readonly retries: Retry[] = [];
  readonly ended = new Map<string, unknown>();
  readonly #limiter: Limiter;
  readonly #running = new Set<Attempt>();

  constructor(changes: Partial<LimiterPolicy> = {}) {
    const edges = { scheduler: this.scheduler, randomness: new SeededRandomness(7) };
    this.#limiter = new Limiter(edges, { ...policy, ...changes });
  }

  get running(): number {
    return this.#running.size;
  }

  async failAll(code: ModelErrorCode): Promise<void> {
    for (const attempt of this.#running) await attempt.end(failure(code));
  }

  async start(name: string, signal: AbortSignal = new AbortController().signal): Promise<void> {
    void this.#run(name, signal);
    await settle();
  }

  async startMany(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) await this.start(`call ${index}`);
  }

  /** The latest attempt of a call. */
  attempt(name: string): Attempt {
    const found = this.begun.findLast((attempt) => attempt.name === name);
    if (!found) throw new Error(`${name} has not begun`);
    return found;
  }

  async #run(name: string, signal: AbortSignal): Promise<void> {
    const attempt = async (): Promise<string> => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const begun: Attempt = {
        name,
        at: this.scheduler.now,
        end: async (error) => {
          this.#running.delete(begun);
          if (error === undefined) resolve(`${name} is done`);
          else reject(error);
          await settle();
        },
      };
      this.#running.add(begun);
      this.begun.push(begun);
      return promise;
    };
    try {
      this.ended.set(
        name,
        await this.#limiter.run(attempt, signal, (retry) => {
          this.retries.push(retry);
        }),
      );
    } catch (error) {
      this.ended.set(name, error);
    }
  }
}

describe('concurrency', () => {
  it('starts small, and grows by one with each success', async () => {
    const bench = new Bench();
    await bench.startMany(10);
    expect(bench.running).toBe(2);
    await bench.attempt('call 0').end();
    expect(bench.running).toBe(3);
    await bench.attempt('call 1').end();
    expect(bench.running).toBe(4);
    expect(bench.begun.map(({ name }) => name)).toEqual(
      Array.from({ length: 6 }, (_, index) => `call ${index}`),
    );
    expect(bench.ended.get('call 0')).toBe('call 0 is done');
  });

  it('does not grow while it is not used', async () => {
    const bench = new Bench();
    for (let index = 0; index < 5; index += 1) {
      await bench.start(`alone ${index}`);
      await bench.attempt(`alone ${index}`).end();
    }
    await bench.startMany(5);
    expect(bench.running).toBe(2);
  });

  it('grows with time too, so that calls that wait for each other all get through', async () => {
    const bench = new Bench({ rampInterval: 500 });
    await bench.startMany(6);
    await bench.scheduler.pass(1999);
    expect(bench.running).toBe(5);
    await bench.scheduler.pass(1);
    expect(bench.running).toBe(6);
  });

  it('is halved once when calls that began together are all too much', async () => {
    const bench = new Bench({ firstConcurrency: 8, retries: 0 });
    await bench.startMany(16);
    for (let index = 0; index < 8; index += 1) {
      await bench.attempt(`call ${index}`).end(failure(index % 2 ? 'overloaded' : 'rate-limited'));
    }
    expect(bench.running).toBe(4);
  });

  it('is not cut by failures that are not about load', async () => {
    const bench = new Bench({ retries: 0 });
    await bench.startMany(6);
    await bench.attempt('call 0').end(failure('broken-stream'));
    await bench.attempt('call 1').end(failure('server'));
    expect(bench.running).toBe(2);
  });

  it('grows slowly past the point where it was too much', async () => {
    const bench = new Bench({ firstConcurrency: 4, retries: 0 });
    await bench.startMany(30);
    await bench.attempt('call 0').end(failure('rate-limited'));
    for (let index = 1; index < 6; index += 1) await bench.attempt(`call ${index}`).end();
    expect(bench.running).toBe(3);
  });
});

describe('a retry', () => {
  it.each(['rate-limited', 'overloaded', 'server', 'network', 'timeout', 'broken-stream'] as const)(
    'is made after %s',
    async (code) => {
      const bench = new Bench();
      await bench.start('a');
      await bench.attempt('a').end(failure(code));
      expect(bench.retries).toMatchObject([{ retry: 1, error: { code } }]);
      await bench.scheduler.pass(100);
      await bench.attempt('a').end();
      expect(bench.ended.get('a')).toBe('a is done');
    },
  );

  it.each([
    'auth',
    'quota',
    'unknown-model',
    'context-overflow',
    'bad-request',
    'bad-answer',
    'refused',
  ] as const)('is not made after %s', async (code) => {
    const bench = new Bench();
    await bench.start('a');
    const error = failure(code);
    await bench.attempt('a').end(error);
    expect(bench.ended.get('a')).toBe(error);
    expect(bench.begun).toHaveLength(1);
  });

  it('is made four times at most, and then the last error stands', async () => {
    const bench = new Bench();
    await bench.start('a');
    for (let retry = 0; retry < 5; retry += 1) {
      await bench.attempt('a').end(failure('server', retry));
      await bench.scheduler.pass(100_000);
    }
    expect(bench.begun).toHaveLength(5);
    expect(bench.ended.get('a')).toMatchObject({ code: 'server', retryAfter: 4 });
  });

  it('is made once after silence: each try is as long as the limit on it', async () => {
    const bench = new Bench();
    await bench.start('a');
    for (let retry = 0; retry < 2; retry += 1) {
      await bench.attempt('a').end(failure('timeout'));
      await bench.scheduler.pass(100_000);
    }
    expect(bench.begun).toHaveLength(2);
    expect(bench.ended.get('a')).toMatchObject({ code: 'timeout' });
  });

  it('waits a random part of a time that doubles, so that calls do not come back in step', async () => {
    const bench = new Bench({ retries: 3 });
    await bench.startMany(2);
    for (let round = 0; round < 4; round += 1) {
      for (const name of ['call 0', 'call 1']) await bench.attempt(name).end(failure('server'));
      await bench.scheduler.pass(10_000);
    }
    const waits = bench.retries.map(({ wait }) => wait);
    expect(new Set(waits).size).toBe(6);
    for (const { retry, wait } of bench.retries) expect(wait).toBeLessThan(100 * 2 ** (retry - 1));
  });

  it('holds no concurrency while it waits', async () => {
    const bench = new Bench({ firstConcurrency: 1 });
    await bench.startMany(2);
    await bench.attempt('call 0').end(failure('server'));
    expect(bench.attempt('call 1').at).toBe(0);
  });

  it('is not made after an abort', async () => {
    const bench = new Bench();
    const abort = new AbortController();
    await bench.start('a', abort.signal);
    await bench.attempt('a').end(failure('server'));
    const reason = new Error('stopped by hand');
    abort.abort(reason);
    await bench.scheduler.pass(1000);
    expect(bench.ended.get('a')).toBe(reason);
    expect(bench.begun).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  it('holds every call to the provider back', async () => {
    const bench = new Bench();
    await bench.startMany(2);
    await bench.attempt('call 0').end(failure('rate-limited', 30_000));
    await bench.attempt('call 1').end();
    await bench.start('later');
    await bench.scheduler.pass(29_999);
    expect(bench.running).toBe(0);
    await bench.scheduler.pass(1);
    expect(bench.attempt('later').at).toBe(30_000);
    await bench.attempt('later').end();
    await bench.scheduler.pass(100);
    expect(bench.attempt('call 0').at).toBeGreaterThan(30_000);
  });

  it('that is longer than anyone would wait fails the call', async () => {
    const bench = new Bench();
    await bench.start('a');
    const error = failure('rate-limited', 24 * 3600 * 1000);
    await bench.attempt('a').end(error);
    expect(bench.ended.get('a')).toBe(error);
    await bench.start('b');
    expect(bench.running).toBe(1);
  });
});

describe('the circuit breaker', () => {
  const brittle = {
    firstConcurrency: 4,
    retries: 0,
    failuresToOpen: 3,
    firstOpen: 1000,
    longestOpen: 4000,
    longestOutage: 5000,
  };

  async function opened(): Promise<Bench> {
    const bench = new Bench(brittle);
    for (const name of ['a', 'b', 'c']) await bench.start(name);
    for (const name of ['a', 'b', 'c']) await bench.attempt(name).end(failure('server'));
    return bench;
  }

  it('opens after some failures in a row, and lets one probe through after a while', async () => {
    const bench = await opened();
    await bench.startMany(3);
    await bench.scheduler.pass(999);
    expect(bench.running).toBe(0);
    await bench.scheduler.pass(1);
    expect(bench.running).toBe(1);
    await bench.attempt('call 0').end();
    expect(bench.running).toBe(2);
  });

  it('is not opened by failures that successes come between', async () => {
    const bench = new Bench(brittle);
    for (let round = 0; round < 4; round += 1) {
      for (const name of ['a', 'b', 'c']) await bench.start(name);
      await bench.attempt('a').end(failure('server'));
      await bench.attempt('b').end(failure('server'));
      await bench.attempt('c').end();
    }
    await bench.start('d');
    expect(bench.running).toBe(1);
  });

  it('stays open twice as long each time the probe fails, and then gives up on those who wait', async () => {
    const bench = await opened();
    await bench.startMany(5);
    for (const [index, at] of [1000, 3000, 7000].entries()) {
      await bench.scheduler.pass(at - bench.scheduler.now);
      expect(bench.attempt(`call ${index}`).at).toBe(at);
      await bench.attempt(`call ${index}`).end(failure('overloaded'));
    }
    // Down for 1, 2 and 4 seconds.
    expect(bench.ended.get('call 4')).toMatchObject({
      code: 'overloaded',
      message: 'it was overloaded (for 7 s every call has failed)',
      mayHaveCost: false,
    });
    expect(bench.begun).toHaveLength(6);
  });

  it('takes another probe when the first one is aborted or fails for a reason of its own', async () => {
    const bench = await opened();
    const abort = new AbortController();
    await bench.start('aborted', abort.signal);
    await bench.start('refused');
    await bench.start('good');
    await bench.scheduler.pass(1000);
    abort.abort(new Error('stopped'));
    await bench.attempt('aborted').end(new Error('stopped'));
    await bench.attempt('refused').end(failure('context-overflow'));
    await bench.attempt('good').end();
    expect(bench.ended.get('good')).toBe('good is done');
    await bench.startMany(2);
    expect(bench.running).toBe(2);
  });

  it('lets a waiting call be aborted', async () => {
    const bench = await opened();
    const abort = new AbortController();
    const reason = new Error('stopped by hand');
    await bench.start('waiting', abort.signal);
    await bench.start('next');
    abort.abort(reason);
    await settle();
    expect(bench.ended.get('waiting')).toBe(reason);
    await bench.scheduler.pass(1000);
    expect(bench.begun.at(-1)?.name).toBe('next');
  });
});

it('a storm of failures makes few attempts', async () => {
  const bench = new Bench({ retries: 4, failuresToOpen: 8, firstConcurrency: 4 });
  for (let index = 0; index < 50; index += 1) await bench.start(`call ${index}`);
  for (let step = 0; step < 1200; step += 1) {
    await bench.failAll('overloaded');
    await bench.scheduler.pass(500);
  }
  // Ten minutes of a provider that is down, and fifty agents that want something from it.
  expect(bench.ended.size).toBe(50);
  expect(bench.begun.length).toBeLessThan(40);
});
