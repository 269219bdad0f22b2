import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../../spec/index.js';
import { html } from '../escape.js';

type Page = Readonly<Record<'title' | 'script' | 'body', string>> & { readonly sheets: readonly string[] };

/** A page that can load nothing. Its policy allows only its own style and script, by their hashes. The sheets stand beside this file, and the body is markup. The script has `all`, which finds elements. */
export function page({ title, sheets, script: acts, body }: Page): string {
  const all = 'const all = (selector, root = document) => [...root.querySelectorAll(selector)];';
  const script = `'use strict';\n(() => {\n${all}${acts}})();\n`;
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
