import { describe, expect, it } from 'vitest';
import { SampleRun, sampleConflict } from './sample-events.ts';
import { playbookNotice, renderScreen } from './terminal-view.ts';
import { textWidth } from './text.ts';

const plain = { columns: 100, rows: 40, colour: false };

/** A planner with three workers: one runs, one is in a conflict, one waits. */
function busyRun(): SampleRun {
  return new SampleRun()
    .create()
    .task('root', 'planner')
    .start('root', 'openai/large')
    .wait(500)
    .task('root/cart', 'worker')
    .task('root/prices', 'worker')
    .task('root/docs', 'worker', { dependsOn: ['cart', 'prices'] })
    .task('root/tax', 'worker')
    .sleep('root')
    .start('root/cart')
    .start('root/prices')
    .start('root/tax')
    .add({
      type: 'call.reserved',
      key: 'worker root/cart 1 1',
      account: 'root/cart',
      role: 'worker',
      model: 'openai/small',
      tokens: 20_000,
      usd: 0.02,
    })
    .wait(2000)
    .commit('root/cart', 'Add the cart')
    .commit('root/tax', 'Add taxes', ['src/index.js'])
    .verify(0)
    .end('root/tax', 'Taxes are there.\nAll of them.')
    .commit('root/cart', 'Empty the cart')
    .park('root/prices', 'root/prices#1.2.0', [sampleConflict('src/index.js', 'root/prices', 'root/cart')])
    .add({
      type: 'task.parked',
      task: 'root/prices',
      parked: 'root/prices#1.2.0',
      handoff: {
        status: 'done',
        summary: 'Prices',
        verification: 'unit-tests',
        deviations: [],
        findings: [],
        concerns: [],
      },
    });
}

describe('the screen', () => {
  it('shows the tree, the agents, trunk, spend and green', () => {
    const run = busyRun();
    const times = { now: run.time + 3000, lastEvent: run.time, green: run.time };
    expect(`\n${renderScreen(run.projection, plain, times).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      run     A shop · running, 5.5 s
      agents  1 of 8 live · 1 waiting for children · 1 done · 1 parked · 5 tasks
      trunk   3 commits · 1 merge · 1 conflict (0 resolved, 1 open)
      spend   $0.020 of $5.00 · 20.0k of 1.0M tokens
      green   00000002, 3.0 s ago, 1 commit behind the head

      ◦ root      planner  waits for 3 tasks
        ● cart    worker   openai/small · 2 commits
        ! prices  worker   conflict: src/index.js (content) against root/cart
        · docs    worker   waits for cart, prices
        ✓ tax     worker   Taxes are there. All of them.
      "
    `);
  });

  it('says plainly that turns are scripted', () => {
    const model = 'playbook/MiniSQL';
    const run = new SampleRun().create({ models: { planner: model, worker: model, resolver: model } });
    const screen = renderScreen(run.projection, plain, { now: run.time }).join('\n');
    expect(screen).toContain('playbook model: scripted turns, no model is asked');
    expect(playbookNotice({ planner: 'openai/a', worker: 'openai/b', resolver: model })).toBe(
      'playbook model for resolver: scripted turns, no model is asked there',
    );
    expect(playbookNotice({ planner: 'a/a', worker: 'a/a', resolver: 'a/a' })).toBeUndefined();
  });

  it('says that a build without verify command stays unverified', () => {
    const run = new SampleRun().create({ verify: null });
    const screen = renderScreen(run.projection, plain, { now: run.time }).join('\n');
    expect(screen).toContain('no verify command: what is built stays unverified');
  });

  it('tells what failed when trunk is not green', () => {
    const run = busyRun().verify(1);
    const green = renderScreen(run.projection, plain, { now: run.time }).find((line) =>
      line.startsWith('green'),
    );
    expect(green).toBe('green   00000002, 1 commit behind the head; `node --test` ended with 1 in 1.2 s');
  });

  it('colours only where it is told to', () => {
    const run = busyRun();
    const times = { now: run.time };
    expect(renderScreen(run.projection, plain, times).join('')).not.toContain('\u001b');
    const coloured = renderScreen(run.projection, { ...plain, colour: true }, times).join('\n');
    expect(coloured).toContain('\u001b[36m●\u001b[39m');
  });
});

describe('a tree that is larger than the terminal', () => {
  const large = new SampleRun().create().task('root', 'planner').start('root').sleep('root');
  for (let team = 1; team <= 10; team += 1) {
    const planner = `root/team-${team}`;
    large.task(planner, 'planner').start(planner).sleep(planner);
    for (let member = 1; member <= 5; member += 1) large.task(`${planner}/work-${member}`, 'worker');
  }
  large.start('root/team-7/work-3').start('root/team-9/work-1');

  it('shows the frontier with its place in the tree, and counts the rest', () => {
    const screen = renderScreen(large.projection, { ...plain, rows: 16 }, { now: large.time });
    expect(`\n${screen.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      run     A shop · running, 0.0 s
      agents  2 of 8 live · 11 waiting for children · 61 tasks
      trunk   0 commits · 0 merges · no conflicts
      spend   $0.00 of $5.00 · 0 of 1.0M tokens
      green   none yet

      ◦ root        planner  waits for 10 tasks
        ◦ team-1    planner  waits for 5 tasks
        ◦ team-2    planner  waits for 5 tasks
        ◦ team-3    planner  waits for 5 tasks
        ◦ team-7    planner  waits for 5 tasks
          ● work-3  worker   openai/small
        ◦ team-9    planner  waits for 5 tasks
          ● work-1  worker   openai/small
      … 53 more: 5 sleeping, 48 waiting
      "
    `);
  });

  it.each([1, 2, 5, 9, 10, 24])(
    'never takes more than %i rows with the cursor, nor breaks a line',
    (rows) => {
      for (const columns of [20, 60, 200]) {
        const screen = renderScreen(large.projection, { rows, columns, colour: false }, { now: large.time });
        expect(screen.length).toBeLessThan(rows);
        for (const line of screen) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      }
    },
  );
});

it('draws nothing that a model or a file wrote as control characters', () => {
  const evil = 'x\u001b[2J\u001b]0;title\u0007\r\n\u202ey';
  const run = new SampleRun()
    .create({ specTitle: evil })
    .task('root', 'planner', { goal: evil })
    .start('root', evil)
    .end('root', evil);
  const screen = renderScreen(run.projection, plain, { now: run.time });
  expect(screen.join('')).not.toMatch(/\p{Cc}|\u202e/u);
});

it('shows nobody at work on a run that nobody drives', () => {
  const run = new SampleRun().create().task('root', 'planner').start('root').task('root/a', 'worker');
  run.start('root/a').sleep('root');
  const size = { columns: 100, rows: 30, colour: false };
  const driven = renderScreen(run.projection, size, { now: run.time }).join('\n');
  expect(driven).toContain('1 of 8 live · 1 waiting for children');
  const interrupted = '0 of 8 live · 2 interrupted · 2 tasks';
  const killed = renderScreen(run.projection, size, { now: run.time, cutOff: true }).join('\n');
  expect(killed).toContain(interrupted);
  expect(killed).toMatch(/‖ a +worker +interrupted/u);
  run.add({ type: 'run.ended', status: 'interrupted', reasons: [] });
  const stopped = renderScreen(run.projection, size, { now: run.time }).join('\n');
  expect(stopped).toContain(interrupted);
  expect(stopped).not.toContain('●');
});
