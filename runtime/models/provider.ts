import type { Scheduler } from '#edges/scheduler.ts';
import type { ChatModel } from './chat-model.ts';
import { ModelError } from './errors.ts';
import { isLoopback } from './is-loopback.ts';
import { OpenAiCompatibleModel } from './openai/openai-compatible-model.ts';

export interface ProviderOptions {
  readonly baseUrl?: string;
  /** Where keys are. Nothing else is read from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly scheduler: Scheduler;
  /** Milliseconds; see `OpenAiCompatibleOptions`. */
  readonly connectTimeout?: number;
  readonly idleTimeout?: number;
}

/** Where a model is reached. */
export interface Endpoint {
  readonly provider: string;
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly keyVariable: string;
}

/** `playbook` is made by the caller, which has the file and the facts. */
const providers = {
  openai: {
    keyVariable: 'OPENAI_API_KEY',
    baseUrl: 'https://api.openai.com/v1',
    outputCap: 'max_completion_tokens',
  },
  compatible: { keyVariable: 'COMPATIBLE_API_KEY', baseUrl: undefined, outputCap: 'max_tokens' },
} as const;
type Provider = keyof typeof providers;
const known = [...Object.keys(providers), 'playbook'].join(', ');

/** The keys that the environment holds, of all providers: none of them may be stored or shown. */
export function keysIn(environment: ProviderOptions['environment']): readonly string[] {
  return Object.values(providers).flatMap(({ keyVariable }) => {
    const key = environment[keyVariable]?.trim();
    return key ? [key] : [];
  });
}

/** The model of a choice `PROVIDER/NAME`. Nothing is sent yet. @throws ModelError as `findEndpoint` */
export function createModel(choice: string, options: ProviderOptions): ChatModel {
  const { scheduler, connectTimeout, idleTimeout } = options;
  const { provider, ...endpoint } = findEndpoint(choice, options);
  return new OpenAiCompatibleModel({
    ...endpoint,
    provider,
    outputCap: providers[provider].outputCap,
    scheduler,
    ...(connectTimeout === undefined ? {} : { connectTimeout }),
    ...(idleTimeout === undefined ? {} : { idleTimeout }),
  });
}

/**
 * Resolves a choice `PROVIDER/NAME` to where it is reached and with which key.
 * @throws ModelError `unknown-model` (the choice has not that form), `unknown-provider`, `no-key`, `bad-request` (the
 * base URL is missing or none)
 */
export function findEndpoint(
  choice: string,
  options: Pick<ProviderOptions, 'baseUrl' | 'environment'>,
): Endpoint & { readonly provider: Provider } {
  const [, provider, name] = /^([^/\s]+)\/(\S+)$/.exec(choice) ?? [];
  if (provider === undefined || name === undefined) {
    throw new ModelError(
      'unknown-model',
      `'${choice}' is no model: write PROVIDER/NAME, as in openai/gpt-4.1`,
      {
        choice,
      },
    );
  }
  if (!isProvider(provider)) {
    throw new ModelError('unknown-provider', `unknown provider '${provider}': the known ones are ${known}`, {
      provider,
      known,
    });
  }
  const { keyVariable } = providers[provider];
  const baseUrl = readBaseUrl(options.baseUrl ?? providers[provider].baseUrl, provider);
  const apiKey = options.environment[keyVariable]?.trim();
  if (apiKey) return { provider, name, baseUrl, keyVariable, apiKey };
  if (provider === 'compatible' && isLoopback(baseUrl)) return { provider, name, baseUrl, keyVariable };
  throw new ModelError('no-key', `${provider} needs a key: set ${keyVariable}`, {
    provider,
    variable: keyVariable,
  });
}

function isProvider(name: string): name is Provider {
  return Object.hasOwn(providers, name);
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
