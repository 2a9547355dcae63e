import { expect, test } from 'vitest';
import { addressProblem, tidyAddress } from './server-address.ts';

test('an address has a scheme, a host, and no secret', () => {
  expect(addressProblem(' http://127.0.0.1:8000/v1 ')).toBeUndefined();
  expect(addressProblem('https://models.example.com')).toBeUndefined();
  expect(addressProblem(' ')).toBe('empty');
  expect(addressProblem('models.example.com/v1')).toBe('not-http');
  expect(addressProblem('http://')).toBe('not-http');
  expect(addressProblem('ftp://example.com')).toBe('not-http');
  expect(addressProblem('http://a b')).toBe('not-http');
  expect(addressProblem('https://me:secret@example.com/v1')).toBe('has-credentials');
});

test('slashes at its end are no part of it', () => {
  expect(tidyAddress(' https://example.com/v1// ')).toBe('https://example.com/v1');
});
