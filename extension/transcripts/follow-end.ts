import {
  Disposable,
  Range,
  TextEditorRevealType,
  window,
  workspace,
  type TextDocument,
  type TextEditor,
} from 'vscode';
import { endOfTurns } from './fence.ts';

/** Lines above it that still count as the end. */
const nearEnd = 2;

/** Keeps editors of a scheme at the end of turns that grow, as long as the user is there. */
export class FollowEnd implements Disposable {
  readonly #atEnd = new WeakSet<TextEditor>();
  /** A document is read for its end once for each of its versions. */
  readonly #ends = new WeakMap<TextDocument, { readonly version: number; readonly line: number }>();
  readonly #listener: Disposable;

  constructor(scheme: string) {
    this.#listener = Disposable.from(
      window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
        if (textEditor.document.uri.scheme !== scheme) return;
        const [first, last] = [visibleRanges[0]?.start.line ?? 0, visibleRanges.at(-1)?.end.line ?? 0];
        const end = this.#endOf(textEditor.document);
        // Who reads what stands below is left there.
        if (first <= end && last >= end - nearEnd) this.#atEnd.add(textEditor);
        else this.#atEnd.delete(textEditor);
      }),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === scheme) this.#follow(document);
      }),
    );
  }

  /** The user has just opened something that goes on. */
  start(editor: TextEditor): void {
    this.#atEnd.add(editor);
    this.#reveal(editor);
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #follow(document: TextDocument): void {
    for (const editor of window.visibleTextEditors) {
      if (editor.document === document && this.#atEnd.has(editor)) this.#reveal(editor);
    }
  }

  #endOf(document: TextDocument): number {
    const { version } = document;
    const known = this.#ends.get(document);
    if (known?.version === version) return known.line;
    const line = endOfTurns(document.getText().split(/\r?\n/u));
    this.#ends.set(document, { version, line });
    return line;
  }

  #reveal(editor: TextEditor): void {
    const line = this.#endOf(editor.document);
    editor.revealRange(new Range(line, 0, line, 0), TextEditorRevealType.Default);
  }
}
