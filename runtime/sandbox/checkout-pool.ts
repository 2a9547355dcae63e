import { join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import { Checkout } from './checkout.ts';
import { eachInOrder } from './each.ts';
import { errorCode } from './errors.ts';
import { opened } from './opened.ts';

/** Characters of a path, well below the limit of 4,096. */
const cutLength = 1500;
const mostCuts = 200;

interface Slot {
  readonly checkout: Checkout;
  owner: string | undefined;
  /** Whose ignored files are in it. */
  usedBy: string | undefined;
}

export interface Lease {
  readonly checkout: Checkout;
  /** `remove` when what is ignored in there was left by another owner: it must not decide this one's results. */
  readonly ignored: 'keep' | 'remove';
}

/** A folder for a command's own temporary files, where there is no private one. */
export function besideCheckout(folder: string): string {
  return `${folder}.tmp`;
}

/**
 * Checkouts below one folder, named c1, c2, … (short and flat, for systems with path limits), each with one owner at a
 * time. What an earlier process left there is removed before a name is used again.
 */
export class CheckoutPool {
  readonly #fileSystem: FileSystem;
  readonly #root: string;
  readonly #slots: Slot[] = [];
  #names = 0;

  constructor(fileSystem: FileSystem, root: string) {
    this.#fileSystem = fileSystem;
    this.#root = root;
  }

  /** The owner's checkout, or a free one, or a new one. Errors are Node's. */
  async acquire(owner: string): Promise<Lease> {
    const held = this.#slots.find((slot) => slot.owner === owner);
    const free = held ?? this.#free(owner);
    if (free !== undefined) {
      const ignored = free.usedBy === owner ? 'keep' : 'remove';
      free.owner = owner;
      free.usedBy = owner;
      return { checkout: free.checkout, ignored };
    }
    const checkout = new Checkout(this.#fileSystem, await this.#newFolder());
    this.#slots.push({ checkout, owner, usedBy: owner });
    return { checkout, ignored: 'keep' };
  }

  release(owner: string): void {
    const slot = this.#slots.find((candidate) => candidate.owner === owner);
    if (slot !== undefined) slot.owner = undefined;
  }

  /** Gives up the owner's checkout for good, as it cannot be put in order; its next one has another name. */
  async discard(owner: string): Promise<void> {
    const index = this.#slots.findIndex((slot) => slot.owner === owner);
    const [slot] = index === -1 ? [] : this.#slots.splice(index, 1);
    if (slot !== undefined) await this.#removed(slot.checkout.folder);
  }

  /** Removes all checkouts: they hold nothing that is not in the store. */
  async close(): Promise<void> {
    await eachInOrder(this.#slots.splice(0), async (slot) => {
      await this.#removed(slot.checkout.folder);
    });
  }

  async #newFolder(): Promise<string> {
    if (this.#names === 0) {
      await this.#fileSystem.makeDirectory(this.#root);
      // Commands write files with our rights, setuid ones too: no other user may reach them.
      await this.#fileSystem.chmod(this.#root, 0o700);
    }
    this.#names += 1;
    const folder = join(this.#root, `c${this.#names}`);
    if (!(await this.#removed(folder))) return this.#newFolder();
    await this.#fileSystem.makeDirectory(folder);
    return folder;
  }

  #free(owner: string): Slot | undefined {
    const free = this.#slots.filter((slot) => slot.owner === undefined);
    return free.find((slot) => slot.usedBy === owner) ?? free[0];
  }

  /** Removes a checkout and what lies beside it; whether that could be done. */
  async #removed(folder: string): Promise<boolean> {
    try {
      await this.#removeDeep(besideCheckout(folder), mostCuts);
      await this.#removeDeep(folder, mostCuts);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * A command can nest folders deeper than a path can name. Such a tree is cut in two, and both parts are removed.
   * `cuts`: how often that is done.
   */
  async #removeDeep(folder: string, cuts: number): Promise<void> {
    try {
      await opened(this.#fileSystem, folder, async () => this.#fileSystem.remove(folder));
    } catch (error) {
      const path = error instanceof Error && 'path' in error ? String(error.path) : '';
      const middle = path.indexOf('/', folder.length + cutLength);
      if (errorCode(error) !== 'ENAMETOOLONG' || middle === -1 || cuts === 0) throw error;
      const part = `${folder}.cut`;
      await this.#fileSystem.rename(path.slice(0, middle), part);
      await this.#removeDeep(part, cuts - 1);
      await this.#removeDeep(folder, cuts - 1);
    }
  }
}
