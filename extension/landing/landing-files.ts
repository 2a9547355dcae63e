import { hash } from 'node:crypto';
import {
  Disposable,
  EventEmitter,
  FileChangeType,
  FilePermission,
  FileSystemError,
  FileType,
  type FileChangeEvent,
  type FileStat,
  type FileSystemProvider,
  type Uri,
} from 'vscode';
import type { LandingApi } from '#protocol/landing-api.ts';
import type { Side } from '#protocol/landing-events.ts';
import { isUndecided, type LandingFile } from '#protocol/projection-review.ts';
import { emptyQuery } from './landing-names.ts';
import type { ShownLanding, ShownLandings } from './shown-landing.ts';
import { lineEndsOf } from './text-lines.ts';

/** Versions become times: an editor reads a file again when its time has changed. */
const timeOfVersion = 1000;

interface Opened {
  readonly shown: ShownLanding;
  readonly file: LandingFile;
}

const nothingWatched: Disposable = new Disposable(() => undefined);

/** Files of a landing as documents; only those that the user opens are read. */
abstract class LandingFileSystem implements FileSystemProvider {
  protected readonly landings: ShownLandings;
  protected readonly api: () => LandingApi;
  protected readonly changed: EventEmitter<FileChangeEvent[]> = new EventEmitter();

  constructor(landings: ShownLandings, api: () => LandingApi) {
    this.landings = landings;
    this.api = api;
  }

  get onDidChangeFile(): EventEmitter<FileChangeEvent[]>['event'] {
    return this.changed.event;
  }

  abstract stat(uri: Uri): Promise<FileStat>;
  abstract readFile(uri: Uri): Promise<Uint8Array>;
  abstract writeFile(uri: Uri, content: Uint8Array): Promise<void>;

  watch(): Disposable {
    return nothingWatched;
  }
  readDirectory(): [string, FileType][] {
    return [];
  }
  createDirectory(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }
  delete(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }
  rename(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  /** After a reload the run is shown a moment later than its documents. */
  protected async opened(uri: Uri): Promise<Opened> {
    const shown = await this.landings.named(uri.authority);
    const path = this.landings.pathOf(uri);
    const file = path === undefined ? undefined : shown?.landing.files.get(path);
    if (shown === undefined || file === undefined) throw FileSystemError.FileNotFound(uri);
    return { shown, file };
  }

  protected async bytes(uri: Uri, { shown }: Opened, side: Side): Promise<Uint8Array> {
    if (side === null) throw FileSystemError.FileNotFound(uri);
    return this.api().landingContent(shown.store, side.hash);
  }
}

/** What the user had before the agents' change, and the empty side of what is created or deleted. */
export class BaseFiles extends LandingFileSystem {
  async stat(uri: Uri): Promise<FileStat> {
    const read = { type: FileType.File, ctime: 0, permissions: FilePermission.Readonly };
    if (uri.query === emptyQuery) return { ...read, mtime: 0, size: 0 };
    const { file } = await this.opened(uri);
    return { ...read, mtime: file.proposal.version * timeOfVersion, size: file.proposal.base?.size ?? 0 };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    if (uri.query === emptyQuery) return new Uint8Array();
    const opened = await this.opened(uri);
    return this.bytes(uri, opened, opened.file.proposal.base);
  }

  async writeFile(uri: Uri): Promise<void> {
    throw FileSystemError.NoPermissions(uri);
  }
}

/** Proposals: writable while they are undecided. What the user writes is durable when it is written. */
export class ProposalFiles extends LandingFileSystem implements Disposable {
  /** What was told of each document: its version, and how often it was told to be another all the same. */
  readonly #told = new Map<string, { version: number; touched: number; uri: Uri; content: Side }>();
  /** What documents hold that are being saved: what was journalled of them, and its version. */
  readonly #saving = new Map<string, { readonly content: Uint8Array; version: number }>();
  readonly #subscription: Disposable;

