import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

export interface BrowserOptions {
  readonly width?: number;
  readonly height?: number;
  /** Device pixels per CSS pixel, for pictures. */
  readonly scale?: number;
}

/** Debian's; `CHROMIUM` names another. */
const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** A headless Chromium with a profile of its own; it can reach 127.0.0.1 and nothing else. */
export class Browser implements AsyncDisposable {
  readonly #profile: string;
  readonly #context: BrowserContext;

  private constructor(profile: string, context: BrowserContext) {
    this.#profile = profile;
    this.#context = context;
  }

  static async launch({ width = 1280, height = 800, scale = 1 }: BrowserOptions = {}): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), 'vsb-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: chromiumPath,
      headless: true,
      viewport: { width, height },
      deviceScaleFactor: scale,
      args: [
        '--no-sandbox', // Tests run as root in containers.
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    });
    return new Browser(profile, context);
  }

  async newPage(): Promise<Page> {
    const unused = this.#context.pages().find((page) => page.url() === 'about:blank');
    return unused ?? (await this.#context.newPage());
  }

  async close(): Promise<void> {
    await this.#context.close();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
