/**
 * For notifications and dialogs, where the editor makes `[words](target)` a link, and runs `command:` targets: text of
 * models, files and servers must not reach them with one. A word joiner, which nobody sees, breaks it.
 */
export function plainText(text: string): string {
  return text.replaceAll('](', ']\u2060(');
}
