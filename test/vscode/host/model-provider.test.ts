import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import {
  CancellationTokenSource,
  commands,
  LanguageModelChatMessage,
  lm,
  type LanguageModelChat,
} from 'vscode';
import { plannerPrompt } from '#agents/prompts/planner-prompt.ts';

async function models(): Promise<readonly LanguageModelChat[]> {
  return await lm.selectChatModels({ vendor: 'swarmwright-test' });
}

suite('the test provider of language models', () => {
  test("plays the playbook's turn for what a planner is told", async () => {
    const [model] = await models();
    assert.ok(model, 'there is a model');
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
    const token = new CancellationTokenSource().token;
    const messages = [LanguageModelChatMessage.User(system), LanguageModelChatMessage.User(user)];
    const response = await model.sendRequest(messages, { justification: 'a test' }, token);
    const parts: unknown[] = [];
    for await (const part of response.stream) parts.push(part);
    assert.ok(parts.length > 0);
    const requests: readonly { readonly key: string }[] =
      await commands.executeCommand('swarmwright-test.requests');
    assert.equal(requests.at(-1)?.key, 'planner root 1 1');
  });

  test('its models can be taken away and come back', async () => {
    await commands.executeCommand('swarmwright-test.removeModels');
    assert.equal((await models()).length, 0);
    await commands.executeCommand('swarmwright-test.addModels');
    assert.equal((await models()).length, 2);
  });
});
