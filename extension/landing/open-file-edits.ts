import { readFile } from 'node:fs/promises';
import { EndOfLine, Range, TextEdit, Uri, workspace, WorkspaceEdit, type TextDocument } from 'vscode';
import type { EditEnd, EditPlan, LandingApi } from '#protocol/landing-api.ts';
import { bytesOf, faithfulText, isFaithful } from './document-bytes.ts';
import { endOfEdit, type EditedFile } from './edit-end.ts';
import type { HostOutcome } from './landing-words.ts';
import { minimalEdits } from './minimal-edits.ts';
import { lineEndsOf } from './text-lines.ts';

/** How often an edit is planned again because the user has typed meanwhile. */
const attempts = 2;

/** One planned edit of an open file, in one undo stop; saved when the file was saved before. */
export class OpenFileEdits {
  readonly #api: () => LandingApi;

  constructor(api: () => LandingApi) {
    this.#api = api;
  }

  /** `begin` plans for what stands in the document; `version` is the newest that it has told. */
  async make(
    store: string,
    path: string,
    document: TextDocument,
    version: number,
    begin: (bytes: Uint8Array, version: number) => Promise<EditPlan>,
  ): Promise<HostOutcome> {
    if (!(await isFaithful(document))) return { path, kind: 'unfaithful' };
    let newest = version;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const text = document.getText();
      // oxlint-disable-next-line no-await-in-loop -- an attempt follows the one that failed
      const plan = await begin(await bytesOf(document), newest);
      if (plan.kind === 'refused') return plan.outcome;
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await this.#apply(store, path, document, text, plan);
      if (outcome !== 'again') return outcome;
      newest = plan.version;
    }
    return { path, kind: 'obstacle', obstacle: 'keeps-changing' };
  }

  async #apply(
    store: string,
    path: string,
    document: TextDocument,
    text: string,
    plan: Extract<EditPlan, { kind: 'edit' }>,
  ): Promise<HostOutcome | 'again'> {
    let end: EditEnd = { kind: 'refused' };
    try {
      const wanted = await faithfulText(plan.bytes, document);
      if (wanted === undefined) return { path, kind: 'unfaithful' };
      const file = editedFile(document);
      const [wasClean, disk] = [!file.isDirty, await file.onDisk().catch(() => undefined)];
      // What was planned for is still there, and the editor takes the edit whole or not at all.
      const isApplied = document.getText() === text && (await isTaken(editOf(document, wanted)));
      if (!isApplied) return 'again';
      end = await endOfEdit(file, disk, wasClean);
      return end.kind === 'applied'
        ? { path, kind: 'done' }
        : { path, kind: 'obstacle', obstacle: 'keeps-changing' };
    } finally {
      // An intent that stays open blocks its file.
      await this.#api().endEdit(store, plan.decision, end);
    }
  }
}

function editedFile(document: TextDocument): EditedFile {
  return {
    get isDirty() {
      return document.isDirty;
    },
    get isClosed() {
      return document.isClosed;
    },
    save: () => document.save(),
    bytes: async () => bytesOf(document),
    onDisk: async () => readFile(document.uri.fsPath),
  };
}

/** An edit that the editor throws back has not been made: the intent must not stay open. */
async function isTaken(edit: WorkspaceEdit): Promise<boolean> {
  try {
    return await workspace.applyEdit(edit);
  } catch {
    return false;
  }
}

function editOf(document: TextDocument, wanted: string): WorkspaceEdit {
  const ends = lineEndsOf(wanted);
  const now = document.eol === EndOfLine.CRLF ? 'crlf' : 'lf';
  const lineEnd = now === 'crlf' ? '\r\n' : '\n';
  const edits = minimalEdits(document.getText(), wanted, lineEnd).map(({ start, end, text }) =>
    TextEdit.replace(new Range(...start, ...end), text),
  );
  if (ends !== 'none' && ends !== now) {
    edits.push(TextEdit.setEndOfLine(ends === 'crlf' ? EndOfLine.CRLF : EndOfLine.LF));
  }
  const whole = new WorkspaceEdit();
  whole.set(Uri.from(document.uri), edits);
  return whole;
}
