import type { Texts } from './trunk.ts';

/** What the writers that are killed write, so that whoever looks afterwards knows each byte. */
export const killWriters: readonly string[] = Array.from({ length: 8 }, (_, index) => `root/w${index}`);
/** Small, so that they die while a segment begins as well. */
export const killSegmentBytes: number = 128 * 1024;
export const killStart: Texts = { shared: '\n'.repeat(3 * killWriters.length) };

export function killedContent(task: string, turn: number): Uint8Array {
  return Buffer.from(`${task} ${turn}\n`.repeat(1 + (turn % 60)));
}
