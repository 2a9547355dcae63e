import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite, suiteSetup, test } from 'mocha';
import { commands, extensions, MarkdownString, TreeItemCollapsibleState, window } from 'vscode';
import type { RunEventBody } from '#protocol/events.ts';
import {
  begun,
  created,
  ended,
  fold,
  numbered,
  settled,
  reserved,
  slept,
  started,
  tree as samples,
} from '#protocol/projection-samples.ts';
import type { AgentNode } from '../../../extension/agents/agent-nodes.ts';
import { AgentsTree } from '../../../extension/agents/agents-tree.ts';
import { RunView } from '../../../extension/run-view.ts';

async function refuse(): Promise<never> {
  throw new Error('nothing is missed');
}

function viewOf(...bodies: readonly RunEventBody[]): RunView {
  const projection = fold(...bodies);
  return new RunView(
    { store: '/store', version: projection.version, mode: 'driving' },
    projection,
    { events: refuse, snapshot: refuse },
    {
      failed: (error) => assert.fail(String(error)),
      replaced: () => assert.fail('nothing contradicts itself'),
    },
  );
}

function task(path: string, tree: AgentsTree): AgentNode {
  const found = find(tree.getChildren());
  assert.ok(found, `${path} is in the tree`);
  return found;

  function find(nodes: readonly AgentNode[]): AgentNode | undefined {
    for (const node of nodes) {
      if (node.kind === 'task' && node.path === path) return node;
      const below = find(tree.getChildren(node));
      if (below) return below;
    }
    return undefined;
  }
}

/** The most processor time in milliseconds that this thread spent between two ticks of a timer, while `work` ran. */
async function longestBlock(work: () => Promise<void>): Promise<number> {
  let worst = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    worst = Math.max(worst, (user + system) / 1000);
    last = process.threadCpuUsage();
  }, 5);
  await work();
  clearInterval(timer);
  return worst;
}

suite('the tree of agents', () => {
  suiteSetup(async () => {
    await extensions.getExtension('swarmwright.swarmwright')?.activate();
  });

  test('says of a task what it is, how it stands and what it has spent', () => {
    const tree = new AgentsTree();
    tree.show(
      viewOf(...samples, started('root/b'), reserved('k', 'root/b'), settled('k', 'root/b', 100, 0.42)),
    );
    const item = tree.getTreeItem(task('root/b', tree));
    assert.equal(item.label, 'b');
    assert.equal(item.description, 'working · small · $0.42');
    assert.equal(item.accessibilityInformation?.label, 'b, worker, working, small, $0.42');
    assert.equal(item.contextValue, 'task started');
    const root = tree.getTreeItem(task('root', tree));
    assert.equal(root.label, 'Spec');
    assert.match(String(root.description), /\$0\.42$/);
  });

  test('opens the frontier and closes what is finished', () => {
    const tree = new AgentsTree();
    tree.show(
      viewOf(
        ...samples,
        created('root/c', 'planner'),
        started('root/a'),
        slept('root/a'),
        started('root/a/x'),
        ended('root/a/x'),
        ended('root/a'),
      ),
    );
    const stateOf = (path: string): TreeItemCollapsibleState | undefined =>
      tree.getTreeItem(task(path, tree)).collapsibleState;
    assert.equal(stateOf('root'), TreeItemCollapsibleState.Expanded);
    assert.equal(stateOf('root/a'), TreeItemCollapsibleState.Collapsed);
    assert.equal(stateOf('root/c'), TreeItemCollapsibleState.Expanded);
    assert.equal(stateOf('root/b'), TreeItemCollapsibleState.None);
  });

  test('shows what models wrote as text', () => {
    const tree = new AgentsTree();
    const goal = 'do ![x](https://example.com/x.png) [run](command:workbench.action.quit) <img src=x>';
    const [spec] = [created('root/d')];
    assert.equal(spec.type, 'task.created');
    if (spec.type !== 'task.created') return;
    tree.show(viewOf(...samples, { ...spec, spec: { ...spec.spec, goal } }));
    const node = task('root/d', tree);
    const { tooltip } = tree.resolveTreeItem(tree.getTreeItem(node), node);
    assert.ok(tooltip instanceof MarkdownString);
    assert.ok(!tooltip.isTrusted);
    assert.ok(!tooltip.supportHtml);
    assert.doesNotMatch(tooltip.value, /(?<!\\)!\[/u);
    assert.doesNotMatch(tooltip.value, /\]\(command:/u);
  });

  test('is drawn at most four times a second, and not at all while nobody sees it', async () => {
    const tree = new AgentsTree();
    const view = viewOf(...samples, started('root/b'));
    tree.show(view);
    task('root/b', tree);
    let drawn = 0;
    tree.onDidChangeTreeData(() => {
      drawn += 1;
    });
    const work = async (): Promise<void> => {
      const end = performance.now() + 1000;
      while (performance.now() < end) {
        const command: RunEventBody = {
          type: 'command.ran',
          task: 'root/b',
          command: 'x',
          exitCode: 0,
          milliseconds: 1,
          rerun: false,
        };
        view.take(numbered([command], view.state.version + 1));
        await sleep(5);
      }
    };
    await work();
    assert.equal(drawn, 0);
    tree.see(true);
    await work();
    assert.ok(drawn >= 1 && drawn <= 5, `drawn ${drawn} times in a second`);
  });

  // Processor time: what other processes take from the machine is not ours.
  test('does not block the host with ten thousand tasks', async () => {
    const workers = Array.from({ length: 10_000 }, (_, index) => created(`root/w${index}`));
    const view = viewOf(begun, created('root', 'planner'), started('root'), ...workers);
    const tree = new AgentsTree();
    const treeView = window.createTreeView('swarmwright.agents', { treeDataProvider: tree });
    await commands.executeCommand('workbench.view.extension.swarmwright');
    tree.see(true);
    let drawn = 0;
    tree.onDidChangeTreeData(() => {
      drawn += 1;
    });
    tree.show(view);
    await sleep(1500);
    const worst = await longestBlock(async () => {
      for (let index = 0; index < 300; index += 1) {
        const path = `root/w${9999 - index}`;
        view.take(numbered([started(path), reserved(`k${index}`, path)], view.state.version + 1));
        await sleep(10);
      }
    });
    treeView.dispose();
    assert.ok(drawn > 5, `drawn ${drawn} times`);
    assert.ok(worst < 50, `the host was blocked for ${worst} ms`);
  });
});
