import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { nodeFileSystem } from '#edges/file-system.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import { FollowedFacts, type RunPlace } from './followed-facts.ts';
import type { Misbehaviour, WhichCalls } from './misbehaviour.ts';
import { startLoopbackServer } from './server.ts';

/**
 * The loopback server as a process of its own, for runs in another one:
 *
 *     node test/loopback/serve.ts --playbook FILE (--state FOLDER | --store FOLDER) [--api-key KEY] [--port NUMBER]
 *
 * Prints one line, `{"url":"http://127.0.0.1:PORT/v1"}`, once it listens. Turns with barriers wait for the facts of the
 * newest run below the state folder, or of the one store. A line on its input is an order: `{"how":…,"which":…}` to
 * misbehave, `{}` to behave; each is answered with a line, `{"done":true}`. It ends with the process that started it.
 */
const { values } = parseArgs({
  options: {
    playbook: { type: 'string' },
    state: { type: 'string' },
    store: { type: 'string' },
    'api-key': { type: 'string' },
    port: { type: 'string' },
  },
});

function readPlace(): RunPlace {
  if (values.store !== undefined) return { store: values.store };
  if (values.state !== undefined) return { state: values.state };
  throw new Error('--state FOLDER or --store FOLDER is needed');
}

interface Order {
  readonly how?: Misbehaviour;
  readonly which?: WhichCalls;
}

if (values.playbook === undefined) throw new Error('--playbook FILE is needed');
const parent = process.ppid;
const server = await startLoopbackServer({
  playbook: await loadPlaybook(values.playbook, nodeFileSystem),
  facts: new FollowedFacts(readPlace()),
  ...(values['api-key'] === undefined ? {} : { apiKey: values['api-key'] }),
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
});
console.log(JSON.stringify({ url: server.baseUrl }));

createInterface({ input: process.stdin }).on('line', (line) => {
  const { how, which = { next: 1 } }: Order = JSON.parse(line);
  if (how) server.misbehave(how, which);
  else server.behave();
  console.log(JSON.stringify({ done: true }));
});

while (process.ppid === parent) await systemScheduler.sleep(1000);
process.exit(0);
