import { describe, expect, it } from 'vitest';
import type { RunEventBody } from '#protocol/events.ts';
import {
  begun,
  committed,
  created,
  ended,
  reserved,
  settled,
  started,
  tree,
} from '#protocol/projection-samples.ts';
import { DashboardPage } from './dashboard-page.ts';

/** How long a fact may take on a machine that is busy. */
const patience = { timeout: 30_000 };

/** A run with so many tasks: a hundred planners with their workers, half of them done. */
function largeRun(tasks: number): readonly RunEventBody[] {
  const planners = Array.from(
    { length: 100 },
    (_, index) => `root/planner-${String(index).padStart(3, '0')}`,
  );
  const workers = planners.flatMap((planner) =>
    Array.from(
      { length: tasks / 100 - 1 },
      (_, index) => `${planner}/worker-${String(index).padStart(3, '0')}`,
    ),
  );
  const done = workers.filter((_, index) => index % 2 === 0);
  return [
    begun,
    created('root', 'planner'),
    started('root'),
    committed(1, 'root', { role: 'harness', title: 'import' }),
    ...planners.map((path) => created(path, 'planner')),
    ...workers.map((path) => created(path)),
    ...workers.map((path) => started(path)),
    ...done.flatMap((path, index): RunEventBody[] => [
      reserved(`call ${index}`, path),
      settled(`call ${index}`, path),
      ended(path),
    ]),
  ];
}

