import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** File -> the import that stands in it, and what the lint must say of it ('' for nothing). */
const probes: readonly (readonly [file: string, text: string, message: string])[] = [
  ['runtime/vcs/agent.ts', "import { x } from '#agents/x.ts';", 'vcs may import protocol, edges'],
  ['runtime/vcs/sibling.ts', "import { x } from '#journal/x.ts';", 'vcs may import protocol, edges'],
  ['runtime/vcs/type.ts', "import type { x } from '#swarm/x.ts';", 'vcs may import protocol, edges'],
  ['runtime/vcs/again.ts', "export { x } from '#models/x.ts';", 'vcs may import protocol, edges'],
  [
    'runtime/vcs/later.ts',
    "export const x = await import('#sandbox/x.ts');",
    'vcs may import protocol, edges',
  ],
  ['runtime/vcs/climb.ts', "import { x } from '../swarm/x.ts';", 'Write #layer/'],
  ['runtime/grading/agent.ts', "import { x } from '#agents/x.ts';", 'grading may import protocol, edges'],
  ['runtime/agents/suite.ts', "import { x } from '#grading/x.ts';", 'agents may import'],
  ['runtime/swarm/suite.ts', "import { x } from '#grading/x.ts';", 'swarm may import'],
  ['runtime/swarm/editor.ts', "import { x } from 'vscode';", 'Only extension/ imports vscode'],
  ['runtime/protocol/node.ts', "import { x } from 'node:fs';", 'also runs in a webview'],
  ['runtime/swarm/file.ts', "import { x } from 'node:fs';", 'reached by runtime/edges'],
  ['runtime/vcs/file.ts', "import * as fs from 'node:fs/promises';", 'reached by runtime/edges'],
  ['runtime/cli/program.ts', "import { x } from 'node:child_process';", 'reached by runtime/edges'],
  ['runtime/models/file.ts', "export const x = await import('fs');", 'reached by runtime/edges'],
  ['runtime/swarm/some.test.ts', "import { x } from '#grading/x.ts';", 'swarm may import'],
  ['extension/runtime.ts', "import { x } from '#swarm/x.ts';", 'extension may import protocol'],
  ['runtime/edges/file.ts', "import { x } from 'node:fs/promises';", ''],
  ['runtime/vcs/type-of-file.ts', "import type { Stats } from 'node:fs';", ''],
  ['runtime/swarm/other.test.ts', "import { x } from 'node:fs';", ''],
  ['runtime/vcs/testing/folder.ts', "import { x } from 'node:fs';", ''],
  ['runtime/journal/test-writer.ts', "import { x } from 'node:child_process';", ''],
  ['runtime/cli/launcher.ts', "import { x } from 'node:child_process';", ''],
  [
    'runtime/journal/database.ts',
    "import { x } from 'node:sqlite'; import { y } from 'node:worker_threads';",
    '',
  ],
  ['runtime/swarm/down.ts', "import { x } from '#agents/x.ts';", ''],
  ['runtime/vcs/down.ts', "import { x } from '#protocol/x.ts';", ''],
  ['runtime/cli/down.ts', "import { x } from '#grading/x.ts';", ''],
];

/** Messages of the arrows, by file. */
const found = new Map<string, string[]>();
let folder = '';

async function lint(): Promise<string> {
  const oxlint = join(root, 'node_modules/.bin/oxlint');
  const options = {
    cwd: folder,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
  };
  try {
    return (await run(oxlint, ['--format=json'], options)).stdout;
  } catch (error) {
    // It ends with 1 when it finds something, which is what is wanted here.
    if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string') return error.stdout;
    throw error;
  }
}

// Outside the project, so that a probe can neither be left behind nor be found by a check that runs meanwhile.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swarmwright-layers-'));
  await cp(join(root, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, text] of probes) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `${text}\n`);
  }
  const report: { diagnostics: { code: string; filename: string; help?: string }[] } = JSON.parse(
    await lint(),
  );
  for (const { code, filename, help } of report.diagnostics) {
    if (code.includes('no-restricted-imports'))
      found.set(filename, [...(found.get(filename) ?? []), help ?? '']);
  }
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('an import that runs against the arrows fails the lint', () => {
  it.each(probes.filter(([, , message]) => message !== ''))('%s: %s', (file, _text, message) => {
    expect(found.get(file)?.join('\n')).toContain(message);
  });
});

describe('an import along the arrows does not', () => {
  it.each(probes.filter(([, , message]) => message === ''))('%s: %s', (file) => {
    expect(found.get(file)).toBeUndefined();
  });
});
