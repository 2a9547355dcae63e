import { hash } from 'node:crypto';
import type { SqlValue } from './sql-engine.ts';
import type { ColumnType, SortMode } from './sqllogictest.ts';

/** The text by which a value is compared. What an engine has as another type is converted as SQLite's column functions do. */
export function renderValue(value: SqlValue, type: ColumnType): string {
  if (value === null) return 'NULL';
  switch (type) {
    case 'I':
      return renderInteger(value);
    case 'R':
      return renderReal(numberOf(value));
    case 'T':
      return renderText(String(value));
    default:
      return type satisfies never;
  }
}

/** Cut to 32 bits, as `%d` does with a 64-bit integer. */
function renderInteger(value: Exclude<SqlValue, null>): string {
  const whole = Math.trunc(numberOf(value));
  return Number.isFinite(whole) ? String(BigInt.asIntN(32, BigInt(whole))) : '0';
}

/** `%.3f` of a printf that knows 16 significant digits: what is behind them is zero. */
function renderReal(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'Inf' : value < 0 ? '-Inf' : 'NULL';
  if (Math.abs(value) < 1e12) return value.toFixed(3);
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential(15).split('e');
  const digits = mantissa.replace('.', '').padEnd(Number(exponent) + 4, '0');
  const whole = digits.slice(0, Number(exponent) + 1);
  const fraction = digits.slice(whole.length, whole.length + 3).padEnd(3, '0');
  return `${value < 0 ? '-' : ''}${whole}.${fraction}`;
}

/** Byte by byte, since the original knows no characters: an é is two unprintable bytes. */
function renderText(text: string): string {
  if (text === '') return '(empty)';
  return Array.from(Buffer.from(text, 'utf8'), (byte) =>
    byte < 0x20 || byte > 0x7e ? '@' : String.fromCodePoint(byte),
  ).join('');
}

/** A text counts as the number that it begins with, or 0. */
function numberOf(value: Exclude<SqlValue, null>): number {
  if (typeof value !== 'string') return Number(value);
  return Number(/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/i.exec(value)?.[0] ?? 0);
}

/** All values of a result as texts in the order in which they are compared. */
export function renderRows(
  rows: readonly (readonly SqlValue[])[],
  types: readonly ColumnType[],
  sort: SortMode,
): readonly string[] {
  const rendered = rows.map((row) => row.map((value, index) => renderValue(value, types[index] ?? 'T')));
  if (sort === 'rowsort') rendered.sort(compareRows);
  const values = rendered.flat();
  return sort === 'valuesort' ? values.toSorted(compareTexts) : values;
}

function compareRows(left: readonly string[], right: readonly string[]): number {
  for (const [index, value] of left.entries()) {
    const order = compareTexts(value, right[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** Rendered text is ASCII, so its order by units is that by bytes. */
function compareTexts(left: string, right: string): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** `N values hashing to MD5`: over each value with a line feed. */
export function hashValues(values: readonly string[]): string {
  const text = values.map((value) => `${value}\n`).join('');
  return `${values.length} values hashing to ${hash('md5', text)}`;
}
