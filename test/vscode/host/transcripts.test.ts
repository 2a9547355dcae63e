import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite, suiteSetup, suiteTeardown, test } from 'mocha';
import {
  commands,
  FileSystemError,
  Uri,
  window,
  workspace,
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
  reads = 0;

  async transcriptPage(_store: string, _agent: string, from: number): Promise<TranscriptPage> {
    this.reads += 1;
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

function called(): readonly RunEvent[] {
  return numbered([settled('worker root/a 1 2', 'root/a')]);
}

async function open(agent: string): Promise<TextDocument> {
  return workspace.openTextDocument(uriOf({ kind: 'transcript', store, agent }));
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
    written.reads = 0;
    const end = performance.now() + 2000;
    let number = 1;
    while (performance.now() < end) {
      number += 1;
      written.items.push(turn(number));
      documents.take(store, called());
      await sleep(20);
    }
    assert.ok(written.reads >= 2 && written.reads <= 6, `${written.reads} updates in two seconds`);
    const last = `## Turn ${number}`;
    await until(() => document.getText().includes(last));
  });

  test('are left alone while nobody looks', async () => {
    written = new WrittenStore();
    await open('root/a@3');
    await commands.executeCommand('workbench.action.closeAllEditors');
    await sleep(200);
    written.reads = 0;
    for (let count = 0; count < 20; count += 1) {
      documents.take(store, called());
      await sleep(50);
    }
    assert.equal(written.reads, 0);
  });

  test('do not follow what others do', async () => {
    written = new WrittenStore();
    await window.showTextDocument(await open('root/a@4'));
    await sleep(700);
    written.reads = 0;
    documents.take(store, numbered([settled('worker root/b 1 1', 'root/b')]));
    documents.take('/stores/another', called());
    await sleep(700);
    assert.equal(written.reads, 0);
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
    await sleep(300);
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

suite('documents of the extension itself', () => {
  test('say that a store is gone, which the runtime has looked for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-store-'));
    try {
      const address = addressParts({ kind: 'transcript', store: join(folder, 'gone'), agent: 'root@1' });
      const document = await workspace.openTextDocument(Uri.from({ scheme: 'swarm-transcript', ...address }));
      assert.match(document.getText(), /store of this run is not there any more/u);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
