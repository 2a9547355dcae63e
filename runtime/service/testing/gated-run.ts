import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StartRequest } from '#protocol/runtime-api.ts';
import { smallRun, type SmallRun } from '#swarm/testing/small-run.ts';

/** A run of one worker, whose first command goes on until the gate is opened. */
export interface GatedRun extends SmallRun {
  readonly start: StartRequest;
  openGate(): Promise<void>;
}

const playbook = (gate: string): string => `
title: gated
concurrency: 1
turns:
  - key: planner root 1 1
    calls:
      - tool: plan
        args:
          wake: all
          tasks:
            - { name: hello, role: worker, goal: Say hello., scope: [hello.txt], acceptance: [said], sections: [words/greeting] }
  - key: planner root 1 2
    calls:
      - tool: finish
        args: { status: done, summary: Said., verification: unit-tests }
  - key: worker root/hello 1 1
    calls:
      - tool: run_command
        args: { command: 'until test -e ${gate}; do sleep 0.02; done' }
  - key: worker root/hello 1 2
    calls:
      - tool: write_file
        args: { path: hello.txt, content: "hello\\n" }
      - tool: finish
        args: { status: done, summary: Said hello., verification: unit-tests }
`;

export async function gatedRun(): Promise<GatedRun> {
  const run = await smallRun('', { request: { unsandboxed: true, verify: 'grep -q hello hello.txt' } });
  const gate = join(run.folder, 'gate');
  await writeFile(join(run.folder, 'playbook.yaml'), playbook(gate));
  const { store: _, ...start } = run.request;
  return {
    ...run,
    start: { ...start, land: false },
    openGate: async () => writeFile(gate, ''),
    [Symbol.asyncDispose]: async () => {
      // A command outlives a runtime that is killed: without a gate it would wait for ever.
      await writeFile(gate, '');
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      await run[Symbol.asyncDispose]();
    },
  };
}
