import { describe, expect, it } from 'vitest';
import { dashboardHtml } from './dashboard-html.ts';

const page = {
  script: 'https://files/dashboard.js',
  style: 'https://files/dashboard.css',
  icons: 'https://files/codicon.css',
  source: 'https://files',
  nonce: 'bm9uY2U=',
  title: 'Dashboard',
  language: 'en',
  words: undefined,
};

describe("the dashboard's page", () => {
  it('lets nothing load but its own script, styles and font', () => {
    const html = dashboardHtml(page);
    const policy = /Content-Security-Policy" content="([^"]+)"/u.exec(html)?.[1];
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'nonce-bm9uY2U='",
      'style-src https://files',
      'font-src https://files',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(html).not.toMatch(/unsafe|<style|\s(?:style|on[a-z]+)="/u);
    expect([...html.matchAll(/<script[^>]*>/gu)].map(([tag]) => tag)).toEqual([
      '<script nonce="bm9uY2U=" src="https://files/dashboard.js">',
    ]);
  });

  it('carries the words of other languages as data, whatever stands in them', () => {
    const words = { Pause: '"><script>alert(1)</script>' };
    const html = dashboardHtml({ ...page, language: 'de', words });
    expect(html).toContain('<html lang="de">');
    expect(html).not.toContain('alert(1)</script>');
    const data = /data-words="([^"]*)"/u.exec(html)?.[1]?.replaceAll('&quot;', '"');
    const parsed: unknown = JSON.parse(data?.replaceAll('&lt;', '<').replaceAll('&gt;', '>') ?? '');
    expect(parsed).toEqual(words);
  });
});
