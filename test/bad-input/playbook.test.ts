import { describe, expect, it, vi } from 'vitest';
import {
  closingTurn,
  finishCall,
  greeterBuild,
  greeterFiles,
  greeterTurns,
  greetTurn,
  planTurn,
  writeCall,
  writtenPlaybook,
  type WrittenCall,
  type WrittenTurn,
} from '../command-line/greeter.ts';
import { inProcess } from '../command-line/in-process.ts';
import { Project } from '../command-line/project.ts';
import { expectOneLine, expectRefusal, expectResumes } from './refusal.ts';

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

describe('a playbook is refused, and nothing is started, when', () => {
  const good = writtenPlaybook(greeterTurns());

  it.each([
    ['it is no YAML', 'title: [unclosed\n', [/playbook\.yaml:\d+ is malformed/u, 'Correct it']],
    ['it is binary', Uint8Array.of(0, 0xff, 0xfe, 0), ['playbook.yaml is malformed', 'not UTF-8']],
    ['it is empty', '', ['playbook.yaml', 'is malformed']],
    [
      'it has a turn without a key',
      good.replace('key: planner root 1 2', 'name: planner'),
      [/playbook\.yaml:\d+/u, 'key'],
    ],
    [
      'it has a turn of no role',
      good.replace('key: planner root 1 2', 'key: poet root 1 2'),
      [/playbook\.yaml:\d+/u],
    ],
    [
      'it has a turn twice',
      writtenPlaybook([...greeterTurns(), planTurn]),
      [/playbook\.yaml:\d+/u, 'twice', 'planner root 1 1'],
    ],
    [
      'it has a turn that does nothing',
      `${good}  - key: planner root 1 3\n`,
      [/playbook\.yaml:\d+/u, 'does nothing'],
    ],
    [
      'it waits for what is no fact',
      good.replace('key: planner root 1 2', 'key: planner root 1 2\n    after: [root/greet finished]'),
      [/playbook\.yaml:\d+/u, 'committed'],
    ],
    [
      'it expects something that is no key=value',
      good.replace('- tool: plan', '- tool: plan\n        expect: all is well'),
      [/playbook\.yaml:\d+/u, 'key=value'],
    ],
    [
      'it names a file that is missing',
      good.replace('- tool: plan', '- tool: plan\n        files: { goal: parts/goal.txt }'),
      [/playbook\.yaml:\d+/u, 'parts/goal.txt'],
    ],
    [
      'it names a file outside its folder',
      good.replace('- tool: plan', '- tool: plan\n        files: { goal: ../goal.txt }'),
      [/playbook\.yaml:\d+/u, 'outside'],
    ],
  ])('%s', async (_, content, words) => {
    await using project = await Project.create({ ...greeterFiles(), 'playbook.yaml': content });
    await expectRefusal(project, await inProcess(project, greeterBuild), words);
  });

  it('nothing is there', async () => {
    await using project = await Project.create(greeterFiles());
    const end = await project.run(greeterBuild.map((word) => word.replace('playbook.yaml', 'none.yaml')));
    await expectRefusal(project, end, [project.path('none.yaml')]);
  });

  it('more agents at once are needed than it is given', async () => {
    await using project = await Project.create(greeterFiles());
    const end = await project.run([...greeterBuild, '--concurrency', '1']);
    await expectRefusal(project, end, ['2 agents at once', 'give --concurrency 2 or more']);
  });
});

function withGreet(...calls: readonly WrittenCall[]): readonly WrittenTurn[] {
  return [planTurn, closingTurn, greetTurn(...calls)];
}

describe('a run is stopped by its playbook, and goes on once that is put right, when', () => {
  const finishTurn: WrittenTurn = { key: 'worker root/greet 1 2', calls: [finishCall] };

  it.each<readonly [string, readonly WrittenTurn[], readonly WrittenTurn[], readonly (RegExp | string)[]]>([
    [
      'a turn is missing',
      [planTurn, closingTurn],
      greeterTurns(),
      ['playbook.yaml has no turn for the call "worker root/greet 1 1"', 'add it, then resume'],
    ],
    [
      'the result of a call contradicts what its turn expects',
      [...withGreet({ ...writeCall, expect: 'outcome=edited' }), finishTurn],
      [...withGreet({ ...writeCall, expect: 'outcome=written' }), finishTurn],
      [
        /playbook\.yaml:\d+/u,
        'expected "outcome=edited" from write_file',
        '"worker root/greet 1 1"',
        'outcome=written',
        'correct',
      ],
    ],
    [
      'a call has arguments that do not fit',
      [
        ...withGreet({ tool: 'write_file', args: { file: 'greet.mjs' }, expect: 'outcome=written' }),
        finishTurn,
      ],
      [
        ...withGreet({ tool: 'write_file', args: { file: 'greet.mjs' }, expect: 'outcome=invalid' }),
        { key: 'worker root/greet 1 2', calls: [writeCall, finishCall] },
      ],
      ['expected "outcome=written"', 'outcome=invalid', 'correct'],
    ],
    [
      'a call names a tool that its role does not have',
      [...withGreet(writeCall, { tool: 'plan', args: {}, expect: 'outcome=accepted' }), finishTurn],
      [...withGreet(writeCall, { tool: 'plan', args: {}, expect: 'outcome=invalid' }), finishTurn],
      ['expected "outcome=accepted" from plan', 'outcome=invalid', 'correct'],
    ],
  ])('%s', async (_, broken, mended, words) => {
    await using project = await Project.create(greeterFiles(broken));
    const end = await project.run(greeterBuild);
    expectOneLine(end, words);
    expect(end.stdout).toMatch(/Go on with: .* resume --store /u);
    await project.write('playbook.yaml', writtenPlaybook(mended));
    await expectResumes(project);
  });
});

describe('`playbook check` fails, and names', () => {
  it.each([
    ['turns that are missing', greeterTurns().slice(0, 2), ['worker root/greet 1 1']],
    [
      'turns that nothing asks for',
      [...greeterTurns(), { key: 'worker root/other 1 1', calls: [finishCall] }],
      ['worker root/other 1 1'],
    ],
    ['tools that are none', [planTurn, closingTurn, greetTurn({ tool: 'fly' }, finishCall)], ['fly']],
  ])('%s', async (_, turns, words) => {
    await using project = await Project.create(greeterFiles(turns));
    const end = await inProcess(project, ['playbook', 'check', 'playbook.yaml']);
    expect(end.code).toBe(1);
    for (const word of words) expect(end.stdout).toContain(word);
    expect(end.stderr).toBe('');
  });
});
