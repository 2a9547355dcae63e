import { describe, expect, it } from 'vitest';
import {
  closingTurn,
  finishCall,
  greeterTurns,
  writeCall,
  type WrittenCall,
  type WrittenTurn,
} from '../../command-line/greeter.ts';
import type { WorkbenchWindow } from '../workbench.ts';
import type { Locator } from 'playwright-core';
import { buildGreeter } from './build.ts';
import { greeterSettings, greeterWorkspace } from './greeter.ts';
import { useWorkbench } from './use-workbench.ts';

const notes = ['# Notes', '', 'The greeter greets.', '', '## How', '', 'It prints one word.', ''].join('\n');
const config = ['export const word = 1;', 'export const count = 2;', 'export const last = 3;', ''].join('\n');

function edit(path: string, old: string, replacement: string): WrittenCall {
  return { tool: 'edit_file', args: { path, old, new: replacement } };
}

function write(path: string, content: string): WrittenCall {
  return { tool: 'write_file', args: { path, content } };
}

const task = { name: 'greet', role: 'worker', goal: 'Greet.', scope: ['**'], acceptance: ['It greets.'] };
const turns: readonly WrittenTurn[] = [
  { key: 'planner root 1 1', calls: [{ tool: 'plan', args: { wake: 'all', tasks: [task] } }] },
  closingTurn,
  {
    key: 'worker root/greet 1 1',
    calls: [
      writeCall,
      write('src/words.mjs', "export const word = 'hello';\n"),
      write('AGENTS.md', '# For agents\n\nGreet.\n'),
      edit('notes.md', 'It prints one word.', 'It prints `hello`, and nothing else.'),
      edit('src/config.mjs', 'count = 2', 'count = 20'),
      { tool: 'delete_file', args: { path: 'src/old.mjs' } },
      finishCall,
    ],
  },
];

function rowsOf(window: WorkbenchWindow): Locator {
  return window.page.locator('.scm-view .monaco-list-row');
}

function row(window: WorkbenchWindow, name: string): Locator {
  return rowsOf(window).filter({ has: window.page.locator('.label-name').getByText(name, { exact: true }) });
}

