/** How a text ends its lines; `mixed` is what an editor cannot keep. `none`: it has one line. */
export type LineEnds = 'crlf' | 'lf' | 'mixed' | 'none';

export function lineEndsOf(text: string): LineEnds {
  const [crlf, all, returns] = [count(text, '\r\n'), count(text, '\n'), count(text, '\r')];
  if (returns > crlf || (crlf > 0 && crlf < all)) return 'mixed';
  if (all === 0) return 'none';
  return crlf > 0 ? 'crlf' : 'lf';
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}

/** As an editor counts them: a text that ends with a line end has an empty last line. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n/u);
}
