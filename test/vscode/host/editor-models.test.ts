import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { setup, suite, test } from 'mocha';
import { commands, EventEmitter, lm, type LanguageModelAccessInformation } from 'vscode';
import { plannerPrompt } from '#agents/prompts/planner-prompt.ts';
import type { HostChatEvent } from '#protocol/host-models.ts';
import type { ChatMessage, ChatRequest } from '#protocol/models.ts';
import { toolCallId } from '#models/playbook/call-keys.ts';
import { HostModelError } from '../../../extension/editor-models/chat-failure.ts';
import { EditorModels } from '../../../extension/editor-models/editor-models.ts';

interface SeenRequest {
  readonly key: string | undefined;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly string[];
}

const { system, user } = plannerPrompt({
  task: 'root',
  attempt: 1,
  goal: 'Build it.',
  acceptance: [],
  scope: ['**'],
  shared: [],
  sections: [],
  decisions: [],
  dependencies: [],
  fieldGuide: { folder: 'field-guide', indexLines: 1, folderLines: 1, index: '' },
  outline: [],
  decides: [],
  files: '',
  tasksLeft: 1,
  depthLeft: 1,
});
const opening: readonly ChatMessage[] = [
  { role: 'system', text: system },
  { role: 'user', text: user },
];
const name = 'swarmwright-test/large';

function request(messages: readonly ChatMessage[] = opening, maxOutputTokens = 16_000): ChatRequest {
  const tools = [{ name: 'plan', description: 'plans', parameters: { type: 'object', properties: {} } }];
  return { messages, tools, maxOutputTokens, callKey: 'planner root 1 1', account: 'root' };
}

/** The user has allowed it. */
const allowed: LanguageModelAccessInformation = {
  onDidChange: new EventEmitter<void>().event,
  canSendRequest: () => true,
};

async function seen(): Promise<readonly SeenRequest[]> {
  return commands.executeCommand('swarmwright-test.requests');
}

async function misbehave(how: string, calls = 1): Promise<void> {
  await commands.executeCommand('swarmwright-test.misbehave', how, calls);
}

suite('models of the editor', () => {
  let told: HostChatEvent[] = [];
  let models = new EditorModels(allowed, (_call, event) => told.push(event));
  setup(async () => {
    models.dispose();
    told = [];
    models = new EditorModels(allowed, (_call, event) => told.push(event));
    await commands.executeCommand('swarmwright-test.addModels');
  });

  async function failure(messages = opening): Promise<HostModelError> {
    try {
      await models.chat('1', name, request(messages));
    } catch (error) {
      assert.ok(HostModelError.is(error), String(error));
      return error;
    }
    return assert.fail('it has answered');
  }

  test('are listed as they are chosen', async () => {
    const listed = await models.list();
    assert.ok(listed.some(({ choice, label }) => choice === `vscode/${name}` && label === 'Playbook large'));
  });

  test('answer in parts, with a usage that is called estimated', async () => {
    const end = await models.chat('1', name, request());
    assert.equal(end.events, told.length);
    assert.equal(end.stopReason, 'tool-calls');
    assert.equal(end.usage.estimated, true);
    assert.ok(end.usage.inputTokens > 0 && end.usage.outputTokens > 0);
    assert.ok(told.some((event) => event.kind === 'tool-call'));
  });

  test('are told what the agent was told, its calls and their results', async () => {
    await models.chat('1', name, request());
    const calls = told.flatMap((event) => (event.kind === 'tool-call' ? [event.call] : []));
    const results = calls.map(({ id }): ChatMessage => ({
      role: 'tool',
      callId: id,
      text: 'outcome=recorded decision=x@1',
    }));
    const answer: ChatMessage = { role: 'assistant', text: '', toolCalls: calls };
    // What the results say is not what the playbook expects, which it only says once it has seen them.
    await models.chat('2', name, request([...opening, answer, ...results])).catch(() => undefined);
    const last = (await seen()).at(-1);
    assert.equal(last?.key, 'planner root 1 2');
    assert.deepEqual(last.tools, ['plan']);
    assert.deepEqual(
      last.messages.map(({ role }) => role),
      ['user', 'user', 'assistant', ...results.map(() => 'tool')],
    );
    assert.equal(calls[0]?.id, toolCallId('planner root 1 1', 0));
  });

  test('fail in words that the runtime knows', async () => {
    await misbehave('blocked');
    assert.equal((await failure()).code, 'quota');
    await misbehave('no-permissions');
    assert.equal((await failure()).code, 'auth');
    await misbehave('plain-error');
    assert.equal((await failure()).code, 'overloaded');
    await misbehave('broken-stream');
    const broken = await failure();
    assert.equal(broken.code, 'network');
    assert.equal(broken.details['mayHaveCost'], 1);
  });

  test('that are removed in the middle of a run are missing, until they are back', async () => {
    await models.chat('1', name, request());
    await commands.executeCommand('swarmwright-test.removeModels');
    const { code, details } = await failure();
    assert.equal(code, 'unknown-model');
    assert.equal(details['removed'], 'true');
    await commands.executeCommand('swarmwright-test.addModels');
    await models.chat('2', name, request());
  });

  test('that stall are stopped by a cancellation, and that is no answer', async () => {
    await misbehave('stall');
    const stopped = failure();
    while (told.length === 0) await sleep(5);
    models.cancelChat('1');
    assert.equal((await stopped).code, 'broken-stream');
  });

  test('are let go when the runtime is gone', async () => {
    await misbehave('stall');
    const stopped = failure();
    while (told.length === 0) await sleep(5);
    models.cancelAll();
    assert.equal((await stopped).code, 'broken-stream');
  });

  test('are stopped when they answer more than they may', async () => {
    const end = await models.chat('1', name, request(opening, 5));
    assert.equal(end.stopReason, 'length');
    assert.equal(end.usage.outputTokens, 5);
  });

  test('are not sent what they would cut off', async () => {
    const before = (await seen()).length;
    const [model] = await lm.selectChatModels({ vendor: 'swarmwright-test', id: 'large' });
    assert.ok(model);
    // It takes less than it states, and more than it can be trusted with.
    const long = 'word '.repeat(Math.floor((model.maxInputTokens * 0.8 * 4) / 5));
    const { code, details } = await failure([...opening, { role: 'user', text: long }]);
    assert.equal(code, 'context-overflow');
    assert.equal(details['mayHaveCost'], 0);
    assert.equal((await seen()).length, before);
  });

  test('are asked for once, by a short request, when the user was not asked before', async () => {
    const before = (await seen()).length;
    const answers = [undefined, true];
    const asking = new EditorModels({ ...allowed, canSendRequest: () => answers.shift() }, () => undefined);
    await asking.ask([`vscode/${name}`, 'openai/gpt-5', `vscode/${name}`]);
    await asking.ask([`vscode/${name}`]);
    asking.dispose();
    const requests = (await seen()).slice(before);
    assert.deepEqual(
      requests.map(({ messages }) => messages),
      [[{ role: 'user', text: 'Answer with OK.' }]],
    );
  });
});
