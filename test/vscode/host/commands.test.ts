import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, suiteSetup, teardown, test } from 'mocha';
import { commands, extensions, workspace } from 'vscode';
import { greeterTurns } from '../../command-line/greeter.ts';
import {
  build,
  eventTypes,
  greeterProject,
  statusAtEnd,
  statusOf,
  storeOf,
  untilEvent,
  type CommandResult,
} from './build-fixture.ts';

function settledCalls(types: readonly string[]): number {
  return types.filter((type) => type === 'call.settled').length;
}

suite('commands', () => {
  suiteSetup(async () => {
    await extensions.getExtension('swarmwright.swarmwright')?.activate();
  });
  teardown(async () => {
    await commands.executeCommand('swarmwright.stop');
  });

  test('build to green from an argument object, with a specification outside of the workspace', async () => {
    const store = storeOf(await build(await greeterProject()));
    assert.equal(await statusAtEnd(store), 'green');
  });

  test('change nothing in the workspace before it is reviewed', async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    assert.equal(await statusAtEnd(storeOf(await build(await greeterProject()))), 'green');
    await assert.rejects(readFile(join(folder.uri.fsPath, 'greet.mjs')), { code: 'ENOENT' });
  });

  test('stop a run, which is resumed and ends green', async () => {
    const store = storeOf(await build(await greeterProject(greeterTurns('sleep 7'))));
    await untilEvent(store, 'task.started', 2);
    await commands.executeCommand('swarmwright.stop');
    assert.equal((await statusOf(store))['status'], 'interrupted');
    const resumed = await commands.executeCommand<CommandResult>('swarmwright.resume');
    assert.deepEqual(resumed, { kind: 'started', store });
    assert.equal(await statusAtEnd(store, 2), 'green');
  });

  test('pause a run, which makes no call until it goes on', async () => {
    const store = storeOf(await build(await greeterProject(greeterTurns('sleep 7'))));
    await untilEvent(store, 'task.started', 2);
    await commands.executeCommand('swarmwright.pause');
    await untilEvent(store, 'command.ran');
    const before = settledCalls(await eventTypes(store));
    assert.equal((await statusOf(store))['active'], true);
    await commands.executeCommand('swarmwright.resume');
    assert.equal(await statusAtEnd(store), 'green');
    const types = await eventTypes(store);
    assert.deepEqual(
      types.filter((type) => type === 'run.paused' || type === 'run.continued'),
      ['run.paused', 'run.continued'],
    );
    assert.equal(settledCalls(types.slice(0, types.indexOf('run.continued'))), before);
  });

  test('start no second run beside one that is running', async () => {
    const store = storeOf(await build(await greeterProject(greeterTurns('sleep 7'))));
    const second = await build(await greeterProject());
    assert.match(second.reason ?? '', /running in this window/u);
    await commands.executeCommand('swarmwright.stop');
    assert.equal((await statusOf(store))['status'], 'interrupted');
  });

  test('start a new run when the one before has ended', async () => {
    const first = storeOf(await build(await greeterProject()));
    assert.equal(await statusAtEnd(first), 'green');
    const second = storeOf(await build(await greeterProject()));
    assert.notEqual(first, second);
    assert.equal(await statusAtEnd(second), 'green');
  });

  test('go on with a run of the workspace that was started before', async () => {
    const store = storeOf(await build(await greeterProject(greeterTurns('sleep 7'))));
    await untilEvent(store, 'task.started', 2);
    await commands.executeCommand('swarmwright.stop');
    assert.equal(await statusAtEnd(storeOf(await build(await greeterProject()))), 'green');
    const resumed = await commands.executeCommand<CommandResult>('swarmwright.resume', { store });
    assert.deepEqual(resumed, { kind: 'started', store });
    assert.equal(await statusAtEnd(store, 2), 'green');
  });
});

suite('bad input of a build', () => {
  const refusals: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
    ['arguments that are not known', { unsandboxed: true }, /"unsandboxed" is not known/u],
    [
      'a specification that is not there',
      { spec: '/nowhere/spec.md' },
      /no specification at \/nowhere\/spec\.md/u,
    ],
    ['no model and no playbook', { playbook: '', models: {} }, /No model is chosen for the planner/u],
    ['a provider without a key', { models: { planner: 'openai/gpt-5.4-mini' } }, /OpenAI needs an API key/u],
    ['a provider that is not known', { models: { planner: 'acme/large' } }, /no provider "acme"/u],
    [
      'a model of the editor that is not there',
      { models: { planner: 'vscode/nobody/none' }, playbook: '' },
      /vscode|model/u,
    ],
    [
      'fewer agents than the playbook needs',
      { concurrency: 1 },
      /needs 2 agents at once, and 1 are allowed/u,
    ],
    ['a playbook that is not there', { playbook: '/nowhere/playbook.yaml' }, /playbook/u],
  ];
  for (const [what, more, reason] of refusals) {
    test(`${what} is refused with what to do`, async () => {
      const result = await build(await greeterProject(), more);
      assert.equal(result.kind, 'refused');
      assert.match(result.reason ?? '', reason);
    });
  }

  test('a playbook that is malformed is refused with what is wrong', async () => {
    const project = await greeterProject();
    await writeFile(join(project, 'playbook.yaml'), 'title: [');
    const result = await build(project);
    assert.match(result.reason ?? '', /The playbook is malformed/u);
  });

  test('a refusal leaves the run that was shown as it is', async () => {
    const store = storeOf(await build(await greeterProject(greeterTurns('sleep 7'))));
    await untilEvent(store, 'task.started', 2);
    await commands.executeCommand('swarmwright.stop');
    assert.equal((await build(await greeterProject(), { spec: '/nowhere' })).kind, 'refused');
    const refused = await commands.executeCommand<CommandResult>('swarmwright.resume', {
      models: { worker: 'openai/gpt-5.4-mini' },
    });
    assert.match(refused.reason ?? '', /OpenAI needs an API key/u);
    const resumed = await commands.executeCommand<CommandResult>('swarmwright.resume');
    assert.deepEqual(resumed, { kind: 'started', store });
    assert.equal(await statusAtEnd(store, 2), 'green');
  });
});
