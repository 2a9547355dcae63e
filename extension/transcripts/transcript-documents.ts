import {
  Disposable,
  env,
  EventEmitter,
  FileChangeType,
  FilePermission,
  FileSystemError,
  FileType,
  l10n,
  Uri,
  window,
  workspace,
  type Event,
  type FileChangeEvent,
  type FileStat,
  type FileSystemProvider,
} from 'vscode';
import type { RunEvent } from '#protocol/events.ts';
import { RemoteError } from '#protocol/rpc.ts';
import type { RuntimeApi, TaskChange } from '#protocol/runtime-api.ts';
import { Pace } from '../pace.ts';
import { OneInFlight } from './one-in-flight.ts';
import { TranscriptText } from './render-transcript.ts';
import { addressParts, readAddress, taskOf, type TranscriptAddress } from './transcript-address.ts';

export const transcriptScheme = 'swarm-transcript';

/** Milliseconds between two updates of a document. */
const updateInterval = 500;

export function transcriptUri(address: TranscriptAddress): Uri {
  return Uri.from({ scheme: transcriptScheme, ...addressParts(address) });
}

type Runtime = () => Pick<RuntimeApi, 'transcriptPage' | 'changesOf'>;

interface OpenTranscript {
  readonly uri: Uri;
  readonly store: string;
  readonly agent: string;
  readonly pace: Pace;
  text: TranscriptText;
  bytes: Uint8Array;
  /** Rises with each change: it is what tells the editor of one. */
  version: number;
}

/** Read-only documents of what agents have said and changed. They come from the store, so that a reload finds them. */
export class TranscriptDocuments implements FileSystemProvider, Disposable {
  readonly #runtime: Runtime;
  readonly #onError: (error: unknown) => void;
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly #open = new Map<string, Promise<OpenTranscript>>();
  readonly #visible = new Set<string>();
  readonly #listener: Disposable;
  #lastChanges: { readonly key: string; readonly changes: Promise<readonly TaskChange[]> } | undefined;

