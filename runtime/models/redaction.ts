/** What a bearer token or a key of a well-known provider looks like, when a server echoes it, whole or in part. */
const keyLike = /\b(?:sk|pk|rk)-[\w*.-]{6,}|\bBearer\s+\S+/gi;

/** Replaces the secrets, and whatever looks like one, in a text that goes into an error. */
export function redact(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret !== '');
  return known
    .reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
    .replaceAll(keyLike, '[redacted]');
}

/** A stranger's text as a short line: control characters and runs of white space become one space. */
export function asLine(text: string, length = 200): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > length ? `${line.slice(0, length).toWellFormed()}…` : line;
}