describe('a landing', () => {
  const used = useWorkbench({
    files: {
      ...greeterWorkspace(turns),
      'notes.md': notes,
      'src/config.mjs': config,
      'src/old.mjs': 'export {};\n',
    },
    settings: greeterSettings,
  });

  it('is told once the build has ended, and waits in the source control view', async () => {
    const { window, workbench } = used();
    await buildGreeter(window);
    await window.statusBarItem('Build complete').waitFor({ timeout: 60_000 });
    await window.notification('Landing ready: 6 files (green)').waitFor();
    await window.picture('landing-ready');
    await expect(workbench.server.read('greet.mjs')).rejects.toThrow('ENOENT');
    await window.answerNotification('Landing ready', 'Review');
    await window.editorTab(/Landing \(6 files\)/u).waitFor();
    await row(window, 'greet.mjs').waitFor();
    await window.page.locator('.multiDiffEntry').first().waitFor();
    await window.picture('landing-all');
  });

  it('shows what it would do to a file beside what the user has', async () => {
    const { window } = used();
    await row(window, 'notes.md').click();
    await window.editorTab(/notes\.md \(Yours ↔ Landing\)/u).waitFor();
    await window.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await window.picture('landing-diff');
  });

  it('shows a conflict as soon as the user changes the same lines, and no button to accept it', async () => {
    const { window, workbench } = used();
    await workbench.server.write('src/config.mjs', config.replace('count = 2', 'count = 3'));
    await row(window, 'config.mjs').click();
    await rowsOf(window).getByText('In Conflict with Your Changes').waitFor();
    const conflict = row(window, 'config.mjs');
    await conflict.hover();
    await expect(conflict.getByRole('button', { name: 'Accept File' }).count()).resolves.toBe(0);
    await window.picture('landing-conflict');
  });

  it.each(['light', 'dark', 'high-contrast', 'high-contrast-light'] as const)(
    'looks right in %s',
    async (theme) => {
      const { window } = used();
      await window.setTheme(theme);
      await row(window, 'notes.md').click();
      await window.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
      await window.picture(`landing-${theme}`);
    },
  );

  it('asks before a file lands that other programs obey, by name and reason', async () => {
    const { window, workbench } = used();
    const agents = row(window, 'AGENTS.md');
    await agents.hover();
    await agents.getByRole('button', { name: 'Accept File' }).click();
    await window
      .dialog('Other programs obey this file')
      .getByText('AGENTS.md: coding agents obey it')
      .waitFor();
    await window.picture('landing-approval');
    await window.answerDialog('Other programs obey this file', 'Cancel');
    await expect(workbench.server.read('AGENTS.md')).rejects.toThrow('ENOENT');
  });

  it('is there again after a reload, with what was decided, and can be undone', async () => {
    const { window, workbench } = used();
    const created = row(window, 'greet.mjs');
    await created.hover();
    await created.getByRole('button', { name: 'Accept File' }).click();
    await rowsOf(window).getByText('Decided').waitFor();
    await expect(workbench.server.read('greet.mjs')).resolves.toBe("console.log('hello');\n");
    await row(window, 'notes.md').click();
    await window.editorTab(/notes\.md \(Yours ↔ Landing\)/u).waitFor();
    await window.reload();
    await rowsOf(window).getByText('Decided').waitFor();
    await window.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await window.picture('landing-reloaded');
    await window.page
      .locator('.part.sidebar .composite.title')
      .getByRole('button', { name: 'More Actions' })
      .click();
    await window.page.getByRole('menuitem', { name: 'Undo Last Decision' }).click();
    await rowsOf(window).getByText('Decided').waitFor({ state: 'detached' });
    await expect(workbench.server.read('greet.mjs')).rejects.toThrow('ENOENT');
  });

  it('lands all that may land at once, says what stays, and is gone when nothing waits', async () => {
    const { window, workbench } = used();
    await window.page.locator('.part.sidebar').getByRole('button', { name: 'Accept All' }).click();
    await window.answerDialog('Other programs obey this file', 'Approve and Accept');
    await window.notification('src/config.mjs: You and the build have changed the same lines').waitFor();
    await window.notification('5 files accepted.').waitFor();
    await expect(workbench.server.read('notes.md')).resolves.toBe(
      notes.replace('one word.', '`hello`, and nothing else.'),
    );
    await expect(workbench.server.read('src/config.mjs')).resolves.toContain('count = 3');
    await expect(workbench.server.read('src/old.mjs')).rejects.toThrow('ENOENT');
    const conflict = row(window, 'config.mjs');
    await conflict.hover();
    await conflict.getByRole('button', { name: 'Discard File' }).click();
    await row(window, 'config.mjs').waitFor({ state: 'detached' });
    await window.picture('landing-gone');
    await expect(workbench.server.read('src/config.mjs')).resolves.toContain('count = 3');
  });
});

describe('a landing of a run that another window drives', () => {
  const used = useWorkbench({ files: greeterWorkspace(greeterTurns('sleep 25')), settings: greeterSettings });

  it('offers no decision', async () => {
    const { window, workbench } = used();
    await buildGreeter(window);
    await window.statusBarItem(/\d agent/u).waitFor();
    const second = await workbench.openWindow();
    await second.runCommand('Swarmwright: Resume');
    await second.statusBarItem('Build in another window').waitFor();
    await window.notification('Landing ready: 1 file (green)').waitFor({ timeout: 90_000 });
    await second.statusBarItem('Build complete').waitFor();
    await expect(second.paletteItems('Swarmwright: ')).resolves.toContain('Swarmwright: Build from Spec…');
    for (const command of ['Swarmwright: Accept All', 'Swarmwright: Undo Last Decision']) {
      await expect(second.paletteItems(command)).resolves.not.toContain(command);
    }
    await expect(window.paletteItems('Swarmwright: Accept All')).resolves.toContain(
      'Swarmwright: Accept All',
    );
  });
});
