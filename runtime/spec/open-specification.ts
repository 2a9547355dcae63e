import { basename, resolve } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import { decodeDocument } from './decode.ts';
import { SpecError } from './errors.ts';
import { namedEncoding } from './html/charset.ts';
import { parseHtml } from './html/parse-html.ts';
import { LoadedSpecification } from './loaded-specification.ts';
import { parseMarkdown } from './markdown.ts';
import { bareName, buildOutline, type SpecDocument } from './outline.ts';
import { parsePlainText } from './plain-text.ts';
import { SpecSearch } from './search/spec-search.ts';
import { formatOf, readSpecFiles, type SpecFile, type SpecFiles } from './spec-files.ts';
import type { Section, Specification } from './specification.ts';
import { inSteps } from './steps.ts';

/** What a specification is made of, before it can be searched. */
interface Parsed {
  readonly title: string;
  readonly outline: readonly Section[];
  readonly documents: readonly SpecDocument[];
}

/** The line ends that Markdown knows; a line end at the very end begins no line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/u);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function* parse({ name, bytes }: SpecFile): Generator<void, SpecDocument> {
  if (formatOf(name) === 'html') {
    const page = decodeDocument(bytes, name, namedEncoding(bytes));
    return { name, ...(yield* parseHtml(page)) };
  }
  const lines = linesOf(decodeDocument(bytes, name));
  const parsed = formatOf(name) === 'plain-text' ? parsePlainText(lines) : parseMarkdown(lines);
  yield;
  return { name, lines, ...parsed };
}

function hasText(document: SpecDocument): boolean {
  return document.lines.slice(document.bodyLine - 1).some((line) => line.trim() !== '');
}

/** A document is called by its title, a folder by its name. */
function titleOf(path: string, kind: SpecFiles['kind'], outline: readonly Section[]): string {
  const name = basename(resolve(path));
  if (kind === 'folder') return name;
  const top = outline.find((section) => section.level === 1 && section.title !== bareName(name));
  return top?.title ?? bareName(name);
}

async function parseAll(path: string, fileSystem: FileSystem): Promise<Parsed> {
  const { kind, files } = await readSpecFiles(path, fileSystem);
  const documents: SpecDocument[] = [];
  for (const file of files) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: it is one thread
    const document = await inSteps(parse(file));
    if (hasText(document)) documents.push(document);
  }
  if (documents.length === 0) {
    throw new SpecError('empty', `${path} holds no text`, { path, documents: files.length });
  }
  const outline = buildOutline(documents, kind);
  return { title: titleOf(path, kind, outline), outline, documents };
}

/**
 * Loads a specification: a `.md`, `.txt`, `.html` or `.htm` file, or a folder, of which all such files are taken in order
 * of their paths, except below dot folders and `node_modules`. Files are UTF-8, UTF-16 with its mark, or, as an HTML page
 * can do, in the encoding that they name.
 * @throws SpecError all codes but `no-such-section`; each names the path in `details`
 */
export async function openSpecification(path: string, fileSystem: FileSystem): Promise<Specification> {
  const { title, outline, documents } = await parseAll(path, fileSystem);
  const search = await SpecSearch.over(outline, documents);
  return new LoadedSpecification(title, outline, documents, search);
}

/** The title of the specification, when it can be opened. Unlike opening, this builds no index. @throws SpecError as there */
export async function specificationTitle(path: string, fileSystem: FileSystem): Promise<string> {
  return (await parseAll(path, fileSystem)).title;
}
