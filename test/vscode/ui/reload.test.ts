import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { contentOf, type FolderContent } from '../../command-line/project.ts';
import { wordTools } from '../../faults/example.ts';
import { noDamage, readOutcome } from '../../faults/outcome.ts';
import { startLoopbackProcess, type LoopbackProcess } from '../../loopback/loopback-process.ts';
import { testExtensionVsix } from '../test-extension.ts';
import type { Workbench, WorkbenchWindow } from '../workbench.ts';
import { closeWindow, useWorkbench } from './use-workbench.ts';
import {
  buildWordTools,
  builtByCommandLine,
  inOrder,
  openWordTools,
  row,
  typed,
  type Answers,
} from './word-tools.ts';

/** On a machine that is busy. */
const limit = { timeout: 60_000 };
const local = inOrder(row('A model of OpenAI-compatible server…'), typed('The name of the model', 'local'));
const answers: Answers = {
  models: [local, local, row("The planner's model")],
  budget: row('Go on without a budget'),
};
/** This call is not answered, so that the others are done and one is in flight when the run is cut off. */
const heldCall = 'worker root/sort 1 2';

interface Case {
  readonly what: string;
  readonly cutOff: (window: WorkbenchWindow, workbench: Workbench) => Promise<void>;
  /** With which the way on is offered. */
  readonly offer: string;
}

const cases: readonly Case[] = [
  {
    what: 'the window is reloaded',
    cutOff: async (window) => window.reload(),
    offer: 'was cut off',
  },
  {
    what: 'the extension host is killed',
    cutOff: async (window, { server }) => {
      server.killExtensionHosts();
      await window.reload();
    },
    offer: 'was cut off',
  },
  {
    what: "the runtime's thread dies",
    cutOff: async (window) => window.runCommand('Swarmwright Test: End Runtime Thread'),
    offer: 'The runtime has stopped unexpectedly',
  },
];

/** The folders of the newest runs, one a workspace. */
async function newestStores(state: string): Promise<readonly string[]> {
  const runs = join(state, 'runs');
  const workspaces = await readdir(runs).catch(() => []);
  return Promise.all(
    workspaces.map(async (name) => (await readFile(join(runs, name, 'latest'), 'utf8')).trim()),
  );
}

describe('in mid-run', () => {
  const used = useWorkbench({ extensions: [testExtensionVsix('thread-end')] });
  let loopback: LoopbackProcess;
  let expected: FolderContent;

  beforeAll(async () => {
    const { server } = used().workbench;
    loopback = await startLoopbackProcess(['--playbook', wordTools.playbook, '--state', server.state]);
    await server.setMachineSettings({ 'swarmwright.baseUrls': { compatible: loopback.url } });
    expected = await builtByCommandLine(wordTools.playbook);
  });
  afterAll(async () => {
    await loopback.close();
  });

  it.each(cases)(
    '$what: it is offered to resume, and the same tree comes out',
    async ({ what, cutOff, offer }) => {
      const { workbench } = used();
      const before = await newestStores(workbench.server.state);
      const { window, folder } = await openWordTools(workbench, what.replaceAll(/\W+/gu, '-'));
      onTestFinished(async ({ task }) => closeWindow(window, task));
      await loopback.order({ how: { kind: 'no-answer' }, which: { keys: [heldCall] } });
      await window.showContainer('Swarmwright');
      await buildWordTools(window, folder, answers);
      await window.treeItem(/^count, worker, done/u).waitFor(limit);
      await window.treeItem(/^sort, worker, working/u).waitFor(limit);

      await cutOff(window, workbench);
      await window.notification(offer).first().waitFor(limit);
      await window.statusBarItem(/Build (?:was cut off|stopped)/u).waitFor(limit);
      await window.picture(`reload-${what.replaceAll(/\W+/gu, '-')}`);
      await loopback.order({});
      await window.answerNotification(offer, 'Resume');

      await window.statusBarItem('Build complete').waitFor(limit);
      await window.answerNotification(/Landing ready/u, 'Accept All');
      await expect.poll(async () => contentOf(folder), limit).toEqual(expected);
      const stores = await newestStores(workbench.server.state);
      const store = stores.find((path) => !before.includes(path));
      const { damage, result } = await readOutcome(store ?? '', folder);
      expect(damage).toEqual(noDamage);
      expect(result.conflicts).toMatchObject({ raised: 1, resolved: 1, open: 0 });
    },
  );
});
