import { expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

/** How the editor finds links in a notification: `linkedText.ts` of VS Code. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (?:"[^"]+"|'[^']+'))?\)/giu;

it.each([
  'press [here](command:swarmwright.buildFromSpec?%7B%7D "now")',
  '[a](https://example.org)',
  '[[x](command:y)](command:z)',
])('leaves no link in %s', (text) => {
  expect(text).toMatch(link);
  expect(plainText(text)).not.toMatch(link);
  expect(plainText(text).replaceAll('\u2060', '')).toBe(text);
});
