import * as z from 'zod/mini';
import type { DashboardApi } from '#protocol/dashboard-api.ts';
import { DashboardError } from './errors.ts';

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const path = z.string().check(z.minLength(1), z.maxLength(4096));
const attempt = z.int().check(z.minimum(1));
const action = z.enum(['pause', 'continue', 'stop', 'resume', 'build']);
const nothing = z.tuple([]);

/** The arguments of each function, as a page may send them. */
const requests = {
  snapshot: nothing,
  taskHistory: z.tuple([path]),
  conflicts: nothing,
  side: z.tuple([hash]),
  resolution: z.tuple([hash, path]),
  fieldGuide: nothing,
  act: z.tuple([action]),
  openTranscript: z.tuple([path, attempt]),
  showChanges: z.tuple([path]),
  reviewLanding: nothing,
  painted: nothing,
} satisfies { readonly [Name in keyof DashboardApi]: z.ZodMiniType<Parameters<DashboardApi[Name]>> };

function checked<Arguments>(
  name: keyof typeof requests,
  schema: z.ZodMiniType<Arguments>,
  given: readonly unknown[],
): Arguments {
  const result = z.safeParse(schema, given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new DashboardError('bad-request', `the dashboard sent arguments that ${name} does not take`, {
    name,
    argument: issue?.path.join('.') ?? '',
  });
}

/** The functions that a page may call, behind a check of what it sends. */
export function checkedApi(api: DashboardApi): DashboardApi {
  return {
    snapshot: async (...given) => api.snapshot(...checked('snapshot', requests.snapshot, given)),
    taskHistory: async (...given) => api.taskHistory(...checked('taskHistory', requests.taskHistory, given)),
    conflicts: async (...given) => api.conflicts(...checked('conflicts', requests.conflicts, given)),
    side: async (...given) => api.side(...checked('side', requests.side, given)),
    resolution: async (...given) => api.resolution(...checked('resolution', requests.resolution, given)),
    fieldGuide: async (...given) => api.fieldGuide(...checked('fieldGuide', requests.fieldGuide, given)),
    act: async (...given) => api.act(...checked('act', requests.act, given)),
    openTranscript: async (...given) =>
      api.openTranscript(...checked('openTranscript', requests.openTranscript, given)),
    showChanges: async (...given) => api.showChanges(...checked('showChanges', requests.showChanges, given)),
    reviewLanding: async (...given) =>
      api.reviewLanding(...checked('reviewLanding', requests.reviewLanding, given)),
    painted: async (...given) => api.painted(...checked('painted', requests.painted, given)),
  };
}
