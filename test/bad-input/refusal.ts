import { expect } from 'vitest';
import type { CommandEnd } from '../command-line/command.ts';
import { inProcess } from '../command-line/in-process.ts';
import type { Project } from '../command-line/project.ts';

/** One clear line on stderr, in which `words` stand, and no stack; another exit code than 0. */
export function expectOneLine(
  end: Pick<CommandEnd, 'code' | 'stderr'>,
  words: readonly (RegExp | string)[],
  code = 1,
): void {
  expect(end.stderr).toMatch(/^swarmwright: [^\n]+\n$/u);
  for (const word of words) expect(end.stderr).toMatch(word);
  expect(end.code).toBe(code);
}

/** Refused before anything was started: the workspace is as it was, and no store is left behind. */
export async function expectRefusal(
  project: Project,
  end: CommandEnd,
  words: readonly (RegExp | string)[],
  code = 1,
): Promise<void> {
  expectOneLine(end, words, code);
  expect(end.stdout).toBe('');
  expect(await project.workspace()).toEqual({ 'mine.txt': '644 mine\n' });
  expect(project.has('store')).toBe(false);
  expect(project.has('state')).toBe(false);
}

/** What stops a run that had started loses nothing: with the cause out of the way, `resume` ends with the whole result. */
export async function expectResumes(project: Project, ...more: readonly string[]): Promise<void> {
  expect(await project.workspace()).toEqual({ 'mine.txt': '644 mine\n' });
  const { code, stderr } = await inProcess(project, ['resume', '--store', 'store', ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await project.workspace()).toEqual({
    'greet.mjs': "644 console.log('hello');\n",
    'mine.txt': '644 mine\n',
  });
}
