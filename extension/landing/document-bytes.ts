import { readFile } from 'node:fs/promises';
import { window, workspace, TabInputText, TabInputTextDiff, type TextDocument, type Uri } from 'vscode';
import { lineEndsOf } from './text-lines.ts';

/** What would be in the file if the document were saved now. */
export async function bytesOf(document: TextDocument): Promise<Uint8Array> {
  return workspace.encode(document.getText(), { encoding: document.encoding });
}

/** The text of bytes as the document would show it; undefined when an editor cannot hold them without a loss. */
export async function faithfulText(
  bytes: Uint8Array,
  { encoding }: TextDocument,
): Promise<string | undefined> {
  try {
    const text = await workspace.decode(bytes, { encoding });
    if (lineEndsOf(text) === 'mixed') return undefined;
    const again = await workspace.encode(text, { encoding });
    return Buffer.compare(again, bytes) === 0 ? text : undefined;
  } catch {
    // It is binary.
    return undefined;
  }
}

/** False when saving the document would change bytes that nobody has edited. */
export async function isFaithful(document: TextDocument): Promise<boolean> {
  try {
    return (await faithfulText(await readFile(document.uri.fsPath), document)) !== undefined;
  } catch {
    // Nothing is on the disk that could be changed.
    return true;
  }
}

export function documentOf(uri: Uri): TextDocument | undefined {
  const name = uri.toString();
  return workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === name);
}

/** The document of a file that the user has open: a tab shows it, or it has edits that are not saved. */
export function shownDocument(uri: Uri): TextDocument | undefined {
  const document = documentOf(uri);
  return document !== undefined && (document.isDirty || hasTab(uri)) ? document : undefined;
}

function hasTab(uri: Uri): boolean {
  const name = uri.toString();
  return window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => {
      if (input instanceof TabInputText) return input.uri.toString() === name;
      return (
        input instanceof TabInputTextDiff &&
        (input.original.toString() === name || input.modified.toString() === name)
      );
    }),
  );
}
