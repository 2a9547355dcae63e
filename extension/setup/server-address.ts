/** What is wrong with a text as the address of a server. */
export type AddressProblem = 'empty' | 'has-credentials' | 'not-http';

/** Undefined when it can be one; whether a server is there only asking it tells. */
export function addressProblem(text: string): AddressProblem | undefined {
  const address = text.trim();
  if (address === '') return 'empty';
  const url = /^https?:\/\/\S+$/iu.test(address) ? URL.parse(address) : null;
  if (url === null) return 'not-http';
  // Settings are no place for secrets.
  return url.username === '' && url.password === '' ? undefined : 'has-credentials';
}

/** As the setting holds it. */
export function tidyAddress(text: string): string {
  return text.trim().replace(/\/+$/u, '');
}
