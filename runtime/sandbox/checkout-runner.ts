import type { FileSystem } from '#edges/file-system.ts';
import type { FileTree } from '#protocol/file-tree.ts';
import { CheckoutPool } from './checkout-pool.ts';
import type { Checkout } from './checkout.ts';
import type { CommandLimits, CommandResult, CommandRunner } from './command-runner.ts';
import { errorCode, SandboxError } from './errors.ts';
import { execute, type ExecuteEdges } from './execute.ts';
import type { Launcher } from './launcher.ts';

/** Runs commands in checkouts of its own below one folder; the launcher decides what is around them. */
export class CheckoutRunner implements CommandRunner {
  readonly #edges: ExecuteEdges;
  readonly #pool: CheckoutPool;
  readonly #launcher: Launcher;
  readonly #closing = new AbortController();
  /** What each owner waits for: one command at a time. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(edges: ExecuteEdges, fileSystem: FileSystem, root: string, launcher: Launcher) {
    this.#edges = edges;
    this.#pool = new CheckoutPool(fileSystem, root);
    this.#launcher = launcher;
  }

  async run(
    owner: string,
    tree: FileTree,
    command: string,
    limits: CommandLimits,
    signal: AbortSignal,
  ): Promise<CommandResult> {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    return this.#queued(owner, async () => {
      either.throwIfAborted();
      const checkout = await this.#checkout(owner, tree);
      const environment = await this.#launcher.environment();
      const spec = await disk(async () => this.#launcher.launch(checkout.folder, command));
      const execution = await execute(this.#edges, spec, limits, either);
      return { ...execution, changed: await checkout.changes(), environment };
    });
  }

  async release(owner: string): Promise<void> {
    const released = this.#queued(owner, async () => {
      this.#pool.release(owner);
    });
    const last = this.#queues.get(owner);
    await released;
    if (this.#queues.get(owner) === last) this.#queues.delete(owner);
  }

  /** Ends all commands, and removes the checkouts. */
  async close(): Promise<void> {
    this.#closing.abort(new SandboxError('not-started', 'the command runner was closed'));
    await Promise.allSettled(this.#queues.values());
    await this.#pool.close();
  }

  /** A checkout that cannot be put in order, whatever a command did to it, is given up for a new one, once. */
  async #checkout(owner: string, tree: FileTree): Promise<Checkout> {
    try {
      return await this.#broughtTo(owner, tree);
    } catch (error) {
      if (!SandboxError.is(error, 'checkout')) throw error;
      await this.#pool.discard(owner);
      return this.#broughtTo(owner, tree);
    }
  }

  async #broughtTo(owner: string, tree: FileTree): Promise<Checkout> {
    const { checkout, ignored } = await disk(async () => this.#pool.acquire(owner));
    await checkout.bringTo(tree, ignored);
    return checkout;
  }

  async #queued<Result>(owner: string, action: () => Promise<Result>): Promise<Result> {
    const before = this.#queues.get(owner) ?? Promise.resolve();
    const result = (async (): Promise<Result> => {
      await Promise.allSettled([before]);
      return action();
    })();
    this.#queues.set(owner, result);
    return result;
  }
}

async function disk<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw new SandboxError('checkout', `checkout: ${String(error)}`, { code }, error);
  }
}
