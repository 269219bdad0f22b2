/** @import { App } from '../base/app.js' */
/** @import { Exchange } from '../types.js' */
import { el } from '../base/dom.js';
import { instantWords } from '../base/words.js';
import { drawRow } from '../diagram/draw.js';
import { drawMessages } from '../exchange/message.js';
import { drawPresented } from '../exchange/presented.js';
import { drawWhy } from '../exchange/why.js';

/** A page of more could not be opened on a phone. */
const most = 1000;
/** So many are written before the browser may draw again. */
const atOnce = 20;

/**
 * The exchanges as one page that loads nothing and runs nothing: each folded under its row of the diagram.
 *
 * @param {App} app
 * @param {readonly Exchange[]} exchanges
 */
export async function sharedPage(app, exchanges) {
  const styles = (await Promise.all(['base', 'diagram', 'rows', 'exchange', 'shared'].map((name) => text(`/page/${name}.css`)))).join('\n');
  const last = exchanges.slice(-most);
  const left = exchanges.length - last.length;
  const items = [];
  for (const [index, exchange] of last.entries()) {
    if (index % atOnce === 0) await new Promise((resolve) => setTimeout(resolve));
    items.push(folded(app, exchange).outerHTML);
  }
  const policy = `default-src 'none'; style-src '${await hash(styles)}'; img-src data:`;
  const head = el(
    'p',
    {},
    `${last.length} exchange${last.length === 1 ? '' : 's'} with `,
    el('code', {}, app.facts.url),
    `, saved at ${instantWords(app.now())} on the server's clock.`,
    left > 0 ? ` ${left} older ones are left out.` : '',
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>hydrauth: ${last.length} exchanges</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body class="shared">
<header><h1>hydrauth</h1>${head.outerHTML}</header>
<main class="exchanges">
${items.join('\n')}
</main>
</body>
</html>
`;
}

/**
 * @param {App} app
 * @param {Exchange} exchange
 */
function folded(app, exchange) {
  const row = drawRow({ exchange, column: 0, lane: String(exchange.connection) }, app.facts);
  for (const name of ['role', 'id', 'data-number']) row.removeAttribute(name);
  const content = [
    drawPresented({ facts: app.facts, now: () => exchange.atMs }, exchange).element,
    drawWhy(exchange, app.facts),
    ...drawMessages(exchange),
  ];
  return el(
    'details',
    {},
    el('summary', {}, row),
    el('div', { class: 'exchange' }, ...content.map((part) => el('section', { class: 'part' }, part))),
  );
}

/** @param {string} path */
async function text(path) {
  return (await fetch(path)).text();
}

/** @param {string} styles */
async function hash(styles) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(styles));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
