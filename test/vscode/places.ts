import { join } from 'node:path';

export const repository: string = join(import.meta.dirname, '..', '..');

/** Has its own `package.json`, so that the server is no dependency of the project. */
export const serverFolder: string = join(import.meta.dirname, 'server');
export const serverEntry: string = join(serverFolder, 'node_modules/code-server/out/node/entry.js');

/** What tests build; git ignores it. */
export const buildFolder: string = join(repository, '.tmp', 'vscode');
/** What `npm run package` makes. */
export { vsixPath as vsix } from '../../scripts/package-vsix.ts';

/** Pictures of failed tests. */
export const pictureFolder: string = join(buildFolder, 'pictures');
