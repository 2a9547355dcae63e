import type { Edges } from '#swarm/edges.ts';

/** A stream that a terminal, a pipe or a test is behind. */
export interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** The process as the commands see it; a test makes its own. */
export interface Host {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Absolute; typed paths are relative to it. */
  readonly cwd: string;
  /** The folder that holds package.json and examples/. */
  readonly packageRoot: string;
  /** How this program is started, ready for a shell: `node dist/cli.js`. */
  readonly invocation: string;
  readonly edges: Edges;
  /** Calls the listener at each SIGINT, SIGTERM and SIGHUP until the returned function is called. */
  onInterrupt(listener: () => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
}
