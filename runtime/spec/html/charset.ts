import { Parser } from 'htmlparser2';

/** Bytes at the start of a page in which it can say its encoding. The standard asks for 1024; some pages take more. */
const searched = 16 * 1024;
const atOnce = 1024;

/**
 * The encoding that an HTML page names in a `meta` element, else in an XML declaration.
 * Source: "prescan a byte stream to determine its encoding" of the HTML standard.
 */
export function namedEncoding(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.subarray(0, searched)).toString('latin1');
  const names: string[] = [];
  const parser = new Parser({
    onopentag: (tag, { charset, content, 'http-equiv': header }) => {
      if (tag !== 'meta') return;
      const inContent = header?.trim().toLowerCase() === 'content-type' ? content : undefined;
      const name = charset ?? /charset\s*=\s*["']?([^\s"';]+)/iu.exec(inContent ?? '')?.[1];
      if (name !== undefined) names.push(name);
    },
  });
  for (let from = 0; from < text.length && names.length === 0; from += atOnce) {
    parser.write(text.slice(from, from + atOnce));
  }
  const name = names[0] ?? /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)["']/u.exec(text)?.[1];
  return name === undefined ? undefined : asRead(name.trim().toLowerCase());
}

/** What has been read so far cannot be UTF-16, whatever it says; the standard takes it for UTF-8. */
function asRead(name: string): string {
  if (name.startsWith('utf-16')) return 'utf-8';
  return name === 'x-user-defined' ? 'windows-1252' : name;
}
