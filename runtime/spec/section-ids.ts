const longestSlug = 60;

/** `3.2`, `§ 3`, `Chapter 4:`, `A.1`, `IV.`: a place, which changes when a section is put before it, so not part of an id. */
const numbering =
  /^(?:(?:section|chapter|part|appendix)\s+)?(?:§\s*)?(?:[a-z]\.)?(?:\d+(?:\.\d+)*[.):]*|[ivxlc]+[.):]|[a-z][.):])\s+(?=\S)/iu;

/** The words of a title in lower case, joined by '-'. */
export function slug(title: string): string {
  const words = title
    .replace(numbering, '')
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
  let text = '';
  for (const word of words) {
    if (text !== '' && text.length + word.length >= longestSlug) break;
    text = text === '' ? word.slice(0, longestSlug).toWellFormed() : `${text}-${word}`;
  }
  return text === '' ? 'section' : text;
}

/** Gives ids that are unique within a specification. */
export class SectionIds {
  readonly #taken = new Set<string>();
  /** The number that was given last to a name, so that many equal titles take no longer than others. */
  readonly #last = new Map<string, number>();

  take(wanted: string): string {
    let id = wanted;
    let number = this.#last.get(wanted) ?? 1;
    while (this.#taken.has(id)) {
      number += 1;
      id = `${wanted}-${number}`;
    }
    this.#last.set(wanted, number);
    this.#taken.add(id);
    return id;
  }
}
