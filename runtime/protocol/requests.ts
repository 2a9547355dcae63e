import type { BaseUrls, Caps } from './events.ts';
import type { Role } from './tasks.ts';

/** What a user asks for with "Build from Spec…" or `build`. Paths are absolute. */
export interface BuildRequest {
  readonly specPath: string;
  readonly workspace: string;
  /** A folder that is a store of no run yet: missing or empty. */
  readonly store: string;
  /** `PROVIDER/NAME` by role; what is missing is played by the playbook. */
  readonly models: Readonly<Partial<Record<Role, string>>>;
  readonly playbook?: string;
  /** For all providers without an entry in `baseUrls`. */
  readonly baseUrl?: string;
  readonly baseUrls?: BaseUrls;
  readonly verify?: string;
  readonly caps: Caps;
  readonly land: boolean;
  readonly unsandboxed: boolean;
  /** More folders with programs that commands may use, absolute; they are seen read-only. */
  readonly toolchains?: readonly string[];
  /** Variables that hold keys; never stored. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What may change when a run goes on. */
export interface ResumeRequest {
  readonly store: string;
  /** Replace the run's caps of the same name. */
  readonly caps: Partial<Caps>;
  readonly unsandboxed?: boolean;
  /** Replace what the run was started with: a command that was mistyped, a server that has moved. */
  readonly verify?: string;
  readonly baseUrl?: string;
  readonly baseUrls?: BaseUrls;
  readonly models?: Readonly<Partial<Record<Role, string>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface LandRequest {
  /** Protected paths (exact) that the user approves. */
  readonly approve: readonly string[];
  /** Paths (exact) where the built side is wanted, whatever the user's file holds now. */
  readonly take?: readonly string[];
  /** False keeps the design docs and the Field Guide in the store. They land unless that is asked. */
  readonly notes?: boolean;
}

export const defaultCaps: Caps = { tasks: 200, depth: 6, concurrency: 8 };
