/**
 * Runs the suites of `host/` inside the extension host of a real VS Code, with the extension from `dist` as a
 * development extension: `npm run build` first. Where VS Code itself can be downloaded, `.vscode-test.mjs` runs the
 * same suites in it.
 */
import { writeFileSync } from 'node:fs';
import { format } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from './browser.ts';
import { bundleHostSuite } from './bundle-host-suite.ts';
import { reportResults, resultsVariable, type HostCounts } from './host-results.ts';
import { hostEnvironment, hostWorkspace } from './host-workspace.ts';
import { packTestExtension, testExtensionVsix } from './test-extension.ts';
import { repository } from './places.ts';
import { WorkbenchServer } from './workbench-server.ts';

const limit = 240_000;

async function runHostSuite(): Promise<HostCounts> {
  const tests = await bundleHostSuite(process.argv[2]);
  await packTestExtension('model-provider');
  await using server = await WorkbenchServer.start({
    smokeTestDriver: true,
    extensions: [testExtensionVsix('model-provider')],
    files: hostWorkspace,
    environment: hostEnvironment,
  });
  await using browser = await Browser.launch();
  const page = await browser.newPage();
  const results = server.path('results.jsonl');
  const ended = Promise.withResolvers<'ended'>();
  await page.exposeFunction('codeAutomationExit', () => {
    ended.resolve('ended');
  });
  await page.exposeFunction('codeAutomationLog', (_kind: string, args: readonly unknown[]) => {
    if (process.env['VERBOSE']) console.log(format(...args));
  });
  const remote = (path: string): string => `vscode-remote://${server.authority}${path}`;
  await page.goto(
    server.url(server.workspace, [
      // A window in a browser develops one extension.
      ['extensionDevelopmentPath', remote(repository)],
      ['extensionTestsPath', remote(tests)],
      ['extensionEnvironment', JSON.stringify({ [resultsVariable]: results })],
    ]),
  );
  const why = await Promise.race([ended.promise, sleep(limit, 'late' as const, { ref: false })]);
  if (why === 'late') console.log(`  the extension host has not ended after ${limit / 1000} s`);
  const counts = reportResults(results);
  if (!counts.ended) console.log(server.log().split('\n').slice(-15).join('\n'));
  return counts;
}

const { passed, failed, skipped } = await runHostSuite();
const file = process.env['COUNTS'];
if (file !== undefined) writeFileSync(file, JSON.stringify({ passed, failed, skipped }));
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
