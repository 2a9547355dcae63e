/** How a provider is spoken to. `host`: models that the surrounding program has, as an editor does. */
export type WireFormatName = 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'host';

/** What is known of a provider before anything is asked of it: for settings, key prompts, and the models themselves. */
export interface ProviderInfo {
  /** As in a choice `NAME/MODEL`. */
  readonly name: ProviderName;
  /** For people. */
  readonly label: string;
  readonly format: WireFormatName;
  /** The environment variable, or secret, that holds its key. Absent where there is nothing to hold. */
  readonly keyVariable?: string;
  /** `unless-loopback`: a server on this machine may ask for none. */
  readonly needsKey: 'always' | 'unless-loopback' | 'never';
  /** With its version, without a slash at its end. Absent: there is none, or the user must say it. */
  readonly baseUrl?: string;
  /** True when it cannot be reached until the user has said where it is. */
  readonly needsBaseUrl: boolean;
  /** A name as the provider writes them, for hints. */
  readonly exampleModel: string;
}

export type ProviderName =
  | 'anthropic'
  | 'openai'
  | 'openrouter'
  | 'ollama'
  | 'lmstudio'
  | 'compatible'
  | 'vscode';

/** All providers, in the order in which they are offered. The playbook is none: it is a file of the user's. */
export const providers: Readonly<Record<ProviderName, ProviderInfo>> = {
  anthropic: {
    name: 'anthropic',
    label: 'Anthropic',
    format: 'anthropic-messages',
    keyVariable: 'ANTHROPIC_API_KEY',
    needsKey: 'always',
    baseUrl: 'https://api.anthropic.com/v1',
    needsBaseUrl: false,
    exampleModel: 'claude-sonnet-5-5',
  },
  openai: {
    name: 'openai',
    label: 'OpenAI',
    format: 'openai-responses',
    keyVariable: 'OPENAI_API_KEY',
    needsKey: 'always',
    baseUrl: 'https://api.openai.com/v1',
    needsBaseUrl: false,
    exampleModel: 'gpt-5.4-mini',
  },
  openrouter: {
    name: 'openrouter',
    label: 'OpenRouter',
    format: 'openai-chat',
    keyVariable: 'OPENROUTER_API_KEY',
    needsKey: 'always',
    baseUrl: 'https://openrouter.ai/api/v1',
    needsBaseUrl: false,
    exampleModel: 'qwen/qwen3-coder',
  },
  ollama: {
    name: 'ollama',
    label: 'Ollama',
    format: 'openai-chat',
    keyVariable: 'OLLAMA_API_KEY',
    needsKey: 'unless-loopback',
    baseUrl: 'http://127.0.0.1:11434/v1',
    needsBaseUrl: false,
    exampleModel: 'qwen3-coder:30b',
  },
  lmstudio: {
    name: 'lmstudio',
    label: 'LM Studio',
    format: 'openai-chat',
    keyVariable: 'LMSTUDIO_API_KEY',
    needsKey: 'unless-loopback',
    baseUrl: 'http://127.0.0.1:1234/v1',
    needsBaseUrl: false,
    exampleModel: 'qwen/qwen3-coder-30b',
  },
  compatible: {
    name: 'compatible',
    label: 'OpenAI-compatible server',
    format: 'openai-chat',
    keyVariable: 'COMPATIBLE_API_KEY',
    needsKey: 'unless-loopback',
    needsBaseUrl: true,
    exampleModel: 'my-model',
  },
  vscode: {
    name: 'vscode',
    label: 'VS Code',
    format: 'host',
    needsKey: 'never',
    needsBaseUrl: false,
    exampleModel: 'copilot/gpt-5-mini',
  },
};

export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(providers, name);
}

/** A choice `PROVIDER/NAME` in its parts; names may hold slashes. Undefined when it has not that form. */
export function parseModelChoice(
  choice: string,
): { readonly provider: string; readonly name: string } | undefined {
  const [, provider, name] = /^([^/\s]+)\/(\S+)$/.exec(choice) ?? [];
  return provider === undefined || name === undefined ? undefined : { provider, name };
}
