import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRun } from './session.ts';
import { realEdges, smallRun } from './testing/small-run.ts';

const twoWorkers = `
title: two words
concurrency: 2
turns:
  - key: planner root 1 1
    calls:
      - tool: record_decision
        args: { question: file-layout, choice: one file a word, why: so that workers do not meet }
        expect: outcome=recorded decision=file-layout@1
      - tool: plan
        args:
          wake: all
          tasks:
            - { name: hello, role: worker, goal: Say hello., scope: [hello.txt], acceptance: [hello.txt says hello], sections: [words/greeting] }
            - { name: bye, role: worker, goal: Say goodbye., scope: [bye.txt], acceptance: [bye.txt says goodbye], sections: [words/parting] }
        expect: outcome=accepted tasks=2
  - key: planner root 1 2
    calls:
      - tool: finish
        args: { status: done, summary: Both words are said., verification: unit-tests }
  - key: worker root/hello 1 1
    after: [root/bye started]
    calls:
      - tool: write_file
        args: { path: hello.txt, content: "hello\\n" }
        expect: outcome=written path=hello.txt
      - tool: run_command
        args: { command: cat hello.txt }
        expect: exit=0
  - key: worker root/hello 1 2
    calls:
      - tool: submit
        args: { title: say hello }
        expect: outcome=committed files=1
  - key: worker root/hello 1 3
    calls:
      - tool: finish
        args: { status: done, summary: Said hello., verification: unit-tests }
  - key: worker root/bye 1 1
    after: [root/hello committed]
    calls:
      - tool: write_file
        args: { path: bye.txt, content: "goodbye\\n" }
      - tool: finish
        args: { status: done, summary: Said goodbye., verification: not-verified }
`;

test('a planner and two workers bring a verified tree into the workspace', async () => {
  await using run = await smallRun(twoWorkers, {
    request: { verify: 'grep -q hello hello.txt && grep -q goodbye bye.txt' },
  });
  const session = await startRun(run.request, realEdges);
  try {
    expect(await session.drive(new AbortController().signal)).toBe('complete');
    expect(session.projection.counts).toMatchObject({
      tasks: 3,
      planners: 1,
      workers: 2,
      workersDone: 2,
      depth: 1,
      commits: 3,
    });
    const report = await session.land({ approve: [] });
    expect(report.verified).toBe(true);
    expect(report.files.map(({ path, result }) => `${path} ${result}`)).toEqual([
      'bye.txt written',
      'design/file-layout.md written',
      'hello.txt written',
    ]);
    expect(await readFile(join(run.workspace, 'hello.txt'), 'utf8')).toBe('hello\n');
  } finally {
    await session.close();
  }
});
