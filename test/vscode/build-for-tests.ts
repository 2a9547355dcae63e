import { packageVsix } from '../../scripts/package-vsix.ts';
import { installServer } from './install-server.ts';
import { packTestExtension } from './test-extension.ts';

/** Runs once before the suites: what they all need. */
export async function setup(): Promise<void> {
  await installServer();
  await packageVsix();
  await packTestExtension('model-provider');
  await packTestExtension('thread-end');
}
