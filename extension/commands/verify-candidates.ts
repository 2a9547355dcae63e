/** A command that a code base suggests for its own verification, and where that is read from. */
export interface VerifyCandidate {
  readonly command: string;
  readonly source: string;
}

/** The files that suggest commands, in the order in which their commands are offered. */
export const verifySources = [
  'package.json',
  'Cargo.toml',
  'go.mod',
  'pyproject.toml',
  'pytest.ini',
  'Makefile',
  'CMakeLists.txt',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'deno.json',
  'mix.exs',
  'Gemfile',
] as const;

export type VerifySource = (typeof verifySources)[number];

/** Scripts of a package.json, the likeliest proof first. */
const scripts = ['verify', 'check', 'test', 'build'] as const;

/** What the files of a folder's top suggest; a file that is not there has no entry. */
export function verifyCandidates(files: ReadonlyMap<VerifySource, string>): readonly VerifyCandidate[] {
  return verifySources.flatMap((source) => {
    const content = files.get(source);
    return content === undefined ? [] : commandsOf(source, content).map((command) => ({ command, source }));
  });
}

function commandsOf(source: VerifySource, content: string): readonly string[] {
  switch (source) {
    case 'package.json':
      return packageScripts(content);
    case 'Makefile':
      return ['check', 'test']
        .filter((target) => new RegExp(`^${target}\\s*:`, 'mu').test(content))
        .map((target) => `make ${target}`);
    case 'Cargo.toml':
      return ['cargo test'];
    case 'go.mod':
      return ['go test ./...'];
    case 'pyproject.toml':
      return [/\bpytest\b/u.test(content) ? 'python -m pytest' : 'python -m unittest'];
    case 'pytest.ini':
      return ['python -m pytest'];
    case 'CMakeLists.txt':
      return ['cmake -B build && cmake --build build && ctest --test-dir build'];
    case 'pom.xml':
      return ['mvn -q verify'];
    case 'build.gradle':
    case 'build.gradle.kts':
      return ['gradle check'];
    case 'deno.json':
      return ['deno test'];
    case 'mix.exs':
      return ['mix test'];
    case 'Gemfile':
      return ['bundle exec rake test'];
    default:
      return source satisfies never;
  }
}

function packageScripts(content: string): readonly string[] {
  const declared = scriptsIn(content);
  return scripts
    .filter((name) => {
      const script = declared[name];
      // What `npm init` writes fails always.
      return typeof script === 'string' && !script.includes('no test specified');
    })
    .map((name) => (name === 'test' ? 'npm test' : `npm run ${name}`));
}

function scriptsIn(content: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed !== 'object' || parsed === null || !('scripts' in parsed)) return {};
    return typeof parsed.scripts === 'object' && parsed.scripts !== null ? { ...parsed.scripts } : {};
  } catch {
    return {};
  }
}
