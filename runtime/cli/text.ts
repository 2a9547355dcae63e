import { stripVTControlCharacters } from 'node:util';
import type { Booked } from '#protocol/projection-ledger.ts';

/**
 * Controls, and what changes the direction or the breaking of a line: written by a model or a file, they could draw
 * over the screen or make a text read differently from what it is.
 */
const unsafe = /[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const combining = /^[\p{Mn}\p{Me}]+$/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Foreign text as one line that can be shown: no escape sequences, no controls, white space run together. */
export function oneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/gu, ' ').replace(unsafe, '').trim();
}

/** As `oneLine`, with the line breaks kept and tabs as two spaces. */
export function safeLines(text: string): string[] {
  return stripVTControlCharacters(text)
    .split(/\r\n|\r|\n/u)
    .map((line) => line.replaceAll('\t', '  ').replace(unsafe, '').trimEnd());
}

/** Columns that the text takes in a terminal; an estimate for rare scripts. */
export function textWidth(text: string): number {
  if (/^[\u0020-\u007e]*$/u.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The text in at most `columns` columns, with an ellipsis where it was cut. */
export function cutToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let width = 0;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)));
}

function graphemeWidth(segment: string): number {
  if (combining.test(segment)) return 0;
  return wide.test(segment) ? 2 : 1;
}

/** `1 file`, `3 files` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `0.4 s`, `12 s`, `3 min 05 s`, `2 h 07 min` */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${two(whole % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** `950`, `12.3k`, `4.0M` */
export function tokenCount(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_950) return `${(tokens / 1000).toFixed(1)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** Dollars with as many digits as a small sum needs. */
export function dollars(usd: number): string {
  if (usd === 0 || usd >= 0.995) return `$${usd.toFixed(2)}`;
  return `$${usd.toFixed(usd < 0.01 ? 4 : 3)}`;
}

/** What was spent: `$0.25`, `3 calls of unknown price`, `$0.25 + 3 calls of unknown price` */
export function spent({ usd, unpricedCalls }: Pick<Booked, 'usd' | 'unpricedCalls'>): string {
  if (unpricedCalls === 0) return dollars(usd);
  const unknown = `${counted(unpricedCalls, 'call')} of unknown price`;
  return usd === 0 ? unknown : `${dollars(usd)} + ${unknown}`;
}

/** The first digits of a hash, as people write it. */
export function shortHash(hash: string): string {
  return hash.slice(0, 8);
}

/** As a POSIX shell reads it back. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
