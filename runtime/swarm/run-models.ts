import type { Scheduler } from '#edges/scheduler.ts';
import type { Caps, ModelChoice } from '#protocol/events.ts';
import type { Role } from '#protocol/tasks.ts';
import { MeteredModel, type CallLimiter } from '#agents/metered-model.ts';
import type { ModelCaller } from '#agents/model-caller.ts';
import type { PauseGate } from '#agents/pause-gate.ts';
import type { SlotHold } from '#agents/slots.ts';
import type { ChatModel, Price } from '#models/chat-model.ts';
import { ModelError } from '#models/errors.ts';
import type { Facts } from '#models/facts.ts';
import type { Ledger } from '#models/ledger.ts';
import { HostModel } from '#models/host/host-model.ts';
import { Limiter } from '#models/limiter.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import { PlaybookModel } from '#models/playbook/playbook-model.ts';
import { findPrice } from '#models/prices.ts';
import { createModel, type EndpointOptions, type ProviderOptions } from '#models/provider.ts';
import type { Playbook } from '#models/playbook/playbook.ts';
import type { Edges } from './edges.ts';
import { RunError } from './errors.ts';
import type { EventLog } from './event-log.ts';

/** What decides which models a run uses. */
export interface ModelSettings extends EndpointOptions {
  readonly models: Readonly<Partial<Record<Role, string>>>;
  readonly playbook?: string;
  readonly caps: Caps;
}

/** Milliseconds that a server has to tell its prices. */
const priceTimeout = 5000;

const free: Price = { input: 0, cachedInput: 0, output: 0 };

const roles = ['planner', 'worker', 'resolver'] as const;

const reservationEnds: ReadonlySet<string> = new Set(['call.settled', 'call.lost', 'call.released']);

/** A role's model before a run is there to play its facts. */
interface RoleModel {
  readonly choice: string;
  readonly price: Price | null;
  open(facts: Facts): ChatModel;
}

export type RoleModels = Readonly<Record<Role, RoleModel>>;

/**
 * The model of each role: as chosen, else the playbook. A resolver that is not chosen is the planner's model: it judges.
 * @throws RunError `no-models`, `playbook-concurrency`; ModelError for what is wrong with a choice, key, price or playbook
 */
export async function chooseModels(settings: ModelSettings, edges: Edges): Promise<RoleModels> {
  const playbook =
    settings.playbook === undefined ? undefined : await loadPlaybook(settings.playbook, edges.fileSystem);
  if (playbook && settings.caps.concurrency < playbook.concurrency) {
    throw new RunError('playbook-concurrency', `the playbook needs ${playbook.concurrency} slots`, {
      needed: playbook.concurrency,
      given: settings.caps.concurrency,
    });
  }
  const [planner, worker, resolver] = await Promise.all(
    roles.map(async (role) => {
      const chosen = settings.models[role] ?? (role === 'resolver' ? settings.models.planner : undefined);
      if (chosen !== undefined && chosen !== playbookChoice(playbook))
        return providerModel(chosen, settings, edges);
      if (playbook) return playbookModel(playbook);
      throw new RunError('no-models', `no model for the ${role}`, { role });
    }),
  );
  // Promise.all keeps the order of the roles; the checker sees an array.
  if (!planner || !worker || !resolver) throw new RunError('no-models', 'a role has no model');
  return { planner, worker, resolver };
}

/** Without a dollar cap nobody depends on the price, and a server may be silent. */
async function priceOf(choice: string, settings: ModelSettings, scheduler: Scheduler): Promise<Price | null> {
  const abort = new AbortController();
  const cancel = scheduler.after(priceTimeout, () => {
    abort.abort(new DOMException('the prices did not come in time', 'TimeoutError'));
  });
  try {
    return await findPrice(choice, settings, abort.signal);
  } catch (error) {
    if (settings.caps.usd !== undefined) throw error;
    return null;
  } finally {
    cancel();
  }
}

function playbookChoice(playbook: Playbook | undefined): string | undefined {
  return playbook && `playbook/${playbook.title}`;
}

function playbookModel(playbook: Playbook): RoleModel {
  return {
    choice: `playbook/${playbook.title}`,
    // Its turns are there already: where it names no price, they cost nothing.
    price: playbook.price ?? free,
    open: (facts) => new PlaybookModel(playbook, facts),
  };
}

function hostModels({ hostChats: chats, scheduler }: Edges): Pick<ProviderOptions, 'host'> {
  if (chats === undefined) return {};
  return { host: (provider, name) => new HostModel({ provider, name, chats, scheduler }) };
}

async function providerModel(choice: string, settings: ModelSettings, edges: Edges): Promise<RoleModel> {
  const { baseUrl, baseUrls, environment, caps } = settings;
  const model = createModel(choice, {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(baseUrls === undefined ? {} : { baseUrls }),
    environment,
    scheduler: edges.scheduler,
    ...hostModels(edges),
  });
  const price = await priceOf(choice, settings, edges.scheduler);
  if (price === null && caps.usd !== undefined) {
    throw new ModelError('no-price', `the price of ${choice} is not known`, { model: choice });
  }
  return { choice, price, open: () => model };
}

export function choicesOf(models: RoleModels): ModelChoice {
  return {
    planner: models.planner.choice,
    worker: models.worker.choice,
    resolver: models.resolver.choice,
  };
}

/** Opens the models of a run: one limiter a provider, one ledger for all. */
export function openModels(
  models: RoleModels,
  parts: {
    readonly facts: Facts;
    readonly ledger: Ledger;
    readonly log: EventLog;
    readonly edges: Edges;
    readonly gate: PauseGate;
  },
): (role: Role, hold: SlotHold) => ModelCaller {
  const { facts, ledger, log, edges, gate } = parts;
  const limiters = new Map<string, CallLimiter>();
  const opened = new Map<Role, ChatModel>(roles.map((role) => [role, models[role].open(facts)]));
  return (role, hold) => {
    const model = opened.get(role) ?? models[role].open(facts);
    const limiter = limiters.get(model.provider) ?? new Limiter(edges);
    limiters.set(model.provider, limiter);
    return new MeteredModel({
      model,
      role,
      price: models[role].price,
      ledger,
      limiter,
      hold,
      gate,
      publish: async (event) => log.publish(event),
      reservationEnded: async (signal) => log.until(({ type }) => reservationEnds.has(type), signal),
    });
  };
}
