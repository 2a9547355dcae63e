import { describe, expect, it } from 'vitest';
import { parseModelChoice, providers } from './providers.ts';

describe('the table of providers', () => {
  it.each(Object.entries(providers))(
    'says of %s what is needed to reach it, without contradiction',
    (key, info) => {
      expect(info.name).toBe(key);
      const isHttp = info.format !== 'host';
      expect(info.baseUrl === undefined).toBe(!isHttp || info.needsBaseUrl);
      expect(info.baseUrl ?? 'https://x').toMatch(/^https?:\/\/.*[^/]$/);
      expect(info.needsKey === 'never').toBe(info.keyVariable === undefined);
      expect(parseModelChoice(`${info.name}/${info.exampleModel}`)).toEqual({
        provider: info.name,
        name: info.exampleModel,
      });
    },
  );

  it('has a key variable of its own for each', () => {
    const variables = Object.values(providers).flatMap(({ keyVariable }) => keyVariable ?? []);
    expect(new Set(variables).size).toBe(variables.length);
  });
});
