import {
  Disposable,
  Range,
  TextEditorRevealType,
  window,
  workspace,
  type TextDocument,
  type TextEditor,
} from 'vscode';

/** Lines above the last one that still count as the end. */
const nearEnd = 2;

/** Keeps editors of a scheme at the end of a document that grows, as long as the user is there. */
export class FollowEnd implements Disposable {
  readonly #atEnd = new WeakSet<TextEditor>();
  readonly #listener: Disposable;

  constructor(scheme: string) {
    this.#listener = Disposable.from(
      window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
        if (textEditor.document.uri.scheme !== scheme) return;
        const last = visibleRanges.at(-1)?.end.line ?? 0;
        if (last >= textEditor.document.lineCount - 1 - nearEnd) this.#atEnd.add(textEditor);
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
    reveal(editor);
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #follow(document: TextDocument): void {
    for (const editor of window.visibleTextEditors) {
      if (editor.document === document && this.#atEnd.has(editor)) reveal(editor);
    }
  }
}

function reveal(editor: TextEditor): void {
  const line = editor.document.lineCount - 1;
  editor.revealRange(new Range(line, 0, line, 0), TextEditorRevealType.Default);
}
