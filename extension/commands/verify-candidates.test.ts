import { describe, expect, it } from 'vitest';
import { verifyCandidates, type VerifySource } from './verify-candidates.ts';

function commandsFor(files: Partial<Record<VerifySource, string>>): readonly string[] {
  const given = new Map<VerifySource, string>();
  if (files['package.json'] !== undefined) given.set('package.json', files['package.json']);
  if (files.Makefile !== undefined) given.set('Makefile', files.Makefile);
  if (files['Cargo.toml'] !== undefined) given.set('Cargo.toml', files['Cargo.toml']);
  if (files['pyproject.toml'] !== undefined) given.set('pyproject.toml', files['pyproject.toml']);
  return verifyCandidates(given).map(({ command }) => command);
}

describe('verify commands that a folder suggests', () => {
  it('are scripts of package.json, the likeliest proof first', () => {
    const scripts = { build: 'tsc', test: 'vitest run', lint: 'oxlint', check: 'tsc && vitest run' };
    expect(commandsFor({ 'package.json': JSON.stringify({ scripts }) })).toEqual([
      'npm run check',
      'npm test',
      'npm run build',
    ]);
  });

  it('are not the script that npm writes into a new package', () => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1' };
    expect(commandsFor({ 'package.json': JSON.stringify({ scripts }) })).toEqual([]);
  });

  it.each(['{', '[]', 'null', '{"scripts":"test"}', '{"scripts":{"test":1}}'])(
    'are none where package.json is %s',
    (text) => {
      expect(commandsFor({ 'package.json': text })).toEqual([]);
    },
  );

  it('are targets that a Makefile has', () => {
    expect(commandsFor({ Makefile: 'all: x\ntest :\n\tgo test\n# check: no\n' })).toEqual(['make test']);
  });

  it('come from several files', () => {
    expect(commandsFor({ 'Cargo.toml': '[package]', 'pyproject.toml': '[tool.pytest.ini_options]' })).toEqual(
      ['cargo test', 'python -m pytest'],
    );
  });
});
