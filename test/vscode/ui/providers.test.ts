import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { contentOf, type FolderContent } from '../../command-line/project.ts';
import { startLoopbackProcess, type LoopbackProcess } from '../../loopback/loopback-process.ts';
import type { UserSettings } from '../settings.ts';
import type { WorkbenchWindow } from '../workbench.ts';
import { closeWindow, useWorkbench } from './use-workbench.ts';
import { tasksInDashboard, tasksInTree } from './shown-tasks.ts';
import {
  buildWordTools,
  builtByCommandLine,
  inOrder,
  openWordTools,
  pacedPlaybook,
  playbookAnswers,
  row,
  typed,
  wordToolsWorkspace,
  type Answers,
} from './word-tools.ts';

const playbook = await pacedPlaybook(3);
const key = 'sk-of-the-loopback-server';
/** On a machine that is busy. */
const runLimit = 60_000;
const pollLimit = { timeout: 30_000 };

interface Case {
  readonly name: string;
  /** On top of those that all have. */
  readonly settings?: UserSettings;
  /** Before the build; the palette is the user's way. */
  readonly prepare?: (window: WorkbenchWindow) => Promise<void>;
  readonly answers: Answers;
  /** The models that the tree names. */
  readonly models: { readonly planner: string; readonly worker: string };
}

function setKey(provider: string) {
  return async (window: WorkbenchWindow): Promise<void> => {
    await window.runCommand('Swarmwright: Set API Key…');
    await inOrder(row(provider), typed('It is kept in the secret storage', key))(window);
    await window.statusBarItem(`The key of ${provider} is set`).waitFor();
  };
}

/** What a server at an address of the user's asks for a model, nobody knows. */
const noBudget = row('Go on without a budget');

const cases: readonly Case[] = [
  {
    name: 'anthropic',
    prepare: setKey('Anthropic'),
    answers: {
      models: [
        row('anthropic/claude-sonnet-5-5'),
        inOrder(row('A model of Anthropic…'), typed('The name of the model', 'claude-haiku-4-5')),
        row("The planner's model"),
      ],
      budget: noBudget,
    },
    models: { planner: 'claude-sonnet-5-5', worker: 'claude-haiku-4-5' },
  },
  {
    // Its key is asked for when one of its models is chosen.
    name: 'openai',
    answers: {
      models: [
        inOrder(
          row('A model of OpenAI…'),
          typed('It is kept in the secret storage', key),
          typed('The name of the model', 'gpt-5.4'),
        ),
        row('openai/gpt-5.4-mini'),
        row('openai/gpt-5.4-mini'),
      ],
      budget: noBudget,
    },
    models: { planner: 'gpt-5.4', worker: 'gpt-5.4-mini' },
  },
  {
    name: 'compatible',
    prepare: setKey('OpenAI-compatible server'),
    answers: {
      models: [
        inOrder(row('A model of OpenAI-compatible server…'), typed('The name of the model', 'large-local')),
        inOrder(row('A model of OpenAI-compatible server…'), typed('The name of the model', 'small-local')),
        row("The planner's model"),
      ],
      budget: noBudget,
    },
    models: { planner: 'large-local', worker: 'small-local' },
  },
  {
    name: 'editor',
    answers: {
      models: [row('Playbook large'), row('Playbook small'), row("The planner's model")],
      budget: noBudget,
    },
    models: { planner: 'swarmwright-test/large', worker: 'swarmwright-test/small' },
  },
  {
    name: 'playbook',
    settings: { 'swarmwright.playbook': playbook },
    answers: playbookAnswers(playbook),
    models: { planner: 'Word tools', worker: 'Word tools' },
  },
];

/** Builds, and watches until what lands waits. */
async function watch(
  { window, folder }: { window: WorkbenchWindow; folder: string },
  { answers, models }: Pick<Case, 'answers' | 'models'>,
): Promise<void> {
  await window.showContainer('Swarmwright');
  await window.runCommand('Swarmwright: Open Dashboard');
  await window.webview().getByText('No run is open in this window.').waitFor();
  await buildWordTools(window, folder, answers);
  const dashboard = window.webview();
  const limit = { timeout: runLimit };
  await Promise.all([
    window.treeItem(new RegExp(`^sort, worker, working, ${models.worker}`, 'u')).waitFor(limit),
    window
      .treeItem(new RegExp(`^Word tools, planner, waits for its tasks, ${models.planner}`, 'u'))
      .waitFor(limit),
    dashboard.getByRole('treeitem', { name: /^sort\s+worker\s+working/u }).waitFor(limit),
    dashboard.getByRole('treeitem', { name: /^table\s+worker\s+done/u }).waitFor(limit),
  ]);
  await window.picture(`providers-${basename(folder)}`);
  await window.statusBarItem('Build complete').waitFor(limit);
  const names = [
    'count worker',
    'letters planner',
    'reverse worker',
    'shout worker',
    'sort worker',
    'table worker',
  ];
  const tasks = ['Word tools planner', ...names].map((task) => `${task} done`);
  await expect.poll(async () => tasksInTree(window), pollLimit).toEqual(tasks);
  await expect.poll(async () => tasksInDashboard(window), pollLimit).toEqual(tasks);
}

describe('the same tree comes out of every provider', () => {
  const used = useWorkbench({ modelPlaybook: playbook, browser: { width: 1400, height: 900 } });
  let loopback: LoopbackProcess;
  let expected: FolderContent;

  beforeAll(async () => {
    const { server } = used().workbench;
    loopback = await startLoopbackProcess([
      '--playbook',
      playbook,
      '--state',
      server.state,
      '--api-key',
      key,
    ]);
    const { url } = loopback;
    await server.setMachineSettings({
      'swarmwright.baseUrls': { anthropic: url, openai: url, compatible: url },
    });
    expected = await builtByCommandLine(playbook);
  });
  afterAll(async () => {
    await loopback.close();
  });

  it.each(cases)('$name', async ({ name, settings = {}, prepare, answers, models }) => {
    await used().workbench.server.changeSettings(settings);
    const opened = await openWordTools(used().workbench, name);
    onTestFinished(async ({ task }) => closeWindow(opened.window, task));
    await prepare?.(opened.window);
    await watch(opened, { answers, models });
    const { window, folder } = opened;
    expect(Object.keys(await contentOf(folder))).toEqual(Object.keys(wordToolsWorkspace));
    await window.answerNotification(/Landing ready: \d+ files \(green\)/u, 'Accept All');
    await expect.poll(async () => contentOf(folder), pollLimit).toEqual(expected);
  });
});
