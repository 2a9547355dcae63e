import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeFileSystem } from '#edges/file-system.ts';
import { copyFolder } from './copy-folder.ts';

it('copies bytes, modes, folders and links as they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'swarmwright-copy-'));
  try {
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    mkdirSync(join(from, 'deep', 'empty'), { recursive: true });
    writeFileSync(join(from, 'deep', 'bytes'), Buffer.from([0, 255, 10]));
    writeFileSync(join(from, 'run.sh'), '#!/bin/sh\n');
    chmodSync(join(from, 'run.sh'), 0o755);
    symlinkSync('../outside', join(from, 'deep', 'link'));
    await copyFolder(nodeFileSystem, from, to);
    expect([...readFileSync(join(to, 'deep', 'bytes'))]).toEqual([0, 255, 10]);
    expect(statSync(join(to, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(statSync(join(to, 'deep', 'empty')).isDirectory()).toBe(true);
    expect(readlinkSync(join(to, 'deep', 'link'))).toBe('../outside');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
