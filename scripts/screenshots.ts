/** `npm run screenshots`: pictures for the README, of the demo in a real VS Code; written to `docs/pictures`. */
import { join } from 'node:path';
import { FollowedFacts } from '../test/loopback/followed-facts.ts';
import type { Theme } from '../test/vscode/settings.ts';
import { Workbench } from '../test/vscode/workbench.ts';
import { packageVsix, vsixPath } from './package-vsix.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'pictures');
const pictured: readonly Theme[] = ['light', 'dark', 'high-contrast'];
const demoLimit = 180_000;

await packageVsix();
await using workbench = await Workbench.start({
  extensions: [vsixPath],
  browser: { width: 1280, height: 800, scale: 1.5 },
});
const window = await workbench.openWindow();
await window.showContainer('Swarmwright');
await window.runCommand('Swarmwright: Open Demo');
const facts = new FollowedFacts({ state: workbench.server.state });
await facts.when('root ended', AbortSignal.timeout(demoLimit));
await facts.close();
for (const theme of pictured) {
  await window.setTheme(theme);
  await window.picture(`dashboard-${theme}`, folder);
}
