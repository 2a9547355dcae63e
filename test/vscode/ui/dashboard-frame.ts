import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** The inner frame of the webview that is in sight: what an extension's page runs in. */
export async function webviewFrame(page: Page): Promise<Frame> {
  const outer = await (await page.locator('iframe.webview.ready:visible').elementHandle())?.contentFrame();
  const inner = await (await outer?.waitForSelector('iframe#active-frame'))?.contentFrame();
  if (!inner) throw new Error('no webview is in sight');
  return inner;
}

/** What axe finds wrong in a frame: rule and element, a line each. */
export async function accessibilityProblems(frame: Frame): Promise<readonly string[]> {
  // As an expression of the debugger it is not subject to the policy of the page.
  await frame.evaluate(`${axe.source}; undefined`);
  const problems: unknown =
    await frame.evaluate(`axe.run(document, { iframes: false }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      id + ' ' + target.flat(3).join(' ') + ': ' + failureSummary)))`);
  return Array.isArray(problems) ? problems.map(String) : [String(problems)];
}
