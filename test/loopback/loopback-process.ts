import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The loopback server in a process of its own (`serve.ts`). */
export interface LoopbackProcess extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/v1` */
  readonly url: string;
  /** Gives an order; resolves once the server has answered it. @throws Error when the answer is another one */
  order(order: object): Promise<void>;
  close(): Promise<void>;
}

/** Starts it with these arguments. @throws Error when it does not say where it listens */
export async function startLoopbackProcess(args: readonly string[]): Promise<LoopbackProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts'), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  const close = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill();
    await ended;
  };
  const said = await next();
  const [, url] = /^\{"url":"(http:\/\/127\.0\.0\.1:\d+\/v1)"\}$/u.exec(said) ?? [];
  if (url === undefined) {
    await close();
    throw new Error(`the loopback server said ${said}`);
  }
  return {
    url,
    order: async (order) => {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const answer = await next();
      if (answer !== '{"done":true}') throw new Error(`the loopback server answered ${answer}`);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
