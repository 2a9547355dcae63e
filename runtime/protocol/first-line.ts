/**
 * The first line of a tool result: `key=value` pairs separated by one space (docs/adr/0002). A value that is empty or
 * holds white space, a quote or a control character is written as a JSON string, so that the line stays one line.
 */
const plainValue = /^[^\s"\p{Cc}]+$/u;
const pair = /([a-z][a-z0-9_-]*)=("(?:[^"\\]|\\.)*"|[^\s"\p{Cc}]+)(?: |$)/uy;

/** `{ outcome: 'committed', files: 2 }` -> `outcome=committed files=2`, in the order of the object. */
export function formatFirstLine(pairs: Readonly<Record<string, string | number>>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key}=${formatValue(String(value))}`)
    .join(' ');
}

/**
 * Reads the pairs of the first line of `text`; what follows its first line break is the body and is not looked at.
 * Undefined when the line is not made of pairs or names a key twice.
 */
export function parseFirstLine(text: string): ReadonlyMap<string, string> | undefined {
  const line = text.split('\n', 1)[0] ?? '';
  const pairs = new Map<string, string>();
  pair.lastIndex = 0;
  while (pair.lastIndex < line.length) {
    const [, key, written] = pair.exec(line) ?? [];
    if (key === undefined || written === undefined || pairs.has(key)) return undefined;
    const value = written.startsWith('"') ? parseJsonString(written) : written;
    if (value === undefined) return undefined;
    pairs.set(key, value);
  }
  return pairs.size === 0 || line.endsWith(' ') ? undefined : pairs;
}

function formatValue(value: string): string {
  return plainValue.test(value) ? value : JSON.stringify(value);
}

function parseJsonString(written: string): string | undefined {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
