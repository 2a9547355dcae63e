import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite, suiteSetup, suiteTeardown, test } from 'mocha';
import {
  commands,
  FileSystemError,
  Uri,
  window,
  workspace,
  ViewColumn,
  type TextDocument,
  type TextEditor,
} from 'vscode';
import type { RunEvent } from '#protocol/events.ts';
import { numbered, settled } from '#protocol/projection-samples.ts';
import { RemoteError } from '#protocol/rpc.ts';
import type { TaskChange, TranscriptPage } from '#protocol/runtime-api.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { FollowEnd } from '../../../extension/transcripts/follow-end.ts';
import { addressParts, type TranscriptAddress } from '../../../extension/transcripts/transcript-address.ts';
import { TranscriptDocuments } from '../../../extension/transcripts/transcript-documents.ts';

/** The scheme of the extension is taken by the one that is installed. */
const scheme = 'swarm-transcript-tested';
const store = '/stores/one';

function uriOf(address: TranscriptAddress): Uri {
  return Uri.from({ scheme, ...addressParts(address) });
}

function turn(number: number): TranscriptItem {
  const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 };
  return {
    kind: 'assistant',
    turn: number,
    callKey: `worker root/a 1 ${number}`,
    text: 'A line of what was said.\n'.repeat(20),
    toolCalls: [],
    stopReason: 'end',
    usage,
  };
}

/** A store as the runtime reads it, which the test writes. */
class WrittenStore {
  readonly items: TranscriptItem[] = [turn(1)];
  changes: readonly TaskChange[] = [];
  isLive = true;
  isGone = false;
  isOpen = true;
  /** The agents of the pages that were asked for. */
  readonly reads: string[] = [];
  /** An agent whose pages come when the promise is fulfilled. */
  slow: { readonly agent: string; readonly answer: Promise<void> } | undefined;

  async transcriptPage(_store: string, agent: string, from: number): Promise<TranscriptPage> {
    this.reads.push(agent);
    if (this.slow?.agent === agent) await this.slow.answer;
    if (this.isGone) {
      throw new RemoteError({ area: 'JournalError', code: 'no-store', message: 'none', details: {} });
    }
    return { items: this.items.slice(from), costs: [], isLive: this.isLive };
  }

  async changesOf(): Promise<readonly TaskChange[]> {
    if (this.isOpen) return this.changes;
    throw new RemoteError({ area: 'RunError', code: 'not-open', message: 'not open', details: {} });
  }
}

function called(task = 'root/a'): readonly RunEvent[] {
  return numbered([settled(`worker ${task} 1 2`, task)]);
}

async function open(agent: string): Promise<TextDocument> {
  return workspace.openTextDocument(uriOf({ kind: 'transcript', store, agent }));
}

function readsOf({ reads }: WrittenStore, agent: string): number {
  return reads.filter((one) => one === agent).length;
}

/** A document of another agent beside what is shown: when it is up to date, so would the others be. */
async function openMarker(agent: string): Promise<void> {
  await window.showTextDocument(await open(agent), { viewColumn: ViewColumn.Beside });
}

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > end) assert.fail('it has not come to that');
    await sleep(10);
  }
}

function lastVisible(editor: TextEditor): number {
  return editor.visibleRanges.at(-1)?.end.line ?? 0;
}

