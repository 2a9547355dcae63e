import type { ModelError, ModelErrorCode } from '#models/errors.ts';
import { fact } from './errors.ts';
import { duration } from './text.ts';

/** What a failed call to a model means for the user, and what to do. */
export function modelSentence(error: ModelError): string {
  const { code } = error;
  return isPlaybookCode(code) ? playbookSentence(error, code) : providerSentence(error, code);
}

type PlaybookCode = Extract<ModelErrorCode, `playbook-${string}`>;

function isPlaybookCode(code: ModelErrorCode): code is PlaybookCode {
  return code.startsWith('playbook-');
}

function playbookSentence(error: ModelError, code: PlaybookCode): string {
  const file = fact(error, 'file') ?? 'the playbook';
  const line = fact(error, 'line');
  const place = line === undefined ? file : `${file}:${line}`;
  switch (code) {
    case 'playbook-malformed':
      return `${place} is malformed: ${fact(error, 'problem') ?? error.message}. Correct it; \`playbook check\` shows more.`;
    case 'playbook-missing-turn':
      return `${file} has no turn for the call "${fact(error, 'key') ?? ''}": add it, then resume. \`playbook check\` lists missing turns.`;
    case 'playbook-contradicted':
      return `${place} expected "${fact(error, 'expected') ?? ''}" from ${fact(error, 'tool') ?? 'a tool'} in the turn "${fact(error, 'key') ?? ''}", and "${fact(error, 'actual') ?? ''}" came: correct the turn or what it expects, then build anew, since turns that were played are not played again.`;
    default:
      code satisfies never;
      return error.message;
  }
}

function providerSentence(error: ModelError, code: Exclude<ModelErrorCode, PlaybookCode>): string {
  const model = fact(error, 'model') ?? fact(error, 'provider') ?? 'the model';
  switch (code) {
    case 'no-key': {
      const variable = fact(error, 'variable', 'env', 'name');
      const where = variable === undefined ? 'its variable of the environment' : `the variable ${variable}`;
      return `no key for ${fact(error, 'provider') ?? model} is set: put it into ${where}.`;
    }
    case 'auth':
      return `${model} did not accept the key: check ${fact(error, 'variable', 'env') ?? 'it'}.`;
    case 'unknown-provider':
      return `there is no provider "${fact(error, 'provider') ?? ''}": ${known(error) ?? 'name one that is known, as in --model worker=anthropic/NAME'}.`;
    case 'unknown-model':
      return `the provider does not know the model "${model}": check the name after the slash in --model.`;
    case 'no-price':
      return `the price of ${model} is not known, so that --budget-usd cannot be kept: leave it out and cap tokens with --max-tokens.`;
    case 'budget':
      return `a cap is reached (${error.message}): raise it with \`resume\` and the cap's option.`;
    case 'quota':
      return `the account of ${model} has no credit left: add some at the provider, then resume.`;
    case 'rate-limited':
      return `${model} refuses so many calls${wait(error)}: resume later, or with a smaller --concurrency.`;
    case 'overloaded':
    case 'server':
      return `${model} failed to answer several times (${error.message})${wait(error)}: resume later.`;
    case 'network':
      return `${fact(error, 'url', 'baseUrl') ?? model} cannot be reached (${error.message}): check that its server runs, the address in --base-url and the network, then resume.`;
    case 'timeout':
      return `${model} did not answer in time: check that it is running, then resume.`;
    case 'broken-stream':
      return `the answer of ${model} broke off several times (${error.message}): resume.`;
    case 'bad-answer':
      return `${model} answered with something that is no answer (${error.message}): check where --base-url leads.`;
    case 'bad-request':
      return `${model} refused the request (${error.message}): choose another model with --model.`;
    case 'refused':
      return `${model} declined to answer (${error.message}): change the specification or the model.`;
    case 'context-overflow':
      return `the task does not fit into the context of ${model}: choose a model with a longer one.`;
    default:
      code satisfies never;
      return error.message;
  }
}

function known(error: ModelError): string | undefined {
  const list = fact(error, 'known', 'providers');
  return list === undefined ? undefined : `known are ${list}`;
}

function wait(error: ModelError): string {
  return error.retryAfter === undefined ? '' : ` (it asks to wait ${duration(error.retryAfter)})`;
}
