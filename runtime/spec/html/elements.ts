/** What an element does to the text around it. An element that is not in the table below is part of its line. */
export type ElementKind =
  /** Begins a line. */
  | 'block'
  /** Begins a line, with a blank one around it. */
  | 'spaced'
  | 'paragraph'
  | 'heading'
  | 'list'
  | 'item'
  | 'definitions'
  | 'term'
  | 'definition'
  | 'quote'
  | 'preformatted'
  | 'table'
  | 'table-part'
  | 'row'
  | 'cell'
  | 'rule'
  | 'line-break'
  | 'image'
  | 'anchor'
  | 'code'
  | 'struck'
  | 'quoted'
  | 'raised'
  | 'lowered'
  | 'title'
  /** Neither text of the page nor headings of it. */
  | 'skipped';

const names: Readonly<Record<ElementKind, string>> = {
  block: 'body caption center div figcaption hgroup html legend optgroup option summary',
  spaced: 'address article aside details dialog fieldset figure footer form header main section',
  paragraph: 'p',
  heading: 'h1 h2 h3 h4 h5 h6',
  list: 'dir menu ol ul',
  item: 'li',
  definitions: 'dl',
  term: 'dt',
  definition: 'dd',
  quote: 'blockquote',
  preformatted: 'listing plaintext pre xmp',
  table: 'table',
  'table-part': 'tbody tfoot thead',
  row: 'tr',
  cell: 'td th',
  rule: 'hr',
  'line-break': 'br',
  image: 'img',
  anchor: 'a',
  code: 'code kbd samp tt',
  struck: 'del s strike',
  quoted: 'q',
  raised: 'sup',
  lowered: 'sub',
  title: 'title',
  skipped: 'audio canvas iframe nav noembed noframes noscript script style svg template video',
};

function isKind(kind: string): kind is ElementKind {
  return kind in names;
}

const kinds = new Map<string, ElementKind>(
  Object.entries(names).flatMap(([kind, list]) =>
    isKind(kind) ? list.split(' ').map((name): [string, ElementKind] => [name, kind]) : [],
  ),
);

export function kindOf(name: string): ElementKind | undefined {
  return kinds.get(name);
}

/** What is part of a line. */
export type InlineKind =
  | 'anchor'
  | 'code'
  | 'image'
  | 'line-break'
  | 'lowered'
  | 'quoted'
  | 'raised'
  | 'struck'
  | 'title';
export type BlockKind = Exclude<ElementKind, InlineKind | 'skipped'>;
/** What holds other blocks. */
export type ContainerKind = Exclude<BlockKind, 'heading' | 'paragraph' | 'rule'>;

const inline: ReadonlySet<ElementKind> = new Set<InlineKind>([
  'anchor',
  'code',
  'image',
  'line-break',
  'lowered',
  'quoted',
  'raised',
  'struck',
  'title',
]);

export function isInline(kind: ElementKind): kind is InlineKind {
  return inline.has(kind);
}
