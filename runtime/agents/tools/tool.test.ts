import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { parseFirstLine } from '#protocol/first-line.ts';
import { SpecError } from '#spec/errors.ts';
import { VcsError } from '#vcs/errors.ts';
import { textArgument } from './arguments.ts';
import { defineTool, invalid, result, runToolCall, type Tool } from './tool.ts';
import { plannerTools, resolverTools, workerTools } from './toolsets.ts';

const echo: Tool<null> = defineTool({
  name: 'echo',
  description: 'Says it again.',
  schema: z.strictObject({
    text: textArgument.min(1),
    times: z.int().min(1).optional(),
    tone: z.enum(['loud', 'soft']).optional(),
  }),
  run: async ({ text, times = 1 }) => result({ outcome: 'said', times }, text),
});

const failing = (error: Error): Tool<null> =>
  defineTool({
    name: 'failing',
    description: 'Fails.',
    schema: z.strictObject({}),
    run: async () => {
      throw error;
    },
  });

async function call(tool: Tool<null>, args: string, name = tool.name): Promise<string> {
  const made = { id: '1', name, args };
  return (await runToolCall([tool], made, null, new AbortController().signal)).text;
}

describe('a tool call', () => {
  test('is run with arguments that fit', async () => {
    expect(await call(echo, '{"text":"hello","times":2}')).toBe('outcome=said times=2\nhello');
  });

  test('may leave arguments out by null, as some models do', async () => {
    expect(await call(echo, '{"text":"hello","times":null}')).toBe('outcome=said times=1\nhello');
  });

  test('without arguments may have no text at all', async () => {
    expect(await call(echo, '')).toMatch(/^outcome=invalid problem="text: /);
  });

  test.each([
    ['{"times":1}', 'text: expected string, received undefined'],
    ['{"text":""}', 'text: Too small: expected string to have >=1 characters'],
    ['{"text":"a","times":0}', 'times: Too small: expected number to be >=1'],
    ['{"text":"a","tone":"x"}', 'tone: Invalid option: expected one of "loud"|"soft"'],
    ['{"text":"a","volume":1}', 'Unrecognized key: "volume"'],
    ['{"text":"\\ud83d"}', 'text: wanted well-formed text, got half a surrogate pair'],
    ['["text"]', 'expected object, received array'],
    ['{"times":"2"}', 'text: expected string, received undefined; times: expected number, received string'],
  ])('that does not fit is answered with what is wanted: %s', async (args, problem) => {
    const text = await call(echo, args);
    expect(parseFirstLine(text)).toEqual(
      new Map([
        ['outcome', 'invalid'],
        ['problem', problem],
      ]),
    );
  });

  test('whose arguments are no JSON, as when it was cut off, is answered so', async () => {
    const text = await call(echo, '{"text":"hel');
    expect(text).toMatch(/^outcome=invalid problem="the arguments are not JSON"\n/);
    expect(text).toContain('send less in one call');
  });

  test('of a tool that the role does not have names those it has', async () => {
    expect(await call(echo, '{}', 'spawn')).toBe('outcome=invalid problem="no tool spawn; there are echo"');
  });

  test('that names a wrong path or section is answered, not thrown', async () => {
    const path = new VcsError('bad-path', 'paths are relative', { path: '/etc/passwd' });
    expect(await call(failing(path), '{}')).toBe('outcome=invalid problem="/etc/passwd: paths are relative"');
    const section = new SpecError('no-such-section', 'no section x; near: y');
    expect(await call(failing(section), '{}')).toBe('outcome=invalid problem="no section x; near: y"');
  });

  test('that fails for a reason of the store is thrown', async () => {
    await expect(call(failing(new VcsError('io', 'disk full')), '{}')).rejects.toThrow('disk full');
  });

  test('with a huge result is cut in the middle', () => {
    const { text } = result({ exit: 0 }, 'x'.repeat(1_000_000));
    expect(text.length).toBeLessThan(66_000);
    expect(text).toMatch(/^exit=0\nx+\n\[\d+ bytes left out\]\nx+$/);
  });

  test('whose problem has several lines still has one first line', () => {
    expect(invalid('a\nb').text).toBe('outcome=invalid problem="a\\nb"');
  });
});

function names(tools: readonly { readonly name: string }[]): readonly string[] {
  return tools.map(({ name }) => name);
}

const toolsets = { worker: workerTools, planner: plannerTools, resolver: resolverTools };

describe('the tools of a role', () => {
  test.each(Object.entries(toolsets))('%s: names, descriptions and schemas', async (role, tools) => {
    const specs = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const text = `${JSON.stringify(specs, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`schemas-${role}.golden.json`);
  });

  test('planners cannot write or run, workers cannot plan, resolvers can only answer', () => {
    const reading = ['read_file', 'list_files', 'search', 'spec_outline', 'spec_read', 'spec_search'];
    expect(names(plannerTools)).toEqual([...reading, 'record_decision', 'plan', 'drop_parked', 'finish']);
    expect(names(workerTools)).toEqual([
      ...reading,
      'edit_file',
      'write_file',
      'delete_file',
      'move_file',
      'run_command',
      'sync',
      'submit',
      'finish',
    ]);
    expect(names(resolverTools)).toEqual(['resolve']);
  });

  test.each(Object.entries(toolsets))('%s: each is an object schema without extras', (_role, tools) => {
    for (const { parameters } of tools) {
      expect(parameters).toMatchObject({ type: 'object', additionalProperties: false });
      expect(parameters).not.toHaveProperty('$schema');
    }
  });
});
