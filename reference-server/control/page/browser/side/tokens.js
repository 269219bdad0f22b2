/** @import { App } from '../base/app.js' */
import { button, byId, el } from '../base/dom.js';
import { steer } from '../base/server.js';
import { drawTokenBar } from '../exchange/token-bar.js';

const listed = 4; // the oldest

/** The tokens that live, with what is left of each. @param {App} app */
export function makeTokens(app) {
  /** @type {(() => void)[]} */
  let ticks = [];
  let drawn = '';
  const draw = () => {
    const { tokens } = app.state;
    const shown = tokens.slice(0, listed);
    const more = tokens.length - shown.length;
    byId('token-count').textContent = tokens.length === 0 ? 'none lives' : `${tokens.length.toLocaleString('en')} living`;
    const key = JSON.stringify([shown, more]);
    if (key === drawn) return;
    drawn = key;
    ticks = [];
    const items = shown.map(({ number, user, issuedAtMs, expiresAtMs }) => {
      const life = drawTokenBar(() => app.now(), { issuedAtMs, expiresAtMs });
      ticks.push(life.tick);
      const end = button('End', `End token ${number}`, () =>
        steer('token-problem', `Token ${number} has ended.`, `/tokens/${number}/expire`, 'POST'),
      );
      return el('li', el('div', el('b', `Token ${number}`), el('span.muted', ` of user ${user}`), life.element), end);
    });
    if (more > 0) items.push(el('li.muted', `and ${more.toLocaleString('en')} younger ones`));
    byId('tokens').replaceChildren(...items);
  };
  app.on(['state'], draw);
  app.on(['state', 'tick'], () => {
    for (const tick of ticks) tick();
  });
  draw();
}
