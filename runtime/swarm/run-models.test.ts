import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCaps } from '#protocol/requests.ts';
import type { Edges } from './edges.ts';
import { chooseModels, type ModelSettings } from './run-models.ts';
import { realEdges } from './testing/small-run.ts';

/** Takes every request and answers none. */
const server = createServer();
let settings: ModelSettings;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  settings = {
    models: { planner: 'compatible/x', worker: 'compatible/x' },
    baseUrl: `http://127.0.0.1:${port}/v1`,
    caps: defaultCaps,
    environment: {},
  };
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Time passes at once where a server is waited for. */
const hasty: Edges = {
  ...realEdges,
  scheduler: {
    ...realEdges.scheduler,
    after: (_milliseconds, action) => realEdges.scheduler.after(0, action),
  },
};

test('a server that tells no prices in time is not waited for', async () => {
  const begin = performance.now();
  expect((await chooseModels(settings, hasty)).worker.price).toBeNull();
  expect(performance.now() - begin).toBeLessThan(4000);
});

test('with a dollar cap, a server that tells no prices in time refuses the run', async () => {
  const capped = { ...settings, caps: { ...defaultCaps, usd: 1 } };
  await expect(chooseModels(capped, hasty)).rejects.toMatchObject({ code: 'timeout' });
});
