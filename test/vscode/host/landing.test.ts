import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { suite, suiteSetup, suiteTeardown, test } from 'mocha';
import {
  commands,
  extensions,
  Position,
  Range,
  Selection,
  window,
  workspace,
  WorkspaceEdit,
  type Uri,
} from 'vscode';
import type { WrittenCall } from '../../command-line/greeter.ts';
import {
  buildLanding,
  decide,
  folder,
  landingEvents,
  landingUri,
  lines,
  until,
  untilLanding,
  uriOf,
  writeUserFiles,
} from './landing-fixture.ts';

const five = '1\n2\n3\n4\n5\n';
const built = '1\n2\n3\n4\nfive\n';
/** What the user makes of a file while it is built: bytes that are no UTF-8. */
const latin = Buffer.from([0x63, 0xe9, ...Buffer.from('\n2\n3\n4\n5\n')]);
const latinBuilt = Buffer.from([0x63, 0xe9, ...Buffer.from('\n2\n3\n4\nfive\n')]);
const users: Readonly<Record<string, string | Uint8Array>> = {
  'dirty.txt': five,
  'clean.txt': five,
  'closed.txt': five,
  'crlf.txt': '1\r\n2\r\n3\r\n',
  'open-crlf.txt': '1\r\n2\r\n3\r\n',
  'bom.txt': '\u{feff}1\n2\n',
  'open-bom.txt': '\u{feff}1\n2\n',
  'latin.txt': five,
  'open-latin.txt': five,
  'mixed.txt': '1\r\n2\n3\n',
  'gone.txt': 'x\n',
  'conflict.txt': five,
  'discard.txt': five,
  'edited.txt': five,
  'typed.txt': five,
  'hurried.txt': five,
  'thrown.txt': five,
  'slow.txt': five,
  'quick.txt': five,
};

function edit(name: string, old: string, replacement: string): WrittenCall {
  return { tool: 'edit_file', args: { path: `${folder}/${name}`, old, new: replacement } };
}

const calls: readonly WrittenCall[] = [
  ...[
    'dirty',
    'clean',
    'closed',
    'conflict',
    'discard',
    'edited',
    'typed',
    'hurried',
    'thrown',
    'slow',
    'quick',
    'latin',
    'open-latin',
  ].map((name) => edit(`${name}.txt`, '5', 'five')),
  ...['crlf', 'open-crlf'].map((name) => edit(`${name}.txt`, '3', 'three')),
  ...['bom', 'open-bom'].map((name) => edit(`${name}.txt`, '2', 'two')),
  edit('mixed.txt', '3', 'three'),
  { tool: 'delete_file', args: { path: `${folder}/gone.txt` } },
  { tool: 'write_file', args: { path: `${folder}/new/made.txt`, content: 'made\n' } },
];

async function bytes(name: string): Promise<Buffer> {
  return readFile(uriOf(name).fsPath);
}

/** What a user types, at the start of a line; one undo stop. */
async function type(uri: Uri, line: number, text: string): Promise<void> {
  const typed = new WorkspaceEdit();
  typed.replace(uri, new Range(line, 0, line, 1), text);
  assert.ok(await workspace.applyEdit(typed));
}

