import type { WorkbenchWindow } from '../workbench.ts';

/** Name, role and state of each task, as the view "Agents" has them; sorted. What is closed is opened first. */
export async function tasksInTree(window: WorkbenchWindow): Promise<readonly string[]> {
  const items = window.page.locator('.part.sidebar').getByRole('treeitem');
  const closed = window.page.locator('.part.sidebar [role="treeitem"][aria-expanded="false"]');
  if ((await closed.count()) > 0) await closed.first().locator('.monaco-tl-twistie').click();
  const labels = await items.evaluateAll((found) =>
    found.map((item) => item.getAttribute('aria-label') ?? ''),
  );
  return labels.map((label) => label.split(', ').slice(0, 3).join(' ')).toSorted();
}

/** The same, as the dashboard has them. */
export async function tasksInDashboard(window: WorkbenchWindow): Promise<readonly string[]> {
  const page = window.webview();
  const closed = page.locator('[role="treeitem"][aria-expanded="false"]');
  if ((await closed.count()) > 0) await closed.first().locator('.twisty').click();
  const items = await page
    .getByRole('treeitem')
    .evaluateAll((found) =>
      found.map((item) =>
        ['.name', '.role', '.state'].map((part) => item.querySelector(part)?.textContent ?? '').join(' '),
      ),
    );
  return items.toSorted();
}