  constructor(landings: ShownLandings, api: () => LandingApi) {
    super(landings, api);
    this.#subscription = landings.onDidChange(() => {
      this.#tellChanges();
    });
  }

  async stat(uri: Uri): Promise<FileStat> {
    const opened = await this.opened(uri);
    const { proposal } = opened.file;
    if (proposal.content === null) throw FileSystemError.FileNotFound(uri);
    const told = this.#tell(uri, opened.file);
    const stat = {
      type: FileType.File,
      ctime: 0,
      mtime: told.version * timeOfVersion + told.touched,
      size: told.content?.size ?? 0,
    };
    const canEdit = isUndecided(opened.file) && (await this.#isEditable(uri, opened));
    return canEdit ? stat : { ...stat, permissions: FilePermission.Readonly };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const opened = await this.opened(uri);
    return this.bytes(uri, opened, this.#tell(uri, opened.file).content);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const saving = this.#saving.get(uri.toString());
    if (saving === undefined) {
      this.#wrote(uri, content, await this.#journal(uri, content));
      return;
    }
    this.#wrote(uri, saving.content, saving.version);
    // What a formatter has changed on saving is not what the user has written: the document is read again.
    if (Buffer.compare(saving.content, content) !== 0) setImmediate(() => this.#touch(uri));
  }

  /** The user has edited the proposal: what the document holds is durable first, then it is saved. Returns the version. */
  async keep(uri: Uri, content: Uint8Array, save: () => Thenable<boolean>): Promise<number> {
    const name = uri.toString();
    const saving = { content, version: 0 };
    this.#saving.set(name, saving);
    try {
      saving.version = await this.#journal(uri, content);
      await save();
      return saving.version;
    } finally {
      this.#saving.delete(name);
      this.#tellChanges();
    }
  }

  async #journal(uri: Uri, content: Uint8Array): Promise<number> {
    const { shown, file } = await this.opened(uri);
    if (!isUndecided(file)) throw FileSystemError.NoPermissions(uri);
    return this.api().editProposal(shown.store, shown.landing.id, file.path, content);
  }

  #wrote(uri: Uri, content: Uint8Array, version: number): void {
    const told = this.#told.get(uri.toString());
    if (told === undefined || version <= told.version) return;
    const mode = told.content?.mode ?? 'file';
    Object.assign(told, {
      version,
      content: { hash: hash('sha256', content, 'hex'), mode, size: content.length },
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.changed.dispose();
  }

  /** The newest of what the fold knows and what was just written. */
  #tell(uri: Uri, { proposal }: LandingFile): { version: number; touched: number; content: Side } {
    const name = uri.toString();
    const { version, content } = proposal;
    const told = this.#told.get(name) ?? { version, touched: 0, uri, content };
    // While a document is saved, its time must not change under it.
    if (version > told.version && !this.#saving.has(name)) Object.assign(told, { version, content });
    this.#told.set(name, told);
    return told;
  }

  #tellChanges(): void {
    const { shown } = this.landings;
    const changes: FileChangeEvent[] = [];
    for (const told of this.#told.values()) {
      if (told.uri.authority !== shown?.landing.id || this.#saving.has(told.uri.toString())) continue;
      const file = shown.landing.files.get(this.landings.pathOf(told.uri) ?? '');
      if (file === undefined || file.proposal.version <= told.version) continue;
      const isSame = told.content?.hash === file.proposal.content?.hash;
      Object.assign(told, { version: file.proposal.version, content: file.proposal.content });
      if (!isSame) changes.push({ type: FileChangeType.Changed, uri: told.uri });
    }
    if (changes.length > 0) this.changed.fire(changes);
  }

  #touch(uri: Uri): void {
    const told = this.#told.get(uri.toString());
    if (told) told.touched += 1;
    this.changed.fire([{ type: FileChangeType.Changed, uri }]);
  }

  /** An editor must be able to give back what it does not change. */
  async #isEditable(uri: Uri, opened: Opened): Promise<boolean> {
    const { kind, content } = opened.file.proposal;
    if (kind !== 'text' || content === null) return false;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await this.bytes(uri, opened, content));
      return lineEndsOf(text) !== 'mixed';
    } catch {
      return false;
    }
  }
}
