/** Translations that the host has given, by English text. */
const translations = readTranslations(document.body.dataset['words']);

function readTranslations(text: string | undefined): ReadonlyMap<string, string> {
  const parsed: unknown = text === undefined ? {} : JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) return new Map();
  const strings = Object.entries(parsed).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return new Map(strings);
}

/** The page's side of `vscode.l10n`: the same bundles, the same way to write it. */
export const l10n = {
  /** @param values what stands for `{0}`, `{1}` … */
  t(message: string, ...values: readonly (string | number)[]): string {
    const text = translations.get(message) ?? message;
    return text.replaceAll(/\{(\d+)\}/gu, (whole, place: string) => String(values[Number(place)] ?? whole));
  },
};

/** What numbers and times are written for. */
export const language: string = document.documentElement.lang || 'en';
