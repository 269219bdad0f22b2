/** @import { App } from '../base/app.js' */
import { call } from '../base/api.js';
import { el, say } from '../base/dom.js';
import { drawTokenBar } from '../exchange/token-bar.js';
import { problem } from './problem.js';

/** So many are listed. */
const listed = 4;

/**
 * The tokens that live, with what is left of each.
 *
 * @param {App} app
 */
export function makeTokens(app) {
  const list = el('ul', { class: 'tokens' });
  const count = el('span', { class: 'muted' });
  const trouble = problem();
  /** @type {(() => void)[]} */
  let ticks = [];
  let drawn = '';

  /** @param {number} number */
  const end = (number) =>
    trouble.during(async () => {
      await call(`/tokens/${number}/expire`, 'POST');
      say(`Token ${number} has ended.`);
    });
  const draw = () => {
    const tokens = app.state?.tokens ?? [];
    const shown = tokens.slice(0, listed);
    count.textContent = tokens.length === 0 ? 'none lives' : `${tokens.length.toLocaleString('en')} living`;
    const key = shown.map(({ number, expiresAtMs }) => `${number}:${expiresAtMs}`).join();
    if (key !== drawn) {
      drawn = key;
      ticks = [];
      list.replaceChildren(
        ...shown.map(({ number, user, issuedAtMs, expiresAtMs }) => {
          const life = drawTokenBar(() => app.now(), { issuedAtMs, expiresAtMs });
          ticks.push(life.tick);
          const button = el('button', { type: 'button', 'aria-label': `End token ${number}`, click: () => end(number) }, 'End');
          return el(
            'li',
            {},
            el('div', {}, el('b', {}, `Token ${number}`), el('span', { class: 'muted' }, ` of user ${user}`), life.element),
            button,
          );
        }),
        ...(tokens.length > listed
          ? [el('li', { class: 'muted' }, `and ${(tokens.length - listed).toLocaleString('en')} younger ones`)]
          : []),
      );
    }
    for (const tick of ticks) tick();
  };
  app.on('state', draw);
  setInterval(() => {
    for (const tick of ticks) tick();
  }, 500);
  return el('section', { class: 'part' }, el('h2', {}, 'Tokens ', count), list, trouble.element);
}
