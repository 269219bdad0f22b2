import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../../spec/index.js';
import { html } from '../escape.js';

interface Page {
  readonly title: string;
  /** The style sheets beside this file that it has besides that of the frame. */
  readonly sheets: readonly string[];
  readonly script: string;
  /** Markup, already escaped. */
  readonly body: string;
}

/** A page that can load nothing. Its policy allows only its own style and script, by their hashes. */
export function page({ title, sheets, script, body }: Page): string {
  const styles = ['frame.css', ...sheets].map((file) => readFileSync(packageFile('conformance', 'report', 'html', file), 'utf8')).join('');
  const policy = [
    "default-src 'none'",
    `style-src '${hash(styles)}'`,
    `script-src '${hash(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${html(title)}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
