/** What one result may take of an agent's context. Bytes of UTF-8. */
export const resultBytes: number = 64 * 1024;

const encoder = new TextEncoder();

/** The longest prefix of `text` that takes at most `bytes` of UTF-8 and splits no character. */
export function prefixOfBytes(text: string, bytes: number): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.max(0, bytes)));
  return text.slice(0, read);
}

/** The longest suffix of `text` that takes at most `bytes` of UTF-8 and splits no character. */
function suffixOfBytes(text: string, bytes: number): string {
  const encoded = encoder.encode(text);
  let start = Math.max(0, encoded.length - bytes);
  // Continuation bytes are 10xxxxxx: step on to the next character's first byte.
  while (start < encoded.length && ((encoded[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoded.subarray(start));
}

/** `text`, with its middle left out and said so where it is longer than `bytes`: beginnings and ends tell the most. */
export function cutMiddle(text: string, bytes: number): string {
  const size = byteLength(text);
  if (size <= bytes) return text;
  const half = Math.floor(bytes / 2) - 40;
  const start = prefixOfBytes(text, half);
  const end = suffixOfBytes(text, half);
  return `${start}\n[${size - byteLength(start) - byteLength(end)} bytes left out]\n${end}`;
}

/** Bytes of UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The first `limit` items joined, and how many there are beyond. */
export function joinCapped(items: readonly string[], limit: number, separator = ', '): string {
  if (items.length <= limit) return items.join(separator);
  return `${items.slice(0, limit).join(separator)}${separator}+${items.length - limit}`;
}
