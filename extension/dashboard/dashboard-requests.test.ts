import { describe, expect, it } from 'vitest';
import type { DashboardApi } from '#protocol/dashboard-api.ts';
import { checkedApi } from './dashboard-requests.ts';

type Called = readonly [name: string, ...given: readonly unknown[]];

/** Calls a function of the api as a page does: with whatever it likes. Gives what came through, or the error. */
async function call(name: keyof DashboardApi, ...given: readonly unknown[]): Promise<readonly Called[]> {
  const called: Called[] = [];
  const open: DashboardApi = {
    snapshot: async (...passed) => void called.push(['snapshot', ...passed]),
    taskHistory: async (...passed) => {
      called.push(['taskHistory', ...passed]);
      return { attempts: [], commits: [] };
    },
    conflicts: async () => [],
    side: async (...passed) => {
      called.push(['side', ...passed]);
      return { kind: 'binary', bytes: 0 };
    },
    resolution: async (...passed) => void called.push(['resolution', ...passed]),
    fieldGuide: async () => ({
      budget: { folder: '', indexLines: 0, folderLines: 0 },
      files: [],
      commits: [],
    }),
    act: async (...passed) => void called.push(['act', ...passed]),
    openTranscript: async (...passed) => void called.push(['openTranscript', ...passed]),
    showChanges: async (...passed) => void called.push(['showChanges', ...passed]),
    reviewLanding: async (...passed) => void called.push(['reviewLanding', ...passed]),
    painted: async (...passed) => void called.push(['painted', ...passed]),
  };
  await Reflect.apply(checkedApi(open)[name], undefined, given);
  return called;
}

const hash = '0123456789abcdef'.repeat(4);

describe('what a page may send', () => {
  it.each([
    ['snapshot'],
    ['painted'],
    ['taskHistory', 'root/a'],
    ['side', hash],
    ['resolution', hash, 'src/a b.js'],
    ['act', 'pause'],
    ['act', 'build'],
    ['openTranscript', 'root/a', 2],
    ['showChanges', 'root'],
    ['reviewLanding'],
  ] as const)('%s %s %s', async (name, ...given) => {
    expect(await call(name, ...given)).toEqual([[name, ...given]]);
  });

  it.each([
    ['snapshot', 1],
    ['taskHistory'],
    ['taskHistory', { path: 'root' }],
    ['taskHistory', ''],
    ['taskHistory', 'x'.repeat(5000)],
    ['side', '../../etc/passwd'],
    ['side', hash.toUpperCase()],
    ['resolution', hash],
    ['act', 'delete'],
    ['act', ['pause']],
    ['openTranscript', 'root/a', 0],
    ['openTranscript', 'root/a', 1.5],
    ['openTranscript', 'root/a', '1'],
    ['showChanges', 'root', 'root'],
    ['reviewLanding', 'root'],
  ] as const)('not %s %j %j', async (name, ...given) => {
    await expect(call(name, ...given)).rejects.toMatchObject({
      name: 'DashboardError',
      code: 'bad-request',
      details: { name },
    });
  });
});
