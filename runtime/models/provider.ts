import type { Scheduler } from '#edges/scheduler.ts';
import {
  isProviderName,
  parseModelChoice,
  providers,
  type ProviderName,
  type WireFormatName,
} from '#protocol/providers.ts';
import { messagesWire } from './anthropic/messages-wire.ts';
import type { ChatModel } from './chat-model.ts';
import { ModelError } from './errors.ts';
import { StreamedModel } from './http/streamed-model.ts';
import type { Endpoint, Wire } from './http/wire.ts';
import { isLoopback } from './is-loopback.ts';
import { chatWire } from './openai/chat-wire.ts';
import { responsesWire } from './openai/responses-wire.ts';

/** What decides where a model is reached, and with which key. */
export interface EndpointOptions {
  /** For all choices that have no entry in `baseUrls`. */
  readonly baseUrl?: string;
  readonly baseUrls?: Readonly<Partial<Record<ProviderName, string>>>;
  /** Where keys are. Nothing else is read from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ProviderOptions extends EndpointOptions {
  readonly scheduler: Scheduler;
  /** Milliseconds; see `StreamedModelOptions`. */
  readonly connectTimeout?: number;
  readonly idleTimeout?: number;
  /** Makes the models of providers whose format is `host`. Absent where no program around this one has any. */
  readonly host?: (provider: ProviderName, name: string) => ChatModel;
}

const wires: Readonly<Record<Exclude<WireFormatName, 'host'>, Wire>> = {
  'anthropic-messages': messagesWire,
  'openai-responses': responsesWire,
  'openai-chat': chatWire,
};

/** What can be chosen. `playbook` is made by the caller, which has the file and the facts. */
function knownNames(hasHost: boolean): string {
  const usable = Object.values(providers).filter(({ format }) => hasHost || format !== 'host');
  return [...usable.map(({ name }) => name), 'playbook'].join(', ');
}

/** The keys that the environment holds, of all providers: none of them may be stored or shown. */
export function keysIn(environment: EndpointOptions['environment']): readonly string[] {
  return Object.values(providers).flatMap(({ keyVariable }) => {
    const key = keyVariable === undefined ? undefined : environment[keyVariable]?.trim();
    return key ? [key] : [];
  });
}

/** The model of a choice `PROVIDER/NAME`. Nothing is sent yet. @throws ModelError as `findEndpoint` */
export function createModel(choice: string, options: ProviderOptions): ChatModel {
  const { scheduler, connectTimeout, idleTimeout, host } = options;
  const { provider, name } = readChoice(choice, host !== undefined);
  const { format, label } = providers[provider];
  if (format === 'host') {
    if (host) return host(provider, name);
    const details = { provider, known: knownNames(false) };
    throw new ModelError('unknown-provider', `the models of ${label} are there only inside it`, details);
  }
  return new StreamedModel({
    endpoint: findEndpoint(choice, options),
    wire: wires[format],
    scheduler,
    ...(connectTimeout === undefined ? {} : { connectTimeout }),
    ...(idleTimeout === undefined ? {} : { idleTimeout }),
  });
}

/**
 * A choice of a provider that is known.
 * @param hasHost whether the error names providers of the program around this one as well
 * @throws ModelError `unknown-model` (not `PROVIDER/NAME`), `unknown-provider`
 */
export function readChoice(
  choice: string,
  hasHost = false,
): { readonly provider: ProviderName; readonly name: string } {
  const parts = parseModelChoice(choice);
  if (!parts) {
    throw new ModelError(
      'unknown-model',
      `'${choice}' is no model: write PROVIDER/NAME, as in openai/gpt-4.1`,
      { choice },
    );
  }
  const { provider, name } = parts;
  if (isProviderName(provider)) return { provider, name };
  const known = knownNames(hasHost);
  throw new ModelError('unknown-provider', `unknown provider '${provider}': the known ones are ${known}`, {
    provider,
    known,
  });
}

/**
 * Resolves a choice `PROVIDER/NAME` to where it is reached and with which key.
 * @throws ModelError as `readChoice`; `no-key`, `bad-request` (the base URL is missing or none)
 */
export function findEndpoint(choice: string, options: EndpointOptions): Endpoint {
  const { provider, name } = readChoice(choice);
  const { keyVariable = 'no variable', needsKey, baseUrl: own } = providers[provider];
  const baseUrl = readBaseUrl(options.baseUrls?.[provider] ?? options.baseUrl ?? own, provider);
  const apiKey = options.environment[keyVariable]?.trim();
  if (apiKey) return { provider, name, baseUrl, keyVariable, apiKey };
  const isOptional = needsKey === 'never' || (needsKey === 'unless-loopback' && isLoopback(baseUrl));
  if (isOptional) return { provider, name, baseUrl, keyVariable };
  throw new ModelError('no-key', `${provider} needs a key: set ${keyVariable}`, {
    provider,
    variable: keyVariable,
  });
}

function readBaseUrl(written: string | undefined, provider: string): string {
  if (written === undefined) {
    throw new ModelError('bad-request', `${provider} needs a base URL: pass --base-url`, { provider });
  }
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== ''
  ) {
    throw new ModelError(
      'bad-request',
      'the base URL must be http:// or https:// without credentials and query, as in http://127.0.0.1:11434/v1',
      { provider },
    );
  }
  return url.href.replace(/\/+$/, '');
}
