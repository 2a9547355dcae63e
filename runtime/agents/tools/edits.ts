import { z } from 'zod';

import { isInScope } from '#protocol/scopes.ts';
import { pathArgument, textArgument } from './arguments.ts';
import type { WorkerContext } from './context.ts';
import { editExactly } from './exact-edit.ts';
import { absent } from './files.ts';
import { encodeText, lineEndsOf, linesOf, readTextFile, type TextFile } from './text-file.ts';
import { defineTool, invalid, result, type Tool } from './tool.ts';

export const editFile: Tool<WorkerContext> = defineTool({
  name: 'edit_file',
  description:
    'Replaces the one place where `old` stands. `old` must be exact, white space included, and stand there once. ' +
    'Line ends match whether LF or CRLF, and stay as the file has them.',
  schema: z.strictObject({
    path: pathArgument,
    old: textArgument.describe('Exact text, without the line numbers of read_file.'),
    new: textArgument,
  }),
  run: async ({ path, old, new: replacement }, context: WorkerContext) => {
    const file = await readTextFile(context.view, path);
    if (file.kind === 'absent') return absent(context.view, path);
    if (file.kind !== 'text') return invalid(`path: ${whyNotEdited(path, file)}`);
    const edit = editExactly(file.content.text, withoutMark(old), withoutMark(replacement));
    if (edit.kind === 'refused') return invalid(edit.problem, edit.hint);
    const content = encodeText({ text: edit.text, bom: file.content.bom });
    context.view.write(path, content, file.entry.mode);
    return result({ outcome: 'edited', path }, notesOn(context, path));
  },
});

export const writeFile: Tool<WorkerContext> = defineTool({
  name: 'write_file',
  description: 'Makes a file or replaces all of it. The bytes are the content, as it is given.',
  schema: z.strictObject({
    path: pathArgument,
    content: textArgument,
    executable: z.boolean().optional().describe('Stays as it is when left out.'),
  }),
  run: async ({ path, content, executable }, context: WorkerContext) => {
    const file = await readTextFile(context.view, path);
    if (file.kind === 'link' || file.kind === 'refused') {
      return invalid(`path: ${whyNotEdited(path, file)}; delete it first if it is to be replaced`);
    }
    const before = file.kind === 'text' ? file.entry.mode : 'file';
    const mode = executable === undefined ? before : executable ? 'executable' : 'file';
    context.view.write(path, new TextEncoder().encode(content), mode);
    const lines = linesOf(content).length;
    return result({ outcome: 'written', path, lines }, flips(file, content), notesOn(context, path));
  },
});

export const deleteFile: Tool<WorkerContext> = defineTool({
  name: 'delete_file',
  description: 'Deletes a file.',
  schema: z.strictObject({ path: pathArgument }),
  run: async ({ path }, context: WorkerContext) => {
    if (context.view.entry(path) === undefined) return absent(context.view, path);
    context.view.delete(path);
    return result({ outcome: 'deleted', path }, notesOn(context, path));
  },
});

export const moveFile: Tool<WorkerContext> = defineTool({
  name: 'move_file',
  description: 'Moves or renames a file; content and mode stay. The new place must be free.',
  schema: z.strictObject({ from: pathArgument, to: pathArgument }),
  run: async ({ from, to }, context: WorkerContext) => {
    if (context.view.entry(from) === undefined) return absent(context.view, from, 'from');
    if (context.view.entry(to) !== undefined) return invalid(`to: ${to} is there already`);
    await context.view.move(from, to);
    return result({ outcome: 'moved', from, to }, notesOn(context, from, to));
  },
});

function whyNotEdited(path: string, file: Extract<TextFile, { kind: 'link' | 'refused' }>): string {
  return file.kind === 'refused' ? file.problem : `${path} is a symbolic link, which is not edited`;
}

/** read_file shows no byte order mark, so one in an argument is a habit of the model, not a wish. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function notesOn(context: WorkerContext, ...paths: readonly string[]): string {
  const outside = paths.some((path) => !isInScope(context.scope, path));
  const parked = paths.map((path) => context.note(path)).filter((note) => note !== undefined);
  const notes = [...parked, ...(outside ? ['outside your scope; submit needs breakage_reason'] : [])];
  return notes.map((note) => `note: ${note}`).join('\n');
}

/** The bytes are the agent's choice; a change of form that it may not have meant is said. */
function flips(before: TextFile, content: string): string {
  if (before.kind !== 'text') return '';
  const [was, is] = [lineEndsOf(before.content.text), lineEndsOf(content)];
  const ends = was === 'crlf' && is === 'lf' ? 'note: the file had CRLF line ends and has LF now' : '';
  const mark = before.content.bom && !content.startsWith('\uFEFF');
  return [ends, mark ? 'note: the file had a byte order mark and has none now' : '']
    .filter(Boolean)
    .join('\n');
}
