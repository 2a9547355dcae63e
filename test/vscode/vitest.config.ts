/** Suites on the installed extension in a real VS Code: `npx vitest run --config test/vscode/vitest.config.ts`. */
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['vsix.test.ts', 'ui/**/*.test.ts'],
    globalSetup: ['./build-for-tests.ts'],
    reporters: ['default', '../reporter/closing-line.ts'],
    pool: 'forks',
    // Each file starts a server and a browser; two of them is what two cores can take.
    maxWorkers: 2,
    // What a test waits for are facts, with limits of their own; these are hit by what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
export default config;
