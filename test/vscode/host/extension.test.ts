import assert from 'node:assert/strict';
import { suite, suiteSetup, test } from 'mocha';
import { commands, extensions, type Extension } from 'vscode';

function extension(): Extension<unknown> {
  const found = extensions.getExtension('swarmwright.swarmwright');
  assert.ok(found, 'the extension is installed');
  return found;
}

/** Identifiers of the commands that the manifest declares. */
function declaredCommands(): readonly string[] {
  const manifest: { contributes: { commands: readonly { command: string }[] } } = extension().packageJSON;
  return manifest.contributes.commands.map(({ command }) => command);
}

suite('the extension', () => {
  suiteSetup(async () => {
    await extension().activate();
  });

  test('activates', () => {
    assert.equal(extension().isActive, true);
  });

  test('every declared command exists', async () => {
    const existing = new Set(await commands.getCommands(true));
    const declared = declaredCommands();
    assert.ok(declared.length > 0);
    assert.deepEqual(
      declared.filter((command) => !existing.has(command)),
      [],
    );
  });
});
