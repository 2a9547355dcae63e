import { ProjectionError } from '#protocol/projection-error.ts';
import { GradingError } from '#grading/errors.ts';
import { JournalError } from '#journal/errors.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { SpecError } from '#spec/errors.ts';
import { RunError } from '#swarm/errors.ts';
import { VcsError } from '#vcs/errors.ts';
import { RecordingError } from '#models/recording/errors.ts';
import { ModelError } from '#models/errors.ts';
import { CliError, fact } from './errors.ts';
import { modelSentence } from './model-messages.ts';
import { oneLine } from './text.ts';

/** What a message can name besides the facts of its error. */
export interface MessageContext {
  /** How the program is started. */
  readonly invocation: string;
  readonly store?: string | undefined;
  readonly workspace?: string | undefined;
  /** SWARMWRIGHT_DEBUG is set. */
  readonly debug: boolean;
}

/** One line: what happened and what to do. With `debug` the stack follows. */
export function errorText(error: unknown, context: MessageContext): string {
  const line = `swarmwright: ${oneLine(sentence(error, context))}`;
  if (!context.debug || CliError.is(error, 'bad-usage')) return line;
  return `${line}\n${error instanceof Error ? stackOf(error) : String(error)}`;
}

function stackOf(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by ${stackOf(error.cause)}` : own;
}

function sentence(error: unknown, context: MessageContext): string {
  if (CliError.is(error)) return cliSentence(error, context);
  if (RunError.is(error)) return runSentence(error, context);
  if (SpecError.is(error)) return specSentence(error);
  if (ModelError.is(error)) return modelSentence(error);
  if (RecordingError.is(error)) return recordingSentence(error);
  if (JournalError.is(error)) return journalSentence(error, context);
  if (VcsError.is(error)) return vcsSentence(error, context);
  if (GradingError.is(error)) return `the suite is malformed: ${error.message}.`;
  if (SandboxError.is(error)) return sandboxSentence(error);
  if (ProjectionError.is(error)) {
    return `the journal of ${storeName(context)} contradicts itself (${error.message}). Nothing was changed: keep the store and report it.`;
  }
  return systemSentence(error) ?? unknownSentence(error);
}

function recordingSentence(error: RecordingError): string {
  switch (error.code) {
    case 'not-empty':
      return `${fact(error, 'folder') ?? 'the folder'} is not empty: name a new folder with --output DIR.`;
    case 'nothing-recorded':
      return 'no model has answered in this run: there is nothing to record.';
    default:
      return error.code satisfies never;
  }
}

function storeName(context: MessageContext): string {
  return context.store === undefined ? 'the store' : `the store ${context.store}`;
}

function cliSentence(error: CliError, context: MessageContext): string {
  switch (error.code) {
    case 'bad-usage':
      return error.message;
    case 'no-run':
      return `no run of ${fact(error, 'workspace') ?? 'this workspace'} is known: name its store with --store DIR, or its workspace with --workspace DIR.`;
    case 'latest-unreadable':
      return `${fact(error, 'pointer') ?? 'the file latest'} names no store: remove it, and name the store with --store DIR.`;
    case 'no-such-task': {
      const matches = fact(error, 'matches');
      if (matches !== undefined) {
        return `the run has more than one task ${fact(error, 'task') ?? ''}: name one of ${matches}.`;
      }
      return `the run has no task ${fact(error, 'task') ?? ''}: \`${context.invocation} status\` lists its tasks.`;
    }
    case 'demo-missing':
      return `the example is not there (${fact(error, 'path') ?? ''}): run the demo from a complete copy of the project.`;
    case 'demo-output-taken':
      return `${fact(error, 'path') ?? 'the output folder'} holds files that no demo wrote: empty it, or choose another folder with --output DIR.`;
    default:
      error.code satisfies never;
      return error.message;
  }
}

