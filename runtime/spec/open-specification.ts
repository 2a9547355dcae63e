import { basename, resolve } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import { decodeDocument } from './decode.ts';
import { SpecError } from './errors.ts';
import { LoadedSpecification } from './loaded-specification.ts';
import { parseMarkdown } from './markdown.ts';
import { bareName, buildOutline, type SpecDocument } from './outline.ts';
import { parsePlainText } from './plain-text.ts';
import { isPlainText, readSpecFiles, type SpecFile, type SpecFiles } from './spec-files.ts';
import type { Section, Specification } from './specification.ts';

function parse(file: SpecFile): SpecDocument {
  // The line ends that Markdown knows; a line end at the very end begins no line.
  const lines = decodeDocument(file.bytes, file.name).split(/\r\n|\n|\r/u);
  if (lines.at(-1) === '') lines.pop();
  const parsed = isPlainText(file.name) ? parsePlainText(lines) : parseMarkdown(lines);
  return { name: file.name, lines, ...parsed };
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

/**
 * Loads a specification: a `.md` or `.txt` file (UTF-8, or UTF-16 with its mark), or a folder, of which all such files
 * are taken in order of their paths, except below dot folders and `node_modules`.
 * @throws SpecError `missing`, `empty`, `binary`, `unreadable`, `too-large`, `wrong-kind`; each names the path in `details`
 */
export async function openSpecification(path: string, fileSystem: FileSystem): Promise<Specification> {
  const { kind, files } = await readSpecFiles(path, fileSystem);
  const documents = files.map((file) => parse(file)).filter((document) => hasText(document));
  if (documents.length === 0) {
    throw new SpecError('empty', `${path} holds no text`, { path, documents: files.length });
  }
  const outline = buildOutline(documents, kind);
  return new LoadedSpecification(titleOf(path, kind, outline), outline, documents);
}
