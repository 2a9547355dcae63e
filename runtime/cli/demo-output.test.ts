import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFileSystem } from '#edges/file-system.ts';
import { markOutput, prepareOutput } from './demo-output.ts';

let folder = '';
let output = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swarmwright-output-'));
  output = join(folder, 'demo-output');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('is made when it is missing, and taken when it is empty', async () => {
  await prepareOutput(output, nodeFileSystem);
  await prepareOutput(output, nodeFileSystem);
  expect(readdirSync(output)).toEqual([]);
});

it('is made anew when an earlier demo has marked it', async () => {
  await prepareOutput(output, nodeFileSystem);
  await markOutput(output, nodeFileSystem);
  mkdirSync(join(output, 'src'));
  writeFileSync(join(output, 'src', 'a.js'), '');
  await prepareOutput(output, nodeFileSystem);
  expect(readdirSync(output)).toEqual([]);
});

it('is refused, and left as it is, when it holds something else', async () => {
  mkdirSync(output);
  writeFileSync(join(output, 'mine.txt'), 'mine');
  await expect(prepareOutput(output, nodeFileSystem)).rejects.toMatchObject({ code: 'demo-output-taken' });
  writeFileSync(join(output, '.swarmwright-demo'), 'a marker that we did not write');
  await expect(prepareOutput(output, nodeFileSystem)).rejects.toMatchObject({ code: 'demo-output-taken' });
  expect(readdirSync(output)).toEqual(['.swarmwright-demo', 'mine.txt']);
});

it('is refused when it is a file or a link, also to a folder of ours', async () => {
  writeFileSync(output, 'mine');
  await expect(prepareOutput(output, nodeFileSystem)).rejects.toMatchObject({ code: 'demo-output-taken' });
  const ours = join(folder, 'ours');
  await prepareOutput(ours, nodeFileSystem);
  await markOutput(ours, nodeFileSystem);
  symlinkSync(ours, join(folder, 'link'));
  await expect(prepareOutput(join(folder, 'link'), nodeFileSystem)).rejects.toMatchObject({
    code: 'demo-output-taken',
  });
});
