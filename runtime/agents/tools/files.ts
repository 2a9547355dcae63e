import { isSecretFile } from '#protocol/secret-files.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';

import type { FileTree } from '#protocol/file-tree.ts';
import { folderArgument, lineArgument, pathArgument } from './arguments.ts';
import type { ReadingContext } from './context.ts';
import { byteLength, prefixOfBytes, resultBytes } from './limits.ts';
import { decodeText, lineEndsOf, linesOf, readTextFile, type TextFile } from './text-file.ts';
import { defineTool, invalid, result, type Tool, type ToolResult } from './tool.ts';

/** Room for the notes that stand beside the lines of a result. Bytes. */
const lineBytes = resultBytes - 1024;
const linesPerRead = 2000;
const pathsPerList = 1000;
const hitsPerSearch = 100;
const searchedFileBytes = 1024 * 1024;
const hitCharacters = 200;

const lineNumber = z.int().min(1).optional();

export const readFile: Tool<ReadingContext> = defineTool({
  name: 'read_file',
  description:
    'Lines of a text file. Each line begins with its number and a tab, which are not part of the file. ' +
    `At most ${linesPerRead} lines or 64 KiB a call.`,
  schema: z.strictObject({
    path: pathArgument,
    from_line: lineNumber.describe('First line; 1 when left out.'),
    to_line: lineNumber.describe('Last line, included.'),
  }),
  run: async ({ path, from_line: from = 1, to_line: to }, context: ReadingContext) => {
    const note = context.note(path);
    const notes = note === undefined ? '' : `note: ${note}`;
    const file = await readTextFile(context.tree, path);
    switch (file.kind) {
      case 'absent':
        return absent(context.tree, path);
      case 'refused':
        return invalid(`path: ${file.problem}`, notes);
      case 'link':
        return result({ path, link: file.target }, notes, 'note: a symbolic link; it is not followed');
      case 'text':
        return showLines(path, file, from, to ?? Number.MAX_SAFE_INTEGER, notes);
      default:
        return file satisfies never;
    }
  },
});

function showLines(
  path: string,
  file: Extract<TextFile, { kind: 'text' }>,
  from: number,
  to: number,
  notes: string,
): ToolResult {
  const { text, bom } = file.content;
  const lines = linesOf(text);
  if (to < from) return invalid(`to_line: wanted ${from} or more`);
  if (from > Math.max(1, lines.length)) return invalid(`from_line: the file has ${lines.length} lines`);
  if (lines.length === 0) return result({ path, lines: '0-0', of: 0 }, notes, bom ? bomNote : '');
  const wanted = lines.slice(from - 1, Math.min(to, from - 1 + linesPerRead));
  const shown: string[] = [];
  let bytes = 0;
  for (const [index, line] of wanted.entries()) {
    const numbered = `${from + index}\t${line}`;
    bytes += byteLength(numbered) + 1;
    if (bytes > lineBytes) break;
    shown.push(numbered);
  }
  const [first = ''] = wanted;
  const cut = shown.length === 0;
  if (cut) shown.push(prefixOfBytes(`${from}\t${first}`, lineBytes));
  const last = from - 1 + shown.length;
  const rest = last < Math.min(to, lines.length) ? `note: read on with from_line=${last + 1}` : '';
  return result(
    { path, lines: `${from}-${last}`, of: lines.length },
    notes,
    bom ? bomNote : '',
    lineEndNote(text),
    cut ? `note: line ${from} is too long and was cut` : '',
    rest,
    shown.join('\n'),
  );
}

const bomNote = 'note: begins with a byte order mark, which edits keep';

function lineEndNote(text: string): string {
  const ends = lineEndsOf(text);
  if (ends === 'crlf') return 'note: CRLF line ends, which edits keep';
  if (ends === 'mixed') return 'note: CRLF and LF line ends mixed, which edits keep';
  return '';
}

/** Names what was probably meant. */
export function absent(tree: FileTree, path: string, argument = 'path'): ToolResult {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const alike: string[] = [];
  let folder = false;
  for (const [other] of tree.walk()) {
    folder ||= other.startsWith(`${path}/`);
    if (alike.length < 5 && (other === name || other.endsWith(`/${name}`))) alike.push(other);
  }
  if (folder) return invalid(`${argument}: ${path} is a folder; list_files shows what is in it`);
  const hint = alike.length === 0 ? '' : `Of the same name: ${alike.join(', ')}`;
  return invalid(`${argument}: no such file: ${path}`, hint);
}

