/** @import { App } from '../base/app.js' */
import { byId, el } from '../base/dom.js';
import { instantWords, lookOf, timeWords } from '../base/words.js';
import { drawCopies } from '../take/copies.js';
import { drawMessages } from './message.js';
import { drawPresented } from './presented.js';
import { drawWhy } from './why.js';

/**
 * The chosen exchange, decoded. Without a choice it is the newest one.
 *
 * @param {App} app
 */
export function makeExchange(app) {
  const place = byId('exchange');
  let tick = () => {};
  /** @type {object | undefined} */
  let drawn;
  let isPinned = false;
  const follow = el('button', { type: 'button', class: 'follow', 'aria-keyshortcuts': 'Escape' }, 'Follow the newest');
  follow.addEventListener('click', (event) => {
    event.stopPropagation(); // a click on anything else here chooses
    app.choose(undefined);
  });
  const draw = () => {
    const exchange = app.chosen ?? app.exchanges.at(-1);
    if (exchange === drawn && isPinned === (app.chosen !== undefined)) return tick();
    drawn = exchange;
    isPinned = app.chosen !== undefined;
    if (exchange === undefined) return place.replaceChildren();
    const { number, connection, method, target, status, atMs, reason, faults, variants } = exchange;
    const { name, tone } = lookOf(exchange);
    const presented = drawPresented(app, exchange);
    tick = presented.tick;
    const on = [...faults, ...variants];
    place.replaceChildren(
      el(
        'header',
        { class: `is-${tone}` },
        el(
          'p',
          { class: 'muted' },
          `${name} · exchange ${number} · connection ${connection} · `,
          el('time', { title: instantWords(atMs) }, timeWords(atMs)),
        ),
        el('div', { class: 'which' }, el('h2', {}, el('code', {}, `${method} ${target}`)), isPinned ? follow : undefined),
        el('p', { class: 'verdict' }, el('b', {}, `${status} `), reason),
        on.length === 0
          ? undefined
          : el(
              'p',
              { class: 'switched-on' },
              `On for this request: ${on.join(', ')}. The conditions below are those of the server without.`,
            ),
      ),
      part('Decoded', presented.element),
      exchange.because.length === 0 ? '' : part('Why it was answered so', drawWhy(exchange, app.facts)),
      part('On the wire', ...drawMessages(exchange)),
      part('Take it with you', drawCopies(app.facts, exchange)),
    );
    place.scrollTop = 0;
  };
  // Whoever reads on must not lose what is being read to the next exchange.
  place.addEventListener('click', () => {
    if (app.chosen === undefined) app.choose(app.exchanges.at(-1));
  });
  app.on('chosen', draw);
  app.on('exchanges', draw);
  app.on('cleared', draw);
  app.on('state', () => tick());
  setInterval(() => tick(), 500);
  draw();
}

/**
 * @param {string} title
 * @param {...Node} content
 */
function part(title, ...content) {
  return el('section', { class: 'part' }, el('h3', {}, title), ...content);
}
