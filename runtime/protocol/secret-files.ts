/** Files that hold secrets by custom; their templates hold none. */
const secrets = /(^|\/)\.env(\.[^/]*)?$/;
const templates = /\.(example|sample|template)$/;

/** True for files whose content has no place in trunk, a context, a transcript or a command. */
export function isSecretFile(path: string): boolean {
  return secrets.test(path) && !templates.test(path);
}
