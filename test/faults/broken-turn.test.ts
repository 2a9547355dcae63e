import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Project } from '../command-line/project.ts';
import { buildArguments, minisql, usersFile, wordTools, type Example } from './example.ts';

vi.setConfig({ testTimeout: 300_000 });

/** The example, copied into the project, with a text in one of its files replaced everywhere. */
async function changed(
  project: Project,
  example: Example,
  file: string,
  from: string,
  to: string,
): Promise<Example> {
  const folder = project.path('example');
  await cp(dirname(example.spec), folder, { recursive: true });
  const text = await readFile(join(folder, file), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(folder, file), text.replaceAll(from, to));
  return { ...example, spec: join(folder, 'spec.md'), playbook: join(folder, 'playbook.yaml') };
}

describe('nothing is staged: a worker whose turn breaks the code makes the command fail, and green does not move', () => {
  it('when nobody but the verify command notices', async () => {
    await using project = await Project.create(usersFile);
    const example = await changed(project, wordTools, 'playbook.yaml', 'toSorted()', 'toReversed()');
    const { code, stdout, stderr } = await project.run(buildArguments(example));
    expect(code).toBe(1);
    expect(stderr).toContain('trunk does not verify (`node src/check.mjs` ended with 1');
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'partial',
      commits: 6,
      conflicts: { raised: 1, resolved: 1 },
      landed_files: 0,
    });
    const status = await project.run(['status', '--store', 'store', '--json']);
    const { green, head }: { green: { sequence: number } | null; head: { sequence: number } } = JSON.parse(
      status.stdout,
    );
    // The table alone is green; that was before the broken line.
    expect(green?.sequence ?? 0).toBeLessThan(head.sequence);
    expect(await project.workspace()).toEqual({ 'src/mine.txt': '644 mine\n' });
  });

  it("when the worker's own command fails", async () => {
    await using project = await Project.create(usersFile);
    const part = 'parts/queries/ordering/ordering.mjs';
    const example = await changed(
      project,
      minisql,
      part,
      'export function',
      'throw new Error("broken");\nexport function',
    );
    const { code, stdout, stderr } = await project.run(buildArguments(example));
    expect(code).toBe(1);
    expect(stderr).toMatch(/expected "exit=0.*from run_command.*and "exit=1/u);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', landed_files: 0 });
    expect(await project.workspace()).toEqual({ 'src/mine.txt': '644 mine\n' });
  });
});
