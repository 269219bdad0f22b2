/** @import { App } from './app.js' */
import { call } from './api.js';
import { kept } from './app.js';

/** A login changes the tokens that live; they are read again at most so often. */
const refreshMs = 250;

/**
 * Hears of exchanges as they happen. Those that come within one frame are shown together.
 *
 * @param {App} app
 */
export function listen(app) {
  const events = new EventSource('/exchanges/events');
  /** @type {string[]} */
  let arrived = [];
  const flush = () => {
    const fresh = arrived.slice(-kept);
    arrived = [];
    app.add(fresh.map((text) => JSON.parse(text)));
    refresh();
  };
  let isDue = false;
  const refresh = () => {
    if (isDue) return;
    isDue = true;
    setTimeout(async () => {
      isDue = false;
      app.setState(await call('/state'));
    }, refreshMs);
  };
  events.addEventListener('open', () => app.setLink('live'));
  events.addEventListener('error', () => app.setLink('lost'));
  events.addEventListener('exchange', ({ data }) => {
    if (arrived.length === 0) requestAnimationFrame(flush);
    if (arrived.length > 2 * kept) arrived = arrived.slice(-kept); // no frame is drawn while the page is hidden
    arrived.push(data);
  });
  events.addEventListener('change', ({ data }) => app.setState(JSON.parse(data)));
  events.addEventListener('reset', () => {
    arrived = [];
    app.clear();
  });
}
