import type { Scheduler } from '#edges/scheduler.ts';
import type { ModelPrice } from '#protocol/model-price.ts';
import type { PriceRequest } from '#protocol/runtime-api.ts';
import { builtInPrice, findPrice } from '#models/prices.ts';
import { readChoice } from '#models/provider.ts';

/** Milliseconds that servers have to tell their prices, while the user waits. */
const patience = 5000;

/** Prices by choice; one that nobody tells, or that is no choice, has no entry. */
export async function modelPrices(
  { choices, baseUrls, environment }: PriceRequest,
  scheduler: Scheduler,
): Promise<Readonly<Record<string, ModelPrice>>> {
  const abort = new AbortController();
  const cancel = scheduler.after(patience, () => {
    abort.abort(new DOMException('the prices did not come in time', 'TimeoutError'));
  });
  try {
    const found = await Promise.all(
      choices.map(async (choice) => {
        try {
          const isElsewhere = Object.hasOwn(baseUrls, readChoice(choice).provider);
          const known = isElsewhere ? undefined : builtInPrice(choice);
          const price = known ?? (await findPrice(choice, { baseUrls, environment }, abort.signal));
          return price === null ? [] : [[choice, price] as const];
        } catch {
          // Without a key, or with a server that does not answer, nobody knows; a run that needs to know says why not.
          return [];
        }
      }),
    );
    return Object.fromEntries(found.flat());
  } finally {
    cancel();
  }
}
