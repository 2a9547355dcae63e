import type { LandingApproval } from '#protocol/landing-events.ts';

/** Paths whose files other programs obey: what an agent writes there needs the user's approval before it lands. */
const protectedPatterns: readonly { readonly pattern: RegExp; readonly what: LandingApproval }[] = [
  { pattern: /(^|\/)\.git(\/|$)/i, what: 'git' },
  { pattern: /(^|\/)\.(gitattributes|gitmodules)$/i, what: 'git' },
  { pattern: /(^|\/)\.(vscode|idea|devcontainer)\//i, what: 'editors' },
  { pattern: /\.code-workspace$/i, what: 'editors' },
  { pattern: /(^|\/)\.(husky|githooks)\//i, what: 'hook' },
  { pattern: /(^|\/)\.?lefthook(-local)?\.(yml|yaml|toml|json)$/i, what: 'hook' },
  { pattern: /(^|\/)\.pre-commit-config\.ya?ml$/i, what: 'hook' },
  { pattern: /(^|\/)\.?mcp\.json$/i, what: 'coding-agents' },
  { pattern: /^\.(github|gitlab|circleci|buildkite)\//i, what: 'continuous-integration' },
  {
    pattern: /^(\.gitlab-ci\.yml|azure-pipelines\.yml|jenkinsfile|\.travis\.yml)$/i,
    what: 'continuous-integration',
  },
  { pattern: /(^|\/)(agents|claude|gemini)\.md$/i, what: 'coding-agents' },
  { pattern: /(^|\/)\.(cursorrules|windsurfrules|clinerules)$/i, what: 'coding-agents' },
  { pattern: /(^|\/)\.(cursor|claude|codex|continue)\//i, what: 'coding-agents' },
  { pattern: /(^|\/)\.(npmrc|yarnrc|yarnrc\.yml|envrc|env)$/i, what: 'tools' },
];

/** Why a path needs approval; undefined when it does not. */
export function protectionOf(path: string): LandingApproval | undefined {
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
