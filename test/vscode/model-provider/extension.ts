/**
 * A language model chat provider for the tests: its models play the playbook that `SWARMWRIGHT_TEST_PLAYBOOK` names, from
 * nothing but what a provider is sent. Turns with barriers wait for the facts of the newest run below
 * `SWARMWRIGHT_STATE`.
 */
import { commands, lm, window, type Disposable, type ExtensionContext } from 'vscode';
import { nodeFileSystem } from '#edges/file-system.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import { FollowedFacts } from '../../loopback/followed-facts.ts';
import { misbehaviours, type Misbehaviour } from './misbehaviour.ts';
import { PlaybookProvider } from './playbook-provider.ts';

export async function activate(context: ExtensionContext): Promise<void> {
  const playbook = await loadPlaybook(variable('SWARMWRIGHT_TEST_PLAYBOOK'), nodeFileSystem);
  const facts = new FollowedFacts({ state: variable('SWARMWRIGHT_STATE') });
  const provider = new PlaybookProvider(playbook, facts);
  let registration: Disposable | undefined;
  const add = (): void => {
    registration ??= lm.registerLanguageModelChatProvider('swarmwright-test', provider);
  };
  const remove = (): void => {
    registration?.dispose();
    registration = undefined;
  };
  add();
  context.subscriptions.push(
    { dispose: remove },
    commands.registerCommand('swarmwright-test.addModels', add),
    commands.registerCommand('swarmwright-test.removeModels', remove),
    commands.registerCommand('swarmwright-test.misbehave', async (how?: Misbehaviour, calls = 1) => {
      const picked = how ?? (await window.showQuickPick(misbehaviours));
      const known = misbehaviours.find((name) => name === picked);
      if (known !== undefined) provider.misbehave(known, calls);
    }),
    commands.registerCommand('swarmwright-test.requests', () => provider.requests),
    { dispose: () => void facts.close() },
  );
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
