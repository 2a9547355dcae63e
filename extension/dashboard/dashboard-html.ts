export interface DashboardPage {
  /** Addresses of the webview's own files. */
  readonly script: string;
  readonly style: string;
  readonly icons: string;
  /** What the webview's files come from, as a content security policy names it. */
  readonly source: string;
  readonly nonce: string;
  readonly title: string;
  readonly language: string;
  /** Translations of the page's words; absent for English. */
  readonly words: Readonly<Record<string, unknown>> | undefined;
}

/** Nothing is loaded but our own script and styles with their font, and nothing is sent anywhere. */
export function dashboardHtml(page: DashboardPage): string {
  const { script, style, icons, source, nonce, title, language, words } = page;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escape(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="${escape(style)}">
<link rel="stylesheet" href="${escape(icons)}" id="vscode-codicon-stylesheet">
</head>
<body${words === undefined ? '' : ` data-words="${escape(JSON.stringify(words))}"`}>
<div id="dashboard"></div>
<script nonce="${escape(nonce)}" src="${escape(script)}"></script>
</body>
</html>
`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
