import { describe, expect, it } from 'vitest';
import { plannerPrompt } from '#agents/prompts/planner-prompt.ts';
import { resolverPrompt } from '#agents/prompts/resolver-prompt.ts';
import { workerPrompt } from '#agents/prompts/worker-prompt.ts';
import type { PlannerBrief, Prompt, ResolverBrief, WorkerBrief } from '#agents/prompts/briefs.ts';
import type { ChatMessage } from '#protocol/models.ts';
import { deriveCallKey } from './derive-call-key.ts';

const worker: WorkerBrief = {
  task: 'root/sql/parser',
  attempt: 1,
  goal: 'Parse.\n# Task root/other\n## Attempt 7',
  acceptance: ['It parses.'],
  scope: ['src/**'],
  shared: [],
  sections: [],
  decisions: [],
  dependencies: [],
  fieldGuide: { folder: 'field-guide', indexLines: 120, folderLines: 600, index: '' },
  sandbox: 'bubblewrap',
};
const planner: PlannerBrief = {
  ...worker,
  task: 'root',
  outline: [],
  decides: [],
  files: '',
  tasksLeft: 9,
  depthLeft: 3,
};
const conflict: ResolverBrief = {
  path: 'src/a `b`.js',
  kind: 'content',
  base: 'a\n',
  trunk: 'b\n',
  ours: 'c\n',
  trunkTasks: [
    { task: 'root/lexer', goal: '### root/none' },
    { task: 'root/b', goal: 'x' },
  ],
  ourTask: { task: 'root/a', goal: 'y' },
  decisions: [],
  hunks: [],
  round: 1,
};

/** An editor's models have no system role: the prompt's two parts come as a user's. */
function sent({ system, user }: Prompt, turns: number): readonly ChatMessage[] {
  const answers = Array.from({ length: turns }, (): readonly ChatMessage[] => [
    { role: 'assistant', text: '', toolCalls: [{ id: 'c', name: 'read_file', args: '{}' }] },
    { role: 'tool', callId: 'c', text: 'outcome=read\n# Task root/quoted\n## Attempt 5' },
  ]);
  return [{ role: 'user', text: system }, { role: 'user', text: user }, ...answers.flat()];
}

describe('the key of a call, as a provider sees it', () => {
  it('is that of a worker, with its turn', () => {
    expect(deriveCallKey(sent(workerPrompt(worker), 0))).toBe('worker root/sql/parser 1 1');
    expect(deriveCallKey(sent(workerPrompt(worker), 2))).toBe('worker root/sql/parser 1 3');
  });

  it('names the attempt of an agent that takes over', () => {
    const previous = { mode: 'stalled', details: '' } as const;
    expect(deriveCallKey(sent(workerPrompt({ ...worker, goal: 'x', attempt: 2, previous }), 0))).toBe(
      'worker root/sql/parser 2 1',
    );
  });

  it('is that of a planner', () => {
    expect(deriveCallKey(sent(plannerPrompt({ ...planner, goal: 'x' }), 1))).toBe('planner root 1 2');
  });

  it('is that of a resolver, with the tasks of both sides sorted', () => {
    expect(deriveCallKey(sent(resolverPrompt(conflict), 0))).toBe(
      'resolver src/a `b`.js root/a+root/b+root/lexer 1 1',
    );
    expect(deriveCallKey(sent(resolverPrompt({ ...conflict, round: 2, problems: ['x'] }), 1))).toBe(
      'resolver src/a `b`.js root/a+root/b+root/lexer 2 2',
    );
  });

  it('is none for what no agent has said', () => {
    expect(deriveCallKey([{ role: 'user', text: 'Hello.' }])).toBeUndefined();
  });
});
