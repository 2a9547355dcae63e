/**
 * `npm run test:desktop`: the host suites (`test/vscode/host/`) in the desktop VS Code, which @vscode/test-electron
 * downloads; `VSCODE_VERSION` names another than the stable one, `VSCODE_EXECUTABLE` one that is there. On Linux
 * without a screen: `xvfb-run -a npm run test:desktop`. `npm test` runs the same suites without a download, in the
 * extension host of test/vscode/server.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { bundleHostSuite } from './test/vscode/bundle-host-suite.ts';
import { reportResults, resultsVariable } from './test/vscode/host-results.ts';
import { hostEnvironment, hostWorkspace } from './test/vscode/host-workspace.ts';
import { buildTestExtension } from './test/vscode/test-extension.ts';
import { repository } from './test/vscode/places.ts';
import { quietSettings } from './test/vscode/settings.ts';

const folder = await mkdtemp(join(tmpdir(), 'vst-'));
try {
  const workspace = join(folder, 'workspace');
  const files = Object.entries(hostWorkspace).map(([path, content]) => [join(workspace, path), content]);
  files.push([join(folder, 'data/User/settings.json'), JSON.stringify(quietSettings)]);
  await Promise.all(
    files.map(async ([path, content]) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }),
  );
  const results = join(folder, 'results.jsonl');
  const executable = process.env['VSCODE_EXECUTABLE'];
  await runTests({
    ...(executable
      ? { vscodeExecutablePath: executable }
      : { version: process.env['VSCODE_VERSION'] ?? 'stable' }),
    extensionDevelopmentPath: [repository, await buildTestExtension('model-provider')],
    extensionTestsPath: await bundleHostSuite(),
    extensionTestsEnv: {
      ...hostEnvironment,
      [resultsVariable]: results,
      SWARMWRIGHT_STATE: join(folder, 'state'),
    },
    launchArgs: [
      workspace,
      '--disable-extensions',
      '--disable-workspace-trust',
      `--user-data-dir=${join(folder, 'data')}`,
      `--extensions-dir=${join(folder, 'extensions')}`,
    ],
  }).catch((error) => {
    console.log(error); // The results tell what failed.
  });
  const { passed, failed } = reportResults(results);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
