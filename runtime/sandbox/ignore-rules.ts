import ignore, { type Ignore } from 'ignore';

interface FolderRules {
  /** '' for the root, else with a '/' at the end. */
  readonly prefix: string;
  readonly rules: Ignore;
}

/** The `.gitignore` files of a tree, as git reads them: the deepest file that says something about a path decides. */
export class IgnoreRules {
  readonly #folders: readonly FolderRules[];

  /** `files`: path of each `.gitignore` in the tree, and its text. */
  constructor(files: ReadonlyMap<string, string>) {
    this.#folders = [...files]
      .map(([path, text]) => ({
        prefix: path.slice(0, path.length - '.gitignore'.length),
        rules: ignore({ ignorecase: false }).add(text),
      }))
      .toSorted((left, right) => right.prefix.length - left.prefix.length);
  }

  /** Whether rules name this path itself. That a parent is ignored is for the caller, who comes from above, to know. */
  ignores(path: string, kind: 'file' | 'folder'): boolean {
    for (const { prefix, rules } of this.#folders) {
      if (!path.startsWith(prefix)) continue;
      const verdict = rules.test(path.slice(prefix.length) + (kind === 'folder' ? '/' : ''));
      if (verdict.ignored) return true;
      if (verdict.unignored) return false;
    }
    return false;
  }
}
