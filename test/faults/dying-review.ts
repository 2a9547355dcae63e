/**
 * Builds, accepts all files of the landing, and kills itself by SIGKILL at one step of that:
 * `node dying-review.ts REQUEST STEP COUNT WHEN`. A program of its own, because a kill takes the whole process.
 */
import { relative } from 'node:path';
import { nodeFileSystem, type FileSystem } from '#edges/file-system.ts';
import type { BuildRequest } from '#protocol/requests.ts';
import { startRun } from '#swarm/session.ts';
import { realEdges } from '#swarm/testing/small-run.ts';
import { everything } from './reviewed.ts';

const [, , requestText = '', step = '', count = '', when = ''] = process.argv;
const request: BuildRequest = JSON.parse(requestText);
let seen = 0;
let accepting = false;

function dieAt(name: string, path: string, moment: string): void {
  if (!accepting || name !== step || relative(request.workspace, path).startsWith('..')) return;
  if (moment === 'before') seen += 1;
  if (seen === Number(count) && moment === when) process.kill(process.pid, 'SIGKILL');
}

const fileSystem: FileSystem = {
  ...nodeFileSystem,
  writeFile: async (path, bytes, mode) => {
    dieAt('writeFile', path, 'before');
    await nodeFileSystem.writeFile(path, bytes, mode);
    dieAt('writeFile', path, 'after');
  },
  rename: async (from, to) => {
    dieAt('rename', to, 'before');
    await nodeFileSystem.rename(from, to);
    dieAt('rename', to, 'after');
  },
};

const session = await startRun(request, { ...realEdges, fileSystem });
await session.drive(new AbortController().signal);
const review = session.review((error) => {
  throw error;
});
await review.start();
accepting = true;
await review.accept(everything(session.projection, 'first'));
throw new Error('the step did not come');
