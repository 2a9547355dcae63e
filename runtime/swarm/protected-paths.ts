/** Paths whose files other programs obey: what an agent writes there needs the user's approval before it lands. */
const protectedPatterns: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /(^|\/)\.git(\/|$)/i, what: 'git reads it' },
  { pattern: /(^|\/)\.(gitattributes|gitmodules)$/i, what: 'git reads it' },
  { pattern: /(^|\/)\.(vscode|idea|devcontainer)\//i, what: 'editors obey it' },
  { pattern: /\.code-workspace$/i, what: 'editors obey it' },
  { pattern: /(^|\/)\.(husky|githooks)\//i, what: 'it is a hook' },
  { pattern: /(^|\/)\.?lefthook(-local)?\.(yml|yaml|toml|json)$/i, what: 'it is a hook' },
  { pattern: /(^|\/)\.pre-commit-config\.ya?ml$/i, what: 'it is a hook' },
  { pattern: /(^|\/)\.?mcp\.json$/i, what: 'coding agents obey it' },
  { pattern: /^\.(github|gitlab|circleci|buildkite)\//i, what: 'continuous integration runs it' },
  {
    pattern: /^(\.gitlab-ci\.yml|azure-pipelines\.yml|jenkinsfile|\.travis\.yml)$/i,
    what: 'continuous integration runs it',
  },
  { pattern: /(^|\/)(agents|claude|gemini)\.md$/i, what: 'coding agents obey it' },
  { pattern: /(^|\/)\.(cursorrules|windsurfrules|clinerules)$/i, what: 'coding agents obey it' },
  { pattern: /(^|\/)\.(cursor|claude|codex|continue)\//i, what: 'coding agents obey it' },
  { pattern: /(^|\/)\.(npmrc|yarnrc|yarnrc\.yml|envrc|env)$/i, what: 'tools and shells read it' },
];

/** Why a path needs approval; undefined when it does not. */
export function protectionOf(path: string): string | undefined {
  return protectedPatterns.find(({ pattern }) => pattern.test(path))?.what;
}

function scriptsOf(manifest: string | undefined): string {
  if (manifest === undefined) return '{}';
  try {
    const parsed: unknown = JSON.parse(manifest);
    const scripts =
      typeof parsed === 'object' && parsed !== null && 'scripts' in parsed ? parsed.scripts : {};
    return JSON.stringify(scripts);
  } catch {
    // What is no JSON today may be read as scripts by a laxer tool: the whole text counts.
    return manifest;
  }
}

/** Package scripts run on install and on many commands: a change of them needs approval, other changes do not. */
export function changesPackageScripts(
  path: string,
  before: string | undefined,
  after: string | undefined,
): boolean {
  return /(^|\/)package\.json$/i.test(path) && after !== undefined && scriptsOf(before) !== scriptsOf(after);
}
