/** `npm run screenshots`: pictures for the README, of the demo in a real VS Code; written to `docs/pictures`. */
import { join } from 'node:path';
import type { Theme } from '../test/vscode/settings.ts';
import { Workbench, type WorkbenchWindow } from '../test/vscode/workbench.ts';
import { packageVsix, vsixPath } from './package-vsix.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'pictures');
const demoLimit = { timeout: 240_000 };
/** What the pictures of the dashboard show besides the tree. */
const shownTask = 'lexer';
const usersFile = `# MiniSQL

## Notes of my own

- Start reading at src/database.mjs.
- Which Node does it need?
`;
const pictured: readonly Theme[] = ['light', 'dark', 'high-contrast'];
const size = { width: 1440, height: 900 };

await packageVsix();
await using workbench = await Workbench.start({
  extensions: [vsixPath],
  browser: size,
  settings: {
    'window.commandCenter': false,
    'workbench.layoutControl.enabled': false,
    'editor.minimap.enabled': false,
    'breadcrumbs.enabled': false,
  },
});
const window = await workbench.openWindow();
try {
  await window.showContainer('Swarmwright');
  await widenSideBar(window, 370);
  await window.setTheme('dark');
  await window.runCommand('Swarmwright: Open Dashboard');
  await window.openDemo();
  await pictureAtWork(window);
  await window.notification(/Landing ready/u).waitFor(demoLimit);
  await window.runCommand('Notifications: Clear All Notifications');
  await pictureLanding(window);
} catch (error) {
  console.error(`What was there: ${await window.picture('screenshots-failed')}`);
  throw error;
}

/** The tree and the dashboard while agents work; a pause holds still what is pictured. */
async function pictureAtWork(at: WorkbenchWindow): Promise<void> {
  await at.treeItem(new RegExp(`^${shownTask}, worker, working`, 'u')).waitFor(demoLimit);
  await at.page.locator('.part.sidebar').getByRole('button', { name: 'Pause' }).first().click();
  await at.statusBarItem('Build paused').waitFor();
  await at.editorTab('Swarmwright Dashboard').click();
  const tree = at.webview().getByRole('tree');
  await tree.getByRole('treeitem', { name: /^front\s/u }).waitFor();
  // What was done when the page began is closed.
  const closed = tree.locator('[aria-expanded="false"]').filter({ hasText: /^front/u });
  if ((await closed.count()) > 0) await closed.locator('.twisty').click();
  await tree.getByRole('treeitem', { name: new RegExp(`^${shownTask}\\s`, 'u') }).click();
  for (const theme of pictured) await picture(at, 'dashboard', theme);
  await at.openFile('spec.md');
  await picture(at, 'agents', 'light');
  await at.runCommand('Swarmwright: Resume');
}

/** Rows by file, and the diff of one that the user has written meanwhile. */
async function pictureLanding(at: WorkbenchWindow): Promise<void> {
  await at.runCommand('View: Close All Editors');
  await workbench.server.write('README.md', usersFile);
  await at.showContainer('Source Control');
  await at.page.locator('.scm-view').getByText('In Conflict with Your Changes').waitFor();
  await openRow(at, 'README.md');
  for (const theme of pictured) await picture(at, 'landing', theme);
}

async function openRow(at: WorkbenchWindow, name: string): Promise<void> {
  await at.page.locator('.scm-view .monaco-list-row').filter({ hasText: name }).first().click();
  await at.editorTab(`${name} (Yours ↔ Landing)`).waitFor();
  await at.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
}

/** The tree has long lines. */
async function widenSideBar(at: WorkbenchWindow, width: number): Promise<void> {
  const box = await at.page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('the side bar is not shown');
  await at.page.mouse.move(box.x + box.width + 1, box.y + box.height / 3);
  await at.page.mouse.down();
  await at.page.mouse.move(box.x + width + 1, box.y + box.height / 3, { steps: 5 });
  await at.page.mouse.up();
}

async function picture(at: WorkbenchWindow, name: string, theme: Theme): Promise<void> {
  await at.setTheme(theme);
  // Nothing is shown as hovered.
  await at.page.mouse.move(size.width / 2, size.height - 5);
  await at.picture(`${name}-${theme}`, folder);
}
