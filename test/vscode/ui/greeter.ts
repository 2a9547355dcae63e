import { greeterTurns, writtenPlaybook, type WrittenTurn } from '../../command-line/greeter.ts';

/** Files of a workspace with a specification and a playbook that builds it; a worker runs the command on its way. */
export function greeterWorkspace(
  turns: readonly WrittenTurn[] = greeterTurns(),
): Readonly<Record<string, string>> {
  return {
    'spec.md': '# Greeter\n\n## Program\n\n`greet.mjs` prints `hello`.\n',
    'playbook.yaml': writtenPlaybook(turns),
    'package.json': '{ "name": "greeter", "private": true, "scripts": { "test": "node greet.mjs" } }\n',
  };
}

/** Settings with which "Build from Spec…" plays it. */
export const greeterSettings: Readonly<Record<string, unknown>> = { 'swarmwright.playbook': 'playbook.yaml' };
