import { z } from 'zod';

import type { Section } from '#spec/specification.ts';
import { lineArgument } from './arguments.ts';
import type { ReadingContext } from './context.ts';
import { byteLength, prefixOfBytes, resultBytes } from './limits.ts';
import { linesOf } from './text-file.ts';
import { defineTool, result, type Tool } from './tool.ts';

const textBytes = resultBytes - 4096;
const hitsPerSearch = 50;

export const specOutline: Tool<ReadingContext> = defineTool({
  name: 'spec_outline',
  description: 'The sections of the specification: id, title, lines.',
  schema: z.strictObject({}),
  run: async (_args, { spec }: ReadingContext) => {
    const { shown, left } = outlineWithin(spec.outline, textBytes);
    const note = left === 0 ? '' : `note: ${left} deeper sections left out; spec_search finds them`;
    return result({ sections: spec.outline.length }, note, shown);
  },
});

export const specRead: Tool<ReadingContext> = defineTool({
  name: 'spec_read',
  description: 'The text of a section with its subsections, by its id.',
  schema: z.strictObject({ section: z.string().min(1).describe('An id of the outline.') }),
  run: async ({ section }, { spec }: ReadingContext) => {
    const text = spec.read(section);
    const first = { section, lines: linesOf(text).length };
    if (byteLength(text) <= textBytes) return result(first, text);
    const parts = spec.outline.filter(({ id }) => id.startsWith(`${section}/`)).map(({ id }) => id);
    const rest = parts.length === 0 ? 'spec_search finds the rest' : `read its parts: ${parts.join(', ')}`;
    return result(first, prefixOfBytes(`note: cut; ${rest}`, 2048), prefixOfBytes(text, textBytes));
  },
});

export const specSearch: Tool<ReadingContext> = defineTool({
  name: 'spec_search',
  description: `Lines of the specification that fit the words of the query best, the best first, each with its section. At most ${hitsPerSearch}.`,
  schema: z.strictObject({ query: lineArgument(300) }),
  run: async ({ query }, { spec }: ReadingContext) => {
    const hits = spec.search(query, hitsPerSearch);
    const note = hits.length < hitsPerSearch ? '' : `note: stopped at ${hitsPerSearch}; take more words`;
    return result(
      { matches: hits.length },
      note,
      hits.map((hit) => `${hit.section}\t${hit.text}`).join('\n'),
    );
  },
});

/** The outline with as many levels as fit: the upper ones show what there is. One line a section: id, title, lines. */
export function outlineWithin(
  outline: readonly Section[],
  bytes: number,
): { readonly shown: string; readonly left: number } {
  const deepest = outline.reduce((most, { level }) => Math.max(most, level), 1);
  for (let level = deepest; level > 1; level -= 1) {
    const kept = outline.filter((section) => section.level <= level);
    const shown = formatOutline(kept);
    if (byteLength(shown) <= bytes) return { shown, left: outline.length - kept.length };
  }
  const kept = outline.filter((section) => section.level === 1);
  return { shown: prefixOfBytes(formatOutline(kept), bytes), left: outline.length - kept.length };
}

function formatOutline(outline: readonly Section[]): string {
  return outline
    .map(({ id, title, firstLine, lastLine }) => `${id}\t${title}\t${lastLine - firstLine + 1} lines`)
    .join('\n');
}