describe('the page with 10,000 tasks', () => {
  const bodies = largeRun(10_000);

  it('shows them a moment after it opens, and holds only the lines that are in sight', async () => {
    await using dashboard = await DashboardPage.open(bodies);
    const { page } = dashboard;
    await page.getByRole('treeitem').first().waitFor();
    const [taken = 0, painted = Infinity] = await page.evaluate(() =>
      ['dashboard-snapshot', 'dashboard-painted'].map(
        (name) => performance.getEntriesByName(name)[0]?.startTime,
      ),
    );
    expect(painted - taken).toBeLessThan(2000);
    expect(await page.getByRole('treeitem').count()).toBeLessThan(100);
    expect(dashboard.complaints).toEqual([]);
  });

  it('reaches every line by keys', async () => {
    await using dashboard = await DashboardPage.open(bodies);
    const { page } = dashboard;
    const lines = page.getByRole('tree', { name: 'Tasks' });
    await lines.focus();
    await page.keyboard.press('End');
    const last = page.getByRole('treeitem', { name: 'worker-098' });
    await last.waitFor();
    expect(await last.getAttribute('aria-selected')).toBe('true');
    expect(await lines.getAttribute('aria-activedescendant')).toBe(await last.getAttribute('id'));
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    const planner = page.getByRole('treeitem', { name: 'planner-099' });
    expect(await planner.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Home');
    await page.keyboard.type('planner-050');
    await page.getByRole('treeitem', { name: 'planner-050', selected: true }).waitFor();
    await page.getByRole('heading', { name: 'root/planner-050' }).waitFor();
  });

  it('stays quick while a hundred events a second come in', async () => {
    await using dashboard = await DashboardPage.open(bodies);
    const { page } = dashboard;
    await page.getByRole('treeitem').first().waitFor();
    await page.evaluate(() => {
      const { slowest, drawn } = { slowest: [0], drawn: [0] };
      let last = performance.now();
      setInterval(() => {
        const now = performance.now();
        slowest[0] = Math.max(slowest[0] ?? 0, now - last - 5);
        last = now;
      }, 5);
      new MutationObserver(() => (drawn[0] = (drawn[0] ?? 0) + 1)).observe(
        document.querySelector('.facts') ?? document,
        {
          subtree: true,
          characterData: true,
          childList: true,
        },
      );
      Object.assign(globalThis, { slowest, drawn });
    });
    let position = 1;
    const begin = performance.now();
    while (performance.now() - begin < 3000) {
      const commits = Array.from({ length: 10 }, () => {
        position += 1;
        return committed(position, 'root/planner-000/worker-001', { commit: `c${position}` });
      });
      dashboard.happen(...commits);
      await page.waitForTimeout(100);
    }
    await page.getByText(`${(position - 1).toLocaleString('en')} (`).waitFor();
    const seconds = (performance.now() - begin) / 1000;
    const { slowest, drawn } = await page.evaluate(() => ({
      slowest: Number(Reflect.get(globalThis, 'slowest')),
      drawn: Number(Reflect.get(globalThis, 'drawn')),
    }));
    // Facts change with a drawing, and with each second that passes.
    expect(drawn / seconds).toBeLessThan(6);
    expect(slowest).toBeLessThan(500);
  });

  it('asks for a new snapshot when it has missed something', async () => {
    await using dashboard = await DashboardPage.open(bodies);
    const { page, run } = dashboard;
    await page.getByText('0 (').waitFor();
    const before = run.snapshots;
    dashboard.miss(committed(2, 'root/planner-000/worker-001'));
    dashboard.happen(committed(3, 'root/planner-000/worker-001'));
    await page.getByText('2 (').waitFor();
    expect(run.snapshots).toBe(before + 1);
  });
});

describe('the page', () => {
  const bodies = [...tree, started('root/b'), started('root/a'), started('root/a/x')];

  it('filters by text and by what is finished', async () => {
    await using dashboard = await DashboardPage.open([...bodies, ended('root/b')]);
    const { page } = dashboard;
    const names = async (): Promise<readonly string[]> =>
      page.locator('[role=treeitem] .name').allInnerTexts();
    await expect.poll(names, patience).toEqual(['Spec', 'b', 'a', 'x']);
    await page.getByText('Hide finished').click();
    await expect.poll(names, patience).toEqual(['Spec', 'a', 'x']);
    await page.getByRole('textbox', { name: 'Filter tasks' }).fill('nothing');
    await page.getByText('No task matches the filter.').waitFor();
    await page.getByRole('textbox', { name: 'Filter tasks' }).fill('do x');
    await expect.poll(names, patience).toEqual(['Spec', 'a', 'x']);
  });

  it('is where the user left it when it comes back', async () => {
    await using dashboard = await DashboardPage.open(bodies);
    const { page } = dashboard;
    await page.getByRole('treeitem', { name: /^a/u }).click();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('tab', { name: 'Decisions' }).click();
    await dashboard.reload();
    await page.getByRole('tab', { name: 'Decisions', selected: true }).waitFor();
    const planner = page.getByRole('treeitem', { name: /^a/u });
    expect(await planner.getAttribute('aria-selected')).toBe('true');
    expect(await planner.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => dashboard.done.filter((what) => what === 'painted').length, patience).toBe(2);
  });

  it('hands its buttons to the editor', async () => {
    await using dashboard = await DashboardPage.open([...bodies, committed(2, 'root/b')]);
    const { page, done } = dashboard;
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('treeitem', { name: /^b/u }).click();
    await page.getByRole('button', { name: 'Open Transcript' }).click();
    await page.getByRole('button', { name: 'Show Changes' }).click();
    await expect
      .poll(() => done.filter((what) => what !== 'painted'), patience)
      .toEqual(['pause', 'transcript root/b@1', 'changes root/b']);
  });

  it('moves its border by keys', async () => {
    await using dashboard = await DashboardPage.open(bodies);
    const { page } = dashboard;
    const sash = page.getByRole('separator', { name: 'Width of the tree' });
    const before = Number(await sash.getAttribute('aria-valuenow'));
    await sash.focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(async () => Number(await sash.getAttribute('aria-valuenow')), patience)
      .toBe(before + 2);
  });

  it('goes through its tabs by arrow keys', async () => {
    await using dashboard = await DashboardPage.open(bodies);
    const { page } = dashboard;
    await page.getByRole('tab', { name: 'Run' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('tab', { name: 'Decisions', selected: true }).waitFor();
    await page.keyboard.press('Home');
    await page.getByRole('tab', { name: 'Run', selected: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-run');
  });
});
