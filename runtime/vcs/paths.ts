/** What is wrong with a path that an agent or a workspace names; the codes are those of a rejection. */
export interface PathProblem {
  readonly code: 'bad-path' | 'protected-path';
  readonly details: string;
}

function bad(details: string): PathProblem {
  return { code: 'bad-path', details };
}

/**
 * Paths in a tree are relative, with '/', without empty, '.' or '..' parts. NUL and backslash are refused because
 * other systems give them a meaning, and `.git` in any letter case because some file systems fold it onto the real one.
 */
export function pathProblem(path: string): PathProblem | undefined {
  if (path === '') return bad('the path is empty');
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return bad('paths are relative to the workspace');
  if (path.includes('\\')) return bad("parts of a path are joined by '/', not by a backslash");
  if (path.includes('\0')) return bad('a path holds no NUL');
  if (!path.isWellFormed()) return bad('a path is well-formed Unicode');
  for (const part of path.split('/')) {
    if (part === '') return bad('a part of the path is empty');
    if (part === '.' || part === '..') return bad(`'${part}' is no part of a path`);
    if (part.toLowerCase() === '.git') {
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