function runSentence(error: RunError, context: MessageContext): string {
  const workspace = fact(error, 'workspace', 'path') ?? context.workspace ?? 'the workspace';
  const store = fact(error, 'store') ?? context.store ?? 'the store';
  switch (error.code) {
    case 'no-models': {
      const role = fact(error, 'role', 'roles');
      const forRole = role === undefined ? '' : ` for the ${role}`;
      return `no model was named${forRole}: give --model ROLE=PROVIDER/NAME for each role, or --playbook FILE for scripted turns.`;
    }
    case 'no-sandbox':
      return `commands cannot be sandboxed here (${fact(error, 'reason') ?? 'no bubblewrap'}): ${sandboxAdvice}, or give --unsandboxed to let them read and change what you can.`;
    case 'not-open':
    case 'not-owned':
      return `${store} is in use by another process: wait for it to end, or stop it first.`;
    case 'nothing-to-land':
      return 'nothing can land yet: no state of this run has passed its verify command.';
    case 'playbook-concurrency':
      return `the playbook needs ${fact(error, 'needed', 'wanted') ?? 'more'} agents at once: give --concurrency ${fact(error, 'needed', 'wanted') ?? 'N'} or more.`;
    case 'never-started':
      return `the run in ${store} was cut off before it began: build again with another --store.`;
    case 'store-in-workspace':
      return `the store ${store} lies inside the workspace ${workspace}: choose a --store outside of it.`;
    case 'unknown-path':
      return `${fact(error, 'path') ?? 'that'} is none of the paths that land: name one as \`land\` lists it.`;
    case 'workspace-in-store':
      return `the workspace ${workspace} lies inside the store ${store}: choose another --store or --workspace.`;
    case 'workspace-is-store':
      return `${workspace} is both workspace and store: choose another --store.`;
    case 'workspace-missing':
      return `there is no folder ${workspace}: make it, or name another one with --workspace.`;
    case 'workspace-not-writable':
      return `${workspace} cannot be written to: change its rights, or name another folder with --workspace.`;
    default:
      error.code satisfies never;
      return error.message;
  }
}

function specSentence(error: SpecError): string {
  const path = fact(error, 'path', 'file') ?? 'the specification';
  switch (error.code) {
    case 'binary':
      return `${path} is not text in ${fact(error, 'encoding') ?? 'utf-8'}: a specification is a .md, .txt or .html file in UTF-8, or a folder of them.`;
    case 'empty':
      return `${path} holds no specification: write what is to be built into it.`;
    case 'missing':
      return `there is no specification at ${path}: check the path.`;
    case 'no-such-section':
      return `the specification has no section ${fact(error, 'section', 'id') ?? ''}.`;
    case 'too-large':
      return `${path} is too large for a specification (${limitOf(error)}): split it into several files, or shorten it.`;
    case 'unknown-encoding':
      return `${path} names an encoding that is unknown here (${fact(error, 'encoding') ?? 'none'}): save it in UTF-8, and name that.`;
    case 'unreadable':
      return `${path} cannot be read: change its rights, or name another specification.`;
    case 'wrong-kind':
      return `${path} is no .md, .txt or .html file and no folder of them: name one that is.`;
    default:
      error.code satisfies never;
      return error.message;
  }
}

function limitOf(error: SpecError): string {
  const limit = Number(fact(error, 'limit'));
  if (fact(error, 'unit') === 'documents') return `the most is ${limit} documents`;
  return Number.isFinite(limit) ? `the most is ${Math.floor(limit / 1024 ** 2)} MB` : error.message;
}

