/** What is wrong with a path that an agent or a workspace names; the codes are those of a rejection. */
export interface PathProblem {
  readonly code: 'bad-path' | 'protected-path';
  readonly details: string;
}

function bad(details: string): PathProblem {
  return { code: 'bad-path', details };
}

/** What Linux file systems take in a name, and what any system takes in a path below a workspace. Bytes of UTF-8. */
const longestPart = 255;
const longestPath = 1000;
/** Trees are walked by recursion. */
const mostParts = 64;

/** Code points that are ignored in names, by HFS+ among others. */
const ignorable = /[\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** NTFS drops dots and spaces at the end, takes what follows a ':' for a stream, and has a short name for each file. */
const gitFolder = /^(?:\.git|git~1)[. ]*(?::.*)?$/is;

/**
 * True for `.git` in any letter case, and for names that some file system folds onto it. The rules are those of git's
 * `is_ntfs_dotgit` (path.c) and `is_hfs_dotgit` (utf8.c), and hold together.
 */
function isGitFolder(part: string): boolean {
  return gitFolder.test(part.replaceAll(ignorable, ''));
}

function lengthProblem(path: string, parts: readonly string[]): PathProblem | undefined {
  if (Buffer.byteLength(path) > longestPath) return bad(`a path may have ${longestPath} bytes`);
  if (parts.length > mostParts) return bad(`a path may have ${mostParts} parts`);
  const isLong = parts.some((part) => Buffer.byteLength(part) > longestPart);
  return isLong ? bad(`a part of a path may have ${longestPart} bytes`) : undefined;
}

/**
 * Paths in a tree are relative, with '/', without empty, '.' or '..' parts. NUL and backslash are refused because
 * other systems give them a meaning, names that no checkout could hold, and `.git` with all that may turn into it.
 */
export function pathProblem(path: string): PathProblem | undefined {
  if (path === '') return bad('the path is empty');
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return bad('paths are relative to the workspace');
  if (path.includes('\\')) return bad("parts of a path are joined by '/', not by a backslash");
  if (path.includes('\0')) return bad('a path holds no NUL');
  if (!path.isWellFormed()) return bad('a path is well-formed Unicode');
  const parts = path.split('/');
  const tooLong = lengthProblem(path, parts);
  if (tooLong !== undefined) return tooLong;
  for (const part of parts) {
    if (part === '') return bad('a part of the path is empty');
    if (part === '.' || part === '..') return bad(`'${part}' is no part of a path`);
    if (isGitFolder(part)) {
      return { code: 'protected-path', details: `'${part}' belongs to the user's own repository` };
    }
  }
  return undefined;
}

/** The folders above a path, outermost first: `a/b/c` gives `a`, `a/b`. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}

/** Sorts as the trees do: by UTF-16 code units. */
export function comparePaths(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