suite('documents of agents', () => {
  let written = new WrittenStore();
  const documents = new TranscriptDocuments(
    () => written,
    (error) => assert.fail(String(error)),
  );
  const registration = workspace.registerFileSystemProvider(scheme, documents, { isReadonly: true });

  suiteSetup(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
  });
  suiteTeardown(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    registration.dispose();
    documents.dispose();
  });

  test('are read-only Markdown', async () => {
    written = new WrittenStore();
    const document = await open('root/a@1');
    assert.equal(document.languageId, 'markdown');
    assert.match(document.getText(), /## Turn 1/u);
    assert.equal(workspace.fs.isWritableFileSystem(scheme), false);
    await assert.rejects(async () => workspace.fs.writeFile(document.uri, new Uint8Array()));
  });

  test('follow their agent while somebody looks, at most twice a second', async () => {
    written = new WrittenStore();
    const document = await open('root/a@2');
    await window.showTextDocument(document);
    written.reads.length = 0;
    const end = performance.now() + 2000;
    let number = 1;
    while (performance.now() < end) {
      number += 1;
      written.items.push(turn(number));
      documents.take(store, called());
      await sleep(20);
    }
    const updates = written.reads.length;
    assert.ok(updates >= 2 && updates <= 6, `${updates} updates in two seconds`);
    const last = `## Turn ${number}`;
    await until(() => document.getText().includes(last));
  });

  test('show no turn twice, however slow their store answers', async () => {
    written = new WrittenStore();
    const [agent, marker] = ['root/slow@1', 'root/b@1'];
    const document = await open(agent);
    await window.showTextDocument(document);
    await openMarker(marker);
    const answer = Promise.withResolvers<void>();
    written.slow = { agent, answer: answer.promise };
    written.reads.length = 0;
    written.items.push(turn(2), turn(3));
    // While the answer is on its way, others are updated more than once.
    for (const updates of [1, 2, 3]) {
      documents.take(store, [...called('root/slow'), ...called('root/b')]);
      await until(() => readsOf(written, agent) > 0 && readsOf(written, marker) >= updates);
    }
    assert.equal(readsOf(written, agent), 1);
    written.items.push(turn(4));
    answer.resolve();
    await until(() => document.getText().includes('## Turn 4'));
    const turns = document.getText().match(/^## Turn \d+$/gmu);
    assert.deepEqual(turns, ['## Turn 1', '## Turn 2', '## Turn 3', '## Turn 4']);
  });

  test('are left alone while nobody looks, and up to date when somebody does', async () => {
    written = new WrittenStore();
    const [agent, marker] = ['root/a@3', 'root/b@2'];
    const document = await open(agent);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await openMarker(marker);
    written.reads.length = 0;
    written.items.push(turn(2));
    for (const updates of [1, 2]) {
      documents.take(store, [...called(), ...called('root/b')]);
      await until(() => readsOf(written, marker) >= updates);
    }
    assert.equal(readsOf(written, agent), 0);
    await window.showTextDocument(document);
    await until(() => document.getText().includes('## Turn 2'));
    assert.equal(readsOf(written, agent), 1);
  });

  test('do not follow what others do', async () => {
    written = new WrittenStore();
    const [agent, marker] = ['root/a@4', 'root/b@3'];
    await window.showTextDocument(await open(agent));
    await openMarker(marker);
    written.reads.length = 0;
    for (const updates of [1, 2]) {
      documents.take('/stores/another', called());
      documents.take(store, called('root/b'));
      await until(() => readsOf(written, marker) >= updates);
    }
    assert.equal(readsOf(written, agent), 0);
  });

  test('stay at their end for as long as the user does', async () => {
    written = new WrittenStore();
    const follow = new FollowEnd(scheme);
    const document = await open('root/a@5');
    const editor = await window.showTextDocument(document);
    follow.start(editor);
    for (let number = 2; number <= 4; number += 1) written.items.push(turn(number));
    documents.take(store, called());
    await until(() => document.getText().includes('## Turn 4'));
    await until(() => lastVisible(editor) >= document.lineCount - 3);

    await commands.executeCommand('cursorTop');
    await until(() => (editor.visibleRanges[0]?.start.line ?? 99) === 0);
    written.items.push(turn(5));
    documents.take(store, called());
    await until(() => document.getText().includes('## Turn 5'));
    // What the editor is told, it does in turn: had it been told to go to the end, it would be there by now.
    await commands.executeCommand('cursorDown');
    await until(() => editor.selection.active.line === 1);
    assert.equal(editor.visibleRanges[0]?.start.line, 0);
    follow.dispose();
  });

  test('say that their store is gone', async () => {
    written = new WrittenStore();
    written.isGone = true;
    const document = await open('root/gone@1');
    assert.match(document.getText(), /store of this run is not there any more/u);
  });

  test('show both sides of a change, byte for byte, and an empty one where there is none', async () => {
    written = new WrittenStore();
    const after = new Uint8Array([0xff, 0x00, 0x0d, 0x0a]);
    written.changes = [{ path: 'src/a.bin', commit: '1f', before: undefined, after }];
    const side = { store, task: 'root/a', commit: '1f', path: 'src/a.bin' } as const;
    assert.deepEqual([...(await workspace.fs.readFile(uriOf({ kind: 'after', ...side })))], [...after]);
    assert.equal((await workspace.fs.readFile(uriOf({ kind: 'before', ...side }))).byteLength, 0);
    // A commit that came after the changes were first asked for.
    written.changes = [...written.changes, { path: 'src/b', commit: '2f', before: undefined, after }];
    const later = uriOf({ kind: 'after', ...side, commit: '2f', path: 'src/b' });
    assert.equal((await workspace.fs.readFile(later)).byteLength, 4);
  });

  test('say that the run of a change is not open', async () => {
    written = new WrittenStore();
    written.isOpen = false;
    const uri = uriOf({ kind: 'after', store, task: 'root/closed', commit: '1f', path: 'a' });
    await assert.rejects(
      async () => workspace.fs.readFile(uri),
      (error) => error instanceof FileSystemError && /not open/u.test(error.message),
    );
  });
});

/** The extension's own document. */
async function openIn(folder: string): Promise<TextDocument> {
  const address = addressParts({ kind: 'transcript', store: folder, agent: 'root@1' });
  return workspace.openTextDocument(Uri.from({ scheme: 'swarm-transcript', ...address }));
}

suite('documents of the extension itself', () => {
  test('say that a store is gone, which the runtime has looked for', async () => {
    const document = await openIn(join(process.env['SWARMWRIGHT_STATE'] ?? '', 'runs', 'shop', 'gone'));
    assert.match(document.getText(), /store of this run is not there any more/u);
  });

  test('read no store that lies elsewhere, whoever has written its address', async () => {
    await assert.rejects(async () => openIn('/stores/of-another'), /not open/u);
  });
});
