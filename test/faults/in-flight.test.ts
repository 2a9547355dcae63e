import { describe, expect, it, vi } from 'vitest';
import { systemScheduler } from '#edges/scheduler.ts';
import { greeterBuild, greeterFiles, greeterTurns } from '../command-line/greeter.ts';
import { greeterServer, servedBuild, smallPrice } from '../command-line/greeter-server.ts';
import { inProcess } from '../command-line/in-process.ts';
import { sleepersFor } from '../command-line/processes.ts';
import { Project } from '../command-line/project.ts';
import { noDamage, readOutcome } from './outcome.ts';

vi.setConfig({ testTimeout: 120_000 });

const inFlight = 'worker root/greet 1 1';

describe('a call that is in flight when the run is killed', () => {
  it('is listed apart, stays booked, and is made again under its key; settled ones are not', async () => {
    await using project = await Project.create(greeterFiles());
    const server = await greeterServer(project, { models: { small: smallPrice } });
    server.misbehave({ kind: 'no-answer' }, { keys: [inFlight] });
    const command = project.start([...servedBuild(server.baseUrl), '--budget-usd', '50']);
    await command.until(() => server.requests.some(({ key }) => key === inFlight), 'the call was not made');
    command.send('SIGKILL');
    await command.end;
    server.behave();
    const resumed = await inProcess(project, ['resume', '--store', 'store', '--json']);
    await server.close();
    expect(resumed.code).toBe(0);
    const { result, damage, lost, events } = await readOutcome(
      project.path('store'),
      project.path('workspace'),
    );
    expect(damage).toEqual(noDamage);
    expect(lost).toEqual([inFlight]);
    expect(result.settled).toEqual(['planner root 1 1', 'planner root 1 2', inFlight]);
    expect(server.requests.map(({ key }) => key)).toEqual([
      'planner root 1 1',
      inFlight,
      inFlight,
      'planner root 1 2',
    ]);
    const usd = events.reduce(
      (sum, event) =>
        event.type === 'call.settled' || event.type === 'call.lost' ? sum + (event.usd ?? 0) : sum,
      0,
    );
    expect(JSON.parse(resumed.stdout)).toMatchObject({ spend_usd: Number(usd.toFixed(6)) });
    const shown = await inProcess(project, ['log', '--events', '--store', 'store']);
    expect(shown.stdout).toMatch(/resumed .*1 model call/u);
    expect(shown.stdout).toMatch(/lost +worker root\/greet 1 1: killed/u);
  });
});

describe('a command that runs when the run is killed', () => {
  it('dies with it, and is run again, which the journal says', async () => {
    const naptime = `1.${process.pid}`;
    await using project = await Project.create(greeterFiles(greeterTurns(`sleep ${naptime}`)));
    const command = project.start(greeterBuild);
    while ((await sleepersFor(naptime)).length === 0 && !command.hasEnded) await systemScheduler.sleep(10);
    command.send('SIGKILL');
    await command.end;
    await vi.waitFor(async () => {
      expect(await sleepersFor(naptime)).toEqual([]);
    });
    expect((await inProcess(project, ['resume', '--store', 'store'])).code).toBe(0);
    const { damage, events } = await readOutcome(project.path('store'), project.path('workspace'));
    expect(damage).toEqual(noDamage);
    const ran = events.filter((event) => event.type === 'command.ran');
    expect(ran).toMatchObject([{ task: 'root/greet', exitCode: 0, rerun: true }]);
  });
});
