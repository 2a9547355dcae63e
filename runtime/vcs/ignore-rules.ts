import ignore, { type Ignore } from 'ignore';

/** Rules of one folder, '' for the root; each path is tested relative to it. */
interface FolderRules {
  readonly folder: string;
  readonly rules: Ignore;
}

/**
 * The ignore rules that hold in a folder: those of the folders above it, outermost first, then its own. A nearer rule
 * decides over a farther one, as in gitignore(5). Ignored folders are not entered, so nothing below them is ever asked.
 */
export class IgnoreRules {
  readonly #levels: readonly FolderRules[];

  constructor(levels: readonly FolderRules[] = []) {
    this.#levels = levels;
  }

  /** With the lines of an ignore file in `folder`. */
  with(folder: string, text: string): IgnoreRules {
    // Letter case counts, as it does in git on Linux.
    const rules = ignore({ ignorecase: false }).add(text);
    return new IgnoreRules([...this.#levels, { folder, rules }]);
  }

  /** True for a file or folder that the rules leave out. */
  leavesOut(path: string, isFolder: boolean): boolean {
    for (const { folder, rules } of this.#levels.toReversed()) {
      const relative = folder === '' ? path : path.slice(folder.length + 1);
      const cut = relative.lastIndexOf('/');
      // Its folder was entered, so if these rules ignore that, a nearer rule took it in again and they no longer count.
      if (cut > 0 && rules.test(`${relative.slice(0, cut)}/`).ignored) continue;
      const { ignored, unignored } = rules.test(isFolder ? `${relative}/` : relative);
      if (ignored) return true;
      if (unignored) return false;
    }
    return false;
  }
}
