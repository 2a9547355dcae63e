import { describe, expect, it, vi } from 'vitest';
import { costOf } from '#models/cost.ts';
import { noUsage, type Usage } from '#protocol/models.ts';
import { greeterFiles } from '../command-line/greeter.ts';
import { greeterServer, servedBuild, smallPrice } from '../command-line/greeter-server.ts';
import { inProcess } from '../command-line/in-process.ts';
import { Project } from '../command-line/project.ts';
import { expectOneLine, expectRefusal, expectResumes } from './refusal.ts';

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Dollars of which the caps keep a part back for those who settle and land. */
const usable = 0.95;

/** A budget that is used up before the last of the three calls, and what all of them cost. */
async function pricedBuild(): Promise<{ readonly usd: number; readonly budget: number }> {
  await using project = await Project.create(greeterFiles());
  const server = await greeterServer(project, { models: { small: smallPrice } });
  const { code } = await inProcess(project, [...servedBuild(server.baseUrl), '--budget-usd', '100']);
  await server.close();
  expect(code).toBe(0);
  const events = await eventsOf(project);
  const usdOf = (type: string): readonly number[] =>
    events.filter((event) => event.type === type).map((event) => event.usd ?? 0);
  const [bounds, costs] = [usdOf('call.reserved'), usdOf('call.settled')];
  // Before a call is made, what was paid and the call's upper bound must fit together.
  const needed = bounds.map(
    (bound, index) => bound + costs.slice(0, index).reduce((sum, cost) => sum + cost, 0),
  );
  const [first = 0, second = 0, last = 0] = needed;
  expect(needed).toHaveLength(3);
  expect(last).toBeGreaterThan(Math.max(first, second));
  return { usd: charged(events), budget: (Math.max(first, second) + last) / 2 / usable };
}

/** As `log --json` writes them, as far as they are looked at here. */
interface LoggedEvent {
  readonly type: string;
  readonly usd?: number | null;
  readonly usage?: Usage;
}

async function eventsOf(project: Project): Promise<readonly LoggedEvent[]> {
  const { stdout } = await inProcess(project, ['log', '--events', '--json', '--store', 'store']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line): LoggedEvent => JSON.parse(line));
}

function charged(events: readonly LoggedEvent[]): number {
  return events.reduce((sum, event) => (event.type === 'call.settled' ? sum + (event.usd ?? 0) : sum), 0);
}

describe('--budget-usd', () => {
  it('stops the run before the cap is passed, and a higher one completes it', async () => {
    const { usd, budget } = await pricedBuild();
    await using project = await Project.create(greeterFiles());
    const server = await greeterServer(project, { models: { small: smallPrice } });
    try {
      const end = await project.run([...servedBuild(server.baseUrl), '--budget-usd', String(budget)]);
      expectOneLine(end, ['the cap on usd is reached', 'resume', '--budget-usd']);
      expect(end.stdout).toMatch(/resume --store /u);
      const events = await eventsOf(project);
      expect(charged(events)).toBeGreaterThan(0);
      expect(charged(events)).toBeLessThanOrEqual(budget);
      expect(server.requests).toHaveLength(2);
      await expectResumes(project, '--budget-usd', '100');
      // What was paid for is not asked again.
      expect(server.requests.map(({ key }) => key)).toEqual([
        'planner root 1 1',
        'worker root/greet 1 1',
        'planner root 1 2',
      ]);
      expect(charged(await eventsOf(project))).toBeCloseTo(usd, 9);
    } finally {
      await server.close();
    }
  });

  it('is refused, and nothing is started, when the price of a model is not known', async () => {
    await using project = await Project.create(greeterFiles());
    const server = await greeterServer(project);
    const end = await project.run([...servedBuild(server.baseUrl), '--budget-usd', '1']);
    await expectRefusal(project, end, [
      'the price of compatible/small is not known',
      '--budget-usd',
      '--max-tokens',
    ]);
    expect(server.requests).toEqual([]);
    await server.close();
  });

  it('is refused, and nothing is started, when the server that tells the prices is not there', async () => {
    await using project = await Project.create(greeterFiles());
    const server = await greeterServer(project);
    await server.close();
    const end = await inProcess(project, [...servedBuild(server.baseUrl), '--budget-usd', '1']);
    await expectRefusal(project, end, ['cannot be reached', 'ECONNREFUSED', '--base-url']);
  });

  it('is refused also when a run goes on, and the price of its model is not known', async () => {
    await using project = await Project.create(greeterFiles());
    const server = await greeterServer(project);
    try {
      const built = await inProcess(project, [...servedBuild(server.baseUrl), '--json']);
      expect(built.stderr).toContain('3 calls of unknown price and ');
      expect(built.stderr).not.toContain('$0.00');
      expect(JSON.parse(built.stdout)).toMatchObject({ spend_usd: 0, unpriced_calls: 3 });
      const resumed = await inProcess(project, ['resume', '--store', 'store', '--budget-usd', '1']);
      expect(resumed.code).not.toBe(0);
      expect(resumed.stderr).toContain('the price of compatible/small is not known');
    } finally {
      await server.close();
    }
  });

  it.each(['0', '-1', 'much', '1e3', ''])('is refused when it is "%s"', async (budget) => {
    await using project = await Project.create(greeterFiles());
    const end = await inProcess(project, [...servedBuild('http://127.0.0.1:9/v1'), `--budget-usd=${budget}`]);
    await expectRefusal(project, end, ['--budget-usd needs a number above 0'], 2);
  });
});

it('what a server charges is what the ledger books', async () => {
  await using project = await Project.create(greeterFiles());
  const server = await greeterServer(project, { models: { small: smallPrice } });
  await inProcess(project, servedBuild(server.baseUrl));
  await server.close();
  const events = await eventsOf(project);
  for (const event of events.filter(({ type }) => type === 'call.settled')) {
    expect(event.usd).toBeCloseTo(costOf(event.usage ?? noUsage, smallPrice), 12);
  }
});
