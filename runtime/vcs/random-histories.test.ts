import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import { MemoryLogStore } from './memory-log-store.ts';
import { openRepository } from './open-repository.ts';
import { PlainModel } from './testing/plain-model.ts';
import { TestTrunk, type Texts } from './testing/trunk.ts';

const start = { a: '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n', b: '', 'd/a': 'x\ny\n', 'd/e/f': 'one\n' };
const paths = ['a', 'a', ...Object.keys(start), 'new', 'd/new'];
const tasks = ['root', 'root/a', 'root/b'];

const text = fc
  .array(fc.constantFrom('1\n', '2\n', '3\n', '4\n', '5\n', '6\n', 'x\n', 'end'), { maxLength: 6 })
  .map((lines) => lines.join(''));
/** An edit of one line at most, so that merges succeed often; or anything. */
const edit = fc.oneof(
  { weight: 6, arbitrary: fc.nat(11).map((line) => ({ kind: 'line' as const, line })) },
  { weight: 1, arbitrary: text.map((content) => ({ kind: 'text' as const, content })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'delete' as const }) },
);
const step = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      task: fc.constantFrom(...tasks),
      epoch: fc.integer({ min: 1, max: 2 }),
      /** How many commits its base lies back. */
      back: fc.nat(5),
      edits: fc.dictionary(fc.constantFrom(...paths), edit, { maxKeys: 3 }),
      resolves: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('fence' as const), task: fc.constantFrom(...tasks) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Submit = Extract<Step, { kind: 'submit' }>;

/** One repository and the model, side by side. */
class Pair {
  trunk: TestTrunk;
  readonly #model = new PlainModel(new Map(Object.entries(start)));
  readonly #ids: string[];
  #last: (() => Promise<void>) | undefined;

  constructor(trunk: TestTrunk) {
    this.trunk = trunk;
    this.#ids = [trunk.repository.head().id];
  }

  async take(taken: Step): Promise<void> {
    switch (taken.kind) {
      case 'submit':
        await this.#submit(taken);
        break;
      case 'fence':
        this.#model.fence(taken.task, 2);
        await this.trunk.repository.fence(taken.task, 2, 'a test');
        break;
      case 'drop': {
        const [first] = this.#model.parked.keys();
        if (first === undefined) break;
        this.#model.parked.delete(first);
        await this.trunk.repository.drop(first, 'root', 'a test');
        break;
      }
      case 'reopen':
        await this.trunk.repository.close();
        this.trunk = await this.trunk.reopened();
        break;
      case 'repeat':
        await this.#last?.();
        break;
      default:
        taken satisfies never;
    }
    const { found, expected } = await this.states();
    assert.deepEqual(found, expected);
  }

  /** What the repository and the model hold. */
  async states(): Promise<{ found: unknown; expected: unknown }> {
    const { parked, versions } = this.#model;
    const found = {
      files: await this.trunk.texts(),
      parked: this.trunk.repository.parked().map(({ id, round }) => [id, round]),
    };
    const expected = {
      files: Object.fromEntries(versions.at(-1) ?? []),
      parked: [...parked].map(([id, { round }]) => [id, round]),
    };
    return { found, expected };
  }

  async #submit({ task, epoch, back, edits, resolves }: Submit): Promise<void> {
    const base = Math.max(0, this.#ids.length - 1 - back);
    const before = this.#model.versions[base];
    const changes: Texts = Object.fromEntries(
      Object.entries(edits).map(([path, what]) => {
        if (what.kind === 'delete') return [path, undefined];
        if (what.kind === 'text') return [path, what.content];
        const lines = (before?.get(path) ?? '').split('\n');
        lines[what.line % lines.length] += `+${this.#ids.length}`;
        return [path, lines.join('\n')];
      }),
    );
    const [parked] = resolves ? this.#model.parked.keys() : [];
    const request = this.trunk.request(task, changes, {
      base: this.#ids[base] ?? '',
      id: { epoch },
      ...(parked === undefined ? {} : { intent: { kind: 'resolution', parked } }),
    });
    const submit = async (): Promise<void> => {
      const expected = this.#model.submit(request, base);
      const outcome = await this.trunk.repository.submit(request);
      assert.equal(outcome.kind, expected);
    };
    await submit();
    this.#last = submit;
    const head = this.trunk.repository.head().id;
    if (head !== this.#ids.at(-1)) this.#ids.push(head);
  }
}

describe('random histories', () => {
  it('give what a plain model gives, through reopening too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const pair = new Pair(await TestTrunk.with(start));
        for (const taken of steps) await pair.take(taken);
        pair.trunk = await pair.trunk.reopened();
        const { found, expected } = await pair.states();
        expect(found).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('can be cut after any record: what is left opens as it was then', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        const records: Uint8Array[] = [];
        const pair = new Pair(await TestTrunk.with(start, records));
        const seen: [number, string, unknown][] = [];
        for (const taken of steps.filter(({ kind }) => kind !== 'reopen')) {
          await pair.take(taken);
          const { repository } = pair.trunk;
          seen.push([records.length, repository.head().id, repository.parked()]);
        }
        for (const [count, head, parked] of seen) {
          const logStore = new MemoryLogStore(records.slice(0, count));
          const repository = await openRepository({ logStore, clock: new ManualClock() });
          expect(repository.head().id).toBe(head);
          expect(repository.parked()).toEqual(parked);
        }
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