function journalSentence(error: JournalError, context: MessageContext): string {
  const folder = fact(error, 'folder') ?? context.store ?? 'the folder';
  const store = `the store ${folder}`;
  switch (error.code) {
    case 'closed':
    case 'out-of-order':
      return unknownSentence(error);
    case 'damaged':
      return `${store} is damaged (${error.message}). Nothing was deleted: keep a copy of it, and start a new run.`;
    case 'in-use': {
      const pid = fact(error, 'pid');
      const owner = pid === undefined ? 'another process' : `process ${pid}`;
      return `${store} is in use by ${owner}: wait for it to end, or stop it first.`;
    }
    case 'io':
      return `${store} can no longer be written or read (${error.message}): check the disk and its free space, then resume. What was acknowledged is safe.`;
    case 'no-store':
      return `${folder} holds no run: check --store.`;
    case 'not-empty':
      return `${folder} holds files that are no store: choose a new or empty folder with --store.`;
    case 'not-made':
      return `${store} cannot be made (${fact(error, 'reason') ?? error.message}): choose another folder with --store.`;
    case 'store-exists':
      return `${folder} holds a run already: go on with it by \`${context.invocation} resume\`, or choose another --store.`;
    case 'unknown-format':
      return `${store} was written by another version of swarmwright: use that one, or start a new run.`;
    default:
      error.code satisfies never;
      return error.message;
  }
}

function vcsSentence(error: VcsError, context: MessageContext): string {
  switch (error.code) {
    case 'io':
      return `the log of ${storeName(context)} can no longer be written or read (${error.message}): check the disk and its free space, then resume. What was acknowledged is safe.`;
    case 'damaged': {
      const file = fact(error, 'quarantine', 'file');
      const kept = file === undefined ? '' : ` A copy is kept as ${file}.`;
      return `the log of ${storeName(context)} is damaged (${error.message}).${kept} Nothing was deleted: start a new run, and report it.`;
    }
    case 'unknown-format':
      return `${storeName(context)} was written by another version of swarmwright: use that one, or start a new run.`;
    case 'bad-path':
    case 'protected-path':
      return `the path ${fact(error, 'path') ?? ''} cannot be kept: rename it.`;
    case 'closed':
    case 'no-such-blob':
    case 'no-such-file':
    case 'no-trunk':
    case 'not-parked':
    case 'path-taken':
    case 'unknown-snapshot':
      return unknownSentence(error);
    default:
      error.code satisfies never;
      return error.message;
  }
}

export const sandboxAdvice: string =
  'install bubblewrap (Debian, Ubuntu: `apt install bubblewrap`; Fedora: `dnf install bubblewrap`)';

function sandboxSentence(error: SandboxError): string {
  switch (error.code) {
    case 'no-sandbox':
      return `the sandbox does not work (${fact(error, 'reason') ?? error.message}): ${sandboxAdvice}, or give --unsandboxed.`;
    case 'not-started':
      return `a command could not be started (${fact(error, 'reason') ?? error.message}): check the sandbox, then resume.`;
    case 'checkout':
      return `the files for a command could not be written (${error.message}): check the disk and its free space, then resume.`;
    case 'unsafe-path':
      return `${fact(error, 'path') ?? 'a path'} cannot be shown to commands: ${error.message}.`;
    default:
      error.code satisfies never;
      return error.message;
  }
}

const systemAdvice: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `${path} may not be read or written: change its rights.`,
  EPERM: (path) => `${path} may not be changed: change its rights.`,
  EROFS: (path) => `${path} is on a file system that is read-only.`,
  ENOENT: (path) => `${path} is not there.`,
  ENOTDIR: (path) => `${path} leads through something that is no folder.`,
  EISDIR: (path) => `${path} is a folder, where a file is due.`,
  EEXIST: (path) => `${path} is there already.`,
  ELOOP: (path) => `${path} is a symbolic link, or leads round in a circle.`,
  ENAMETOOLONG: (path) => `${path} is too long a path.`,
  ENOSPC: (path) => `the disk is full (${path}): make room, then resume. What was acknowledged is safe.`,
  EDQUOT: (path) => `your quota is used up (${path}): make room, then resume. What was acknowledged is safe.`,
  EMFILE: () => 'too many files are open: raise the limit (`ulimit -n`), then resume.',
};

/** For errors of the file system; undefined for all others. */
function systemSentence(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : 'a file';
  return systemAdvice[error.code]?.(path);
}

function unknownSentence(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `something went wrong that should not: ${text}. Run it again with SWARMWRIGHT_DEBUG=1 to see where, and report it.`;
}
