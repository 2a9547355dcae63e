/**
 * Scope patterns: an exact path (`src/lexer.js`), everything below a folder (`src/sql/**`), or everything (`**`).
 * Nothing else, so that containment and overlap can be decided.
 */
const folderSuffix = '/**';

/** True when the pattern has one of the three forms and stays inside the tree. */
export function isScopePattern(pattern: string): boolean {
  if (pattern === '**') return true;
  const path = pattern.endsWith(folderSuffix) ? pattern.slice(0, -folderSuffix.length) : pattern;
  return (
    path !== '' &&
    !path.includes('*') &&
    !path.includes('\\') &&
    !path.startsWith('/') &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

/** True when `pattern` covers the path. */
function covers(pattern: string, path: string): boolean {
  if (pattern === '**') return true;
  return pattern.endsWith(folderSuffix) ? path.startsWith(pattern.slice(0, -2)) : path === pattern;
}

export function isInScope(scope: readonly string[], path: string): boolean {
  return scope.some((pattern) => covers(pattern, path));
}

/** True when every path that `inner` covers is covered by `outer`. */
export function contains(outer: string, inner: string): boolean {
  if (outer === '**' || outer === inner) return true;
  if (inner === '**') return false;
  if (!outer.endsWith(folderSuffix)) return false;
  return inner.startsWith(outer.slice(0, -2));
}

/** True when some path is covered by both. Containment is the only way two such patterns overlap. */
export function overlaps(left: string, right: string): boolean {
  return contains(left, right) || contains(right, left);
}