  constructor(runtime: Runtime, onError: (error: unknown) => void) {
    this.#runtime = runtime;
    this.#onError = onError;
    this.#listener = Disposable.from(
      window.onDidChangeVisibleTextEditors(() => {
        this.#look();
      }),
      workspace.onDidCloseTextDocument(({ uri }) => {
        // A document whose language is found is closed and opened again, and stays there meanwhile.
        const key = uri.toString();
        if (!workspace.textDocuments.some((other) => other.uri.toString() === key)) void this.#forget(key);
      }),
    );
    this.#look();
  }

  get onDidChangeFile(): Event<FileChangeEvent[]> {
    return this.#changed.event;
  }

  /** What has happened in a run: documents of its agents may have become longer. */
  take(store: string, events: readonly RunEvent[]): void {
    for (const opening of this.#open.values()) void this.#ask(opening, store, events);
  }

  /** What a task has brought to trunk by now; documents of its sides are read from the same answer. @throws RemoteError */
  async changesOf(store: string, task: string): Promise<readonly TaskChange[]> {
    const changes = this.#runtime().changesOf(store, task);
    this.#lastChanges = { key: changesKey(store, task), changes };
    return changes;
  }

  async stat(uri: Uri): Promise<FileStat> {
    const address = this.#address(uri);
    const [size, version] = await this.#measure(uri, address);
    return { type: FileType.File, ctime: 0, mtime: version, size, permissions: FilePermission.Readonly };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const address = this.#address(uri);
    if (address.kind === 'transcript') return (await this.#transcript(uri, address)).bytes;
    return this.#side(uri, address);
  }

  /** Changes are told for what is open, whoever watches. */
  watch(): Disposable {
    return new Disposable(() => undefined);
  }
  readDirectory(): [string, FileType][] {
    return [];
  }
  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }
  writeFile(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }
  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }
  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#listener.dispose();
    for (const uri of this.#open.keys()) void this.#forget(uri);
    this.#changed.dispose();
  }

  #address(uri: Uri): TranscriptAddress {
    const address = readAddress(uri);
    if (!address) throw FileSystemError.FileNotFound(uri);
    return address;
  }

  async #measure(uri: Uri, address: TranscriptAddress): Promise<readonly [size: number, version: number]> {
    if (address.kind !== 'transcript') return [(await this.#side(uri, address)).byteLength, 1];
    const { bytes, version } = await this.#transcript(uri, address);
    return [bytes.byteLength, version];
  }

  async #transcript(
    uri: Uri,
    { store, agent }: Extract<TranscriptAddress, { kind: 'transcript' }>,
  ): Promise<OpenTranscript> {
    const key = uri.toString();
    const opening = this.#open.get(key) ?? this.#load(uri, store, agent);
    this.#open.set(key, opening);
    try {
      return await opening;
    } catch (error) {
      // The next look tries again.
      this.#open.delete(key);
      throw unavailable(error);
    }
  }

  async #load(uri: Uri, store: string, agent: string): Promise<OpenTranscript> {
    const key = uri.toString();
    // A page is asked for from where the last one ended: two in flight would bring the same turns twice.
    const updates = new OneInFlight(
      async () => this.#update(document),
      () => {
        pace.ask();
      },
    );
    const pace = new Pace(updateInterval, () => {
      updates.run().catch(this.#onError);
    });
    pace.see(this.#visible.has(key));
    const document: OpenTranscript = {
      uri,
      store,
      agent,
      pace,
      version: 1,
      ...(await this.#read(store, agent)),
    };
    return document;
  }

  async #read(store: string, agent: string): Promise<Pick<OpenTranscript, 'text' | 'bytes'>> {
    const text = new TranscriptText(agent, l10n, env.language);
    try {
      text.add(await this.#runtime().transcriptPage(store, agent, 0));
      return { text, bytes: Buffer.from(text.toString()) };
    } catch (error) {
      if (!RemoteError.is(error, 'JournalError', 'no-store')) throw error;
      const gone = l10n.t('The store of this run is not there any more, and with it the transcript.');
      return { text, bytes: Buffer.from(`${gone}\n`) };
    }
  }

  async #update(document: OpenTranscript): Promise<void> {
    const { store, agent, text, uri } = document;
    if (!text.add(await this.#runtime().transcriptPage(store, agent, text.items))) return;
    document.bytes = Buffer.from(text.toString());
    document.version += 1;
    this.#changed.fire([{ type: FileChangeType.Changed, uri }]);
  }

  async #ask(opening: Promise<OpenTranscript>, store: string, events: readonly RunEvent[]): Promise<void> {
    const document = await opening.catch(() => undefined);
    if (document?.store !== store) return;
    const task = taskOf(document.agent);
    if (task === undefined || events.length === 0 || events.some((event) => isOf(task, event)))
      document.pace.ask();
  }

  #look(): void {
    this.#visible.clear();
    for (const { document } of window.visibleTextEditors) {
      this.#visible.add(document.uri.toString());
    }
    for (const [key, opening] of this.#open) void this.#see(key, opening);
  }

  async #see(key: string, opening: Promise<OpenTranscript>): Promise<void> {
    const document = await opening.catch(() => undefined);
    document?.pace.see(this.#visible.has(key));
  }

  async #forget(key: string): Promise<void> {
    const opening = this.#open.get(key);
    this.#open.delete(key);
    (await opening?.catch(() => undefined))?.pace.dispose();
  }

  async #side(
    uri: Uri,
    { store, task, commit, path, kind }: Exclude<TranscriptAddress, { kind: 'transcript' }>,
  ): Promise<Uint8Array> {
    const isIt = (one: TaskChange): boolean => one.commit === commit && one.path === path;
    // The sides of one task are asked for one after the other.
    const known = this.#lastChanges?.key === changesKey(store, task) ? this.#lastChanges.changes : undefined;
    let change = (await known?.catch(() => undefined))?.find(isIt);
    try {
      change ??= (await this.changesOf(store, task)).find(isIt);
    } catch (error) {
      throw unavailable(error);
    }
    if (!change) throw FileSystemError.FileNotFound(uri);
    return change[kind] ?? new Uint8Array();
  }
}

function changesKey(store: string, task: string): string {
  return JSON.stringify([store, task]);
}

function isOf(task: string, event: RunEvent): boolean {
  if ('task' in event) return event.task === task;
  if ('account' in event) return event.account === task;
  return event.type === 'run.ended' || event.type === 'run.resumed';
}

function unavailable(error: unknown): FileSystemError {
  if (RemoteError.is(error, 'RunError', 'not-open')) {
    return FileSystemError.Unavailable(l10n.t('This run is not open: open it, then try again.'));
  }
  if (RemoteError.is(error, 'RunError', 'not-owned')) {
    return FileSystemError.Unavailable(l10n.t('Another window drives this run: look at its changes there.'));
  }
  return FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
}
