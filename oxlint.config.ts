import { defineConfig, type OxlintConfig, type OxlintOverride } from 'oxlint';

/** What each layer may import, besides itself. The one table of arrows. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  'runtime/protocol': [],
  'runtime/edges': [],
  'runtime/vcs': ['protocol', 'edges'],
  'runtime/spec': ['protocol', 'edges'],
  'runtime/models': ['protocol', 'edges'],
  'runtime/journal': ['protocol', 'edges'],
  'runtime/sandbox': ['protocol', 'edges'],
  'runtime/grading': ['protocol', 'edges'],
  'runtime/agents': ['protocol', 'edges', 'vcs', 'spec', 'models', 'sandbox', 'journal'],
  'runtime/swarm': ['protocol', 'edges', 'vcs', 'spec', 'models', 'sandbox', 'journal', 'agents'],
  'runtime/service': ['protocol', 'edges', 'vcs', 'spec', 'models', 'sandbox', 'journal', 'agents', 'swarm'],
  'runtime/cli': [
    'protocol',
    'edges',
    'vcs',
    'spec',
    'models',
    'sandbox',
    'journal',
    'agents',
    'swarm',
    'grading',
  ],
  extension: ['protocol'],
  'webview-ui': ['protocol'],
};
/** Files that may reach around the edges: what starts before them, and tests. */
const aroundTheEdges = ['*.test.ts', 'testing/**', 'test-*.ts', '*-for-tests.ts'];
const edgeRule = {
  regex: '^(node:)?(fs|fs/promises|child_process)$',
  allowTypeImports: true,
  message: 'Files and processes are reached by runtime/edges, which is injected.',
};
const layerNames = Object.keys(arrows).map((folder) => folder.replace('runtime/', ''));
const layerRules = Object.entries(arrows).flatMap(([folder, allowed]): OxlintOverride[] => {
  const own = folder.replace('runtime/', '');
  const forbidden = layerNames.filter((name) => name !== own && !allowed.includes(name));
  const climbing = layerNames.filter((name) => name !== own);
  const patterns = [
    {
      regex: `^#(${[...forbidden, own].join('|')})/`,
      message: `${own} may import ${allowed.join(', ') || 'no layer'}; its own files by ./ or ../`,
    },
    {
      regex: `^(\\.\\./)+(runtime/)?(${climbing.join('|')})/`,
      message: 'Write #layer/… across layers, so that the arrow is checked.',
    },
    ...(own === 'extension' ? [] : [{ regex: '^vscode$', message: 'Only extension/ imports vscode.' }]),
    ...(['protocol', 'webview-ui'].includes(own)
      ? [{ regex: '^node:', message: `${own} also runs in a webview.` }]
      : []),
  ];
  const rule = (files: string[], extra: (typeof edgeRule)[]): OxlintOverride => ({
    files,
    rules: { 'no-restricted-imports': ['error', { patterns: [...patterns, ...extra] }] },
  });
  if (!folder.startsWith('runtime/') || own === 'edges') return [rule([`${folder}/**`], [])];
  // The launcher finds the Node that the rest runs on.
  const around = aroundTheEdges.concat(own === 'cli' ? 'launcher.ts' : []);
  return [
    rule([`${folder}/**`], [edgeRule]),
    rule(
      around.map((name) => `${folder}/**/${name}`),
      [],
    ),
  ];
});

const config: OxlintConfig = defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'vitest'],
  ignorePatterns: ['node_modules/**', 'dist/**', 'demo-output/**', 'examples/**/parts/**'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/explicit-module-boundary-types': 'error',
    'typescript/consistent-type-imports': [
      'error',
      { disallowTypeAnnotations: true, prefer: 'type-imports' },
    ],
    'unicorn/require-post-message-target-origin': 'off', // postMessage of worker_threads has no origin
    'max-lines': ['error', { max: 400 }],
    'max-lines-per-function': ['error', { max: 60 }],
  },
  overrides: [
    {
      files: ['*.config.ts', '*.config.mjs', 'test/reporter/**'],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      // A suite is one long callback, and a test may await one fact after another.
      files: ['**/*.test.ts', 'test/**', 'scripts/**'],
      rules: {
        'max-lines-per-function': 'off',
        'no-await-in-loop': 'off',
        // What a suite always expects together has a name: expectRefusal.
        'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert'] }],
      },
    },
    {
      // What is waited for on the workbench, and does not come, fails the test. In the host assert does.
      files: ['test/vscode/**/*.test.ts'],
      rules: {
        'vitest/expect-expect': [
          'error',
          { assertFunctionNames: ['expect', 'expect*', 'assert', 'assert.*', '**.waitFor'] },
        ],
      },
    },
    {
      // Turns, tool calls, events and landed files come one after the other on purpose.
      files: ['runtime/agents/**', 'runtime/swarm/**'],
      rules: { 'no-await-in-loop': 'off' },
    },
    {
      files: ['webview-ui/**'],
      plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'vitest', 'react', 'jsx-a11y'],
      rules: {
        // Controls are registered when they are imported.
        'import/no-unassigned-import': ['error', { allow: ['@vscode-elements/**', './elements.ts'] }],
        'react/react-in-jsx-scope': 'off', // The automatic runtime brings it.
        'react/incompatible-library': 'off', // It warns of what the compiler, which is not used, leaves alone.
      },
    },
    ...layerRules,
  ],
});
export default config;
