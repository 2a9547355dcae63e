/** A model of the editor, as a choice names it after `vscode/`. */
export interface EditorModelId {
  readonly vendor: string;
  readonly id: string;
}

/** `vscode/VENDOR/ID`. White space, which a choice cannot hold, and what stands for it are escaped. */
export function choiceOf({ vendor, id }: EditorModelId): string {
  return `vscode/${escape(vendor).replaceAll('/', '%2F')}/${escape(id)}`;
}

/** Of the part after `vscode/`; the id may hold slashes. Undefined when it names no model. */
export function readModelName(name: string): EditorModelId | undefined {
  const cut = name.indexOf('/');
  if (cut <= 0 || cut === name.length - 1) return undefined;
  return { vendor: unescape(name.slice(0, cut)), id: unescape(name.slice(cut + 1)) };
}

function escape(text: string): string {
  return text.replaceAll(/[%\s]/gu, (character) => encodeURIComponent(character));
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Written by hand, with a per cent sign that stands for itself.
  }
}