export const listFiles: Tool<ReadingContext> = defineTool({
  name: 'list_files',
  description: `Paths of the files, with their bytes. Above ${pathsPerList}: folders with the number of files in each.`,
  schema: z.strictObject({ folder: folderArgument.optional() }),
  run: async ({ folder = '' }, context: ReadingContext) => {
    const files = [...context.tree.walk(folder)];
    const first = { folder: folder === '' ? '.' : folder, files: files.length };
    if (files.length === 0) return result(first, folder === '' ? '' : 'note: no such folder');
    if (files.length <= pathsPerList) {
      return result(first, files.map(([path, { size }]) => `${path}\t${size}`).join('\n'));
    }
    const children = countByChild(
      files.map(([path]) => path),
      folder,
    );
    const note = `note: too many to list; list one of the folders`;
    return result(first, note, children.slice(0, pathsPerList).join('\n'));
  },
});

/** The folder's own files, and its folders with the number of files in each. */
function countByChild(paths: readonly string[], folder: string): readonly string[] {
  const start = folder === '' ? 0 : folder.length + 1;
  const counts = new Map<string, number>();
  for (const path of paths) {
    const cut = path.indexOf('/', start);
    const child = cut < 0 ? path : path.slice(0, cut + 1);
    counts.set(child, (counts.get(child) ?? 0) + 1);
  }
  return [...counts].map(([child, count]) => (child.endsWith('/') ? `${child}\t${count} files` : child));
}

export const search: Tool<ReadingContext> = defineTool({
  name: 'search',
  description: `Lines that hold a plain text, ignoring case. At most ${hitsPerSearch} lines; files over 1 MiB are skipped.`,
  schema: z.strictObject({
    query: lineArgument(300).describe('Plain text, no pattern.'),
    folder: folderArgument.optional(),
  }),
  run: async ({ query, folder = '' }, context: ReadingContext, signal) => {
    const { hits, files, skipped } = await searchTree(context.tree, query, folder, signal);
    const notes = [
      hits.length === hitsPerSearch ? `note: stopped at ${hitsPerSearch}; narrow it by folder or words` : '',
      skipped === 0 ? '' : `note: ${skipped} files skipped, which are over 1 MiB or not UTF-8`,
    ];
    return result({ matches: hits.length, files }, ...notes, hits.join('\n'));
  },
});

async function searchTree(
  tree: FileTree,
  query: string,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly hits: readonly string[]; readonly files: number; readonly skipped: number }> {
  const needle = query.toLowerCase();
  const hits: string[] = [];
  let files = 0;
  let skipped = 0;
  let seen = 0;
  for (const [path, entry] of tree.walk(folder)) {
    if (entry.mode === 'symlink' || isSecretFile(path)) continue;
    seen += 1;
    // Others get their turn, and a search can be called off.
    if (seen % 64 === 0) await nextTurn();
    signal.throwIfAborted();
    // In order, so that the hits are sorted and one file at a time is in memory.
    const content = entry.size > searchedFileBytes ? undefined : decodeText(await tree.read(path));
    if (content === undefined) {
      skipped += 1;
      continue;
    }
    const found = content.text.toLowerCase().includes(needle) ? linesWith(content.text, needle) : [];
    if (found.length > 0) files += 1;
    hits.push(...found.map(([line, text]) => `${path}:${line}: ${text}`));
    if (hits.length >= hitsPerSearch) break;
  }
  return { hits: hits.slice(0, hitsPerSearch), files, skipped };
}

function linesWith(text: string, needle: string): readonly (readonly [line: number, text: string])[] {
  return linesOf(text).flatMap((line, index) => {
    const at = line.toLowerCase().indexOf(needle);
    if (at < 0) return [];
    // A long line is shown around the place.
    const start = Math.max(0, Math.min(at - 40, line.length - hitCharacters));
    const shown = line.slice(start, start + hitCharacters);
    return [[index + 1, start > 0 || shown.length < line.length ? `…${shown}…` : shown] as const];
  });
}
