/** Endings of files that a specification can be. */
export const specExtensions = ['md', 'txt', 'html', 'htm'] as const;

/** The likeliest first: names that say so, then what lies near the top; what every code base has comes last. */
export function rankSpecs(paths: readonly string[]): readonly string[] {
  return paths.toSorted(
    (left, right) =>
      rank(left) - rank(right) || left.split('/').length - right.split('/').length || (left < right ? -1 : 1),
  );
}

function rank(path: string): number {
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  if (/^(?:spec|specification)\b/u.test(name)) return 0;
  if (/spec|requirement|design|rfc|prd/u.test(name)) return 1;
  if (/^(?:readme|changelog|license|licence|contributing|code_of_conduct|security|third)/u.test(name))
    return 3;
  return 2;
}
