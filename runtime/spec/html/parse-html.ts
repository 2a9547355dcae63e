import { MarkupReader } from './markup-reader.ts';
import { PageRenderer, type RenderedPage } from './page-renderer.ts';

/** Characters that are read with each step: some milliseconds. */
const stepLength = 256 * 1024;

/**
 * The text of an HTML page as lines that read like Markdown, with its headings (`h1` to `h6`) and its title. Scripts,
 * styles, templates, drawings and navigation are left out. Malformed pages are read much like a browser reads them, and
 * never refused. Between the steps others can have their turn.
 */
export function* parseHtml(page: string, length: number = stepLength): Generator<void, RenderedPage> {
  const renderer = new PageRenderer();
  yield* new MarkupReader(page, renderer).steps(length);
  return renderer.finish();
}