suite('landing', () => {
  let store = '';
  suiteSetup(async () => {
    await extensions.getExtension('swarmwright.swarmwright')?.activate();
    await writeUserFiles(users);
    store = await buildLanding(calls);
    await until(async () => (await commands.getCommands(true)).includes('swarmwright.landing.accept'));
  });
  suiteTeardown(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await rm(uriOf('.').fsPath, { recursive: true });
  });

  test('writes nothing before a decision', async () => {
    for (const [name, content] of Object.entries(users)) {
      assert.deepEqual(await bytes(name), Buffer.from(content), name);
    }
    await writeUserFiles({ 'latin.txt': latin, 'open-latin.txt': latin });
  });

  test('of a file with typed lines is one edit that keeps them, and one undo; an undo in the editor withdraws it', async () => {
    const document = await workspace.openTextDocument(uriOf('dirty.txt'));
    const editor = await window.showTextDocument(document);
    await type(document.uri, 0, 'uno');
    editor.selection = new Selection(3, 1, 3, 1);
    assert.deepEqual(await decide('landing.accept', 'dirty.txt'), [
      { path: `${folder}/dirty.txt`, kind: 'done' },
    ]);
    assert.deepEqual(lines(document), ['uno', '2', '3', '4', 'five', '']);
    assert.ok(document.isDirty);
    assert.equal((await bytes('dirty.txt')).toString(), five);
    assert.deepEqual(editor.selection.active, new Position(3, 1));
    await commands.executeCommand('undo');
    assert.deepEqual(lines(document), ['uno', '2', '3', '4', '5', '']);
    await untilLanding(store, 'dirty.txt', ({ outcome }) => outcome === 'withdrawn');
    assert.equal((await decide('landing.accept', 'dirty.txt'))[0]?.kind, 'done');
    assert.deepEqual(lines(document), ['uno', '2', '3', '4', 'five', '']);
  });

  test('of a saved file in an editor saves it again', async () => {
    const document = await workspace.openTextDocument(uriOf('clean.txt'));
    await window.showTextDocument(document);
    assert.equal((await decide('landing.accept', 'clean.txt'))[0]?.kind, 'done');
    assert.equal(document.isDirty, false);
    assert.equal((await bytes('clean.txt')).toString(), built);
    assert.equal((await decide('undoLastDecision'))[0]?.kind, 'done');
    assert.equal((await bytes('clean.txt')).toString(), five);
    assert.equal(document.isDirty, false);
  });

  test('of closed files is byte for byte, and opens nothing', async () => {
    const open = workspace.textDocuments.length;
    const names = ['closed.txt', 'crlf.txt', 'bom.txt', 'latin.txt', 'gone.txt', 'new/made.txt'];
    const outcomes = await decide('landing.accept', ...names);
    assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['done']));
    assert.equal((await bytes('closed.txt')).toString(), built);
    assert.equal((await bytes('crlf.txt')).toString(), '1\r\n2\r\nthree\r\n');
    assert.equal((await bytes('bom.txt')).toString(), '\u{feff}1\ntwo\n');
    assert.deepEqual(await bytes('latin.txt'), latinBuilt);
    assert.equal((await bytes('new/made.txt')).toString(), 'made\n');
    await assert.rejects(stat(uriOf('gone.txt').fsPath), { code: 'ENOENT' });
    assert.equal(workspace.textDocuments.length, open);
    const undone = await decide('undoLastDecision');
    assert.equal(undone.length, names.length);
    assert.equal((await bytes('gone.txt')).toString(), 'x\n');
    assert.deepEqual(await bytes('latin.txt'), latin);
    await assert.rejects(stat(uriOf('new/made.txt').fsPath), { code: 'ENOENT' });
  });

  for (const [name, expected] of [
    ['open-crlf.txt', '1\r\n2\r\nthree\r\n'],
    ['open-bom.txt', '\u{feff}1\ntwo\n'],
  ] as const) {
    test(`of ${name} in an editor keeps line ends and byte order mark`, async () => {
      await window.showTextDocument(uriOf(name));
      assert.equal((await decide('landing.accept', name))[0]?.kind, 'done');
      assert.equal((await bytes(name)).toString(), expected);
    });
  }

  for (const name of ['mixed.txt', 'open-latin.txt']) {
    test(`of ${name}, which an editor cannot save without a loss, waits until it is closed`, async () => {
      const before = await bytes(name);
      await window.showTextDocument(uriOf(name));
      assert.equal((await decide('landing.accept', name))[0]?.kind, 'unfaithful');
      assert.deepEqual(await bytes(name), before);
      await commands.executeCommand('workbench.action.closeActiveEditor');
      assert.equal((await decide('landing.accept', name))[0]?.kind, 'done');
    });
  }

  test('never goes over lines that the user has changed', async () => {
    await writeFile(uriOf('conflict.txt').fsPath, '1\n2\n3\n4\nfünf\n');
    const [outcome] = await decide('landing.accept', 'conflict.txt');
    assert.deepEqual([outcome?.kind, outcome?.obstacle], ['obstacle', 'same-lines']);
    assert.equal((await bytes('conflict.txt')).toString(), '1\n2\n3\n4\nfünf\n');
  });

  test('follows what is typed while it is pending', async () => {
    const document = await workspace.openTextDocument(uriOf('typed.txt'));
    await window.showTextDocument(document);
    await type(document.uri, 1, 'two');
    await untilLanding(store, 'typed.txt', ({ proposal }) => proposal?.version === 2);
    const proposal = await workspace.openTextDocument(await landingUri(store, 'typed.txt'));
    assert.equal(proposal.getText(), '1\ntwo\n3\n4\nfive\n');
    await type(document.uri, 0, 'one');
    await until(() => proposal.getText() === 'one\ntwo\n3\n4\nfive\n');
  });

  test('keeps what the user edits in a proposal, and lands it', async () => {
    const proposal = await workspace.openTextDocument(await landingUri(store, 'edited.txt'));
    await window.showTextDocument(proposal);
    await type(proposal.uri, 0, 'eins');
    await until(() => !proposal.isDirty);
    await untilLanding(store, 'edited.txt', ({ proposal: now }) => now?.version === 2);
    assert.equal((await decide('landing.accept', 'edited.txt'))[0]?.kind, 'done');
    assert.equal((await bytes('edited.txt')).toString(), 'eins\n2\n3\n4\nfive\n');
  });

  test('lands what was typed in a proposal a moment before', async () => {
    const proposal = await workspace.openTextDocument(await landingUri(store, 'hurried.txt'));
    await window.showTextDocument(proposal);
    await type(proposal.uri, 0, 'eins');
    assert.ok(proposal.isDirty);
    assert.deepEqual(await decide('landing.accept', 'hurried.txt'), [
      { path: `${folder}/hurried.txt`, kind: 'done' },
    ]);
    assert.equal((await bytes('hurried.txt')).toString(), 'eins\n2\n3\n4\nfive\n');
    assert.equal(proposal.isDirty, false);
  });

  test('that is discarded keeps what was typed in it for when that is taken back', async () => {
    const proposal = await workspace.openTextDocument(await landingUri(store, 'thrown.txt'));
    await window.showTextDocument(proposal);
    await type(proposal.uri, 0, 'eins');
    assert.equal((await decide('landing.discard', 'thrown.txt'))[0]?.kind, 'done');
    assert.equal((await bytes('thrown.txt')).toString(), five);
    assert.equal((await decide('undoLastDecision'))[0]?.kind, 'done');
    assert.equal((await decide('landing.accept', 'thrown.txt'))[0]?.kind, 'done');
    assert.equal((await bytes('thrown.txt')).toString(), 'eins\n2\n3\n4\nfive\n');
  });

  test('that is discarded leaves the file as it is, and can be taken back', async () => {
    assert.equal((await decide('landing.discard', 'discard.txt'))[0]?.kind, 'done');
    assert.equal((await bytes('discard.txt')).toString(), five);
    assert.equal((await decide('landing.accept', 'discard.txt')).length, 0);
    assert.equal((await decide('undoLastDecision'))[0]?.kind, 'done');
    assert.equal((await decide('landing.accept', 'discard.txt'))[0]?.kind, 'done');
    assert.equal((await bytes('discard.txt')).toString(), built);
  });

  test('undoes the command that was given last, though an editor is still saving what was accepted before', async () => {
    const document = await workspace.openTextDocument(uriOf('slow.txt'));
    await window.showTextDocument(document);
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const saving = workspace.onWillSaveTextDocument((event) => {
      if (event.document === document) event.waitUntil(gate);
    });
    try {
      const slow = decide('landing.accept', 'slow.txt');
      await until(() => document.getText() === built);
      assert.equal((await decide('landing.accept', 'quick.txt'))[0]?.kind, 'done');
      const undone = decide('undoLastDecision');
      open();
      assert.equal((await slow)[0]?.kind, 'done');
      assert.deepEqual(await undone, [{ path: `${folder}/quick.txt`, kind: 'done' }]);
      assert.equal((await bytes('quick.txt')).toString(), five);
      assert.equal((await bytes('slow.txt')).toString(), built);
    } finally {
      saving.dispose();
    }
    assert.deepEqual(await decide('undoLastDecision'), [{ path: `${folder}/slow.txt`, kind: 'done' }]);
    assert.equal((await bytes('slow.txt')).toString(), five);
  });

  test('is in the journal with every intent before its result', async () => {
    const events = await landingEvents(store);
    const accepted = events.filter(({ outcome }) => outcome === 'accepted');
    assert.ok(accepted.length > 8);
    for (const one of accepted) {
      const before = events.slice(0, events.indexOf(one));
      assert.ok(before.some(({ type: kind, path }) => kind === 'landing.intended' && path === one.path));
    }
  });
});
