/** @import { App } from './app.js' */
import { call } from './api.js';
import { kept } from './app.js';

/** What comes within this time is drawn together: nobody reads faster, and drawing takes time from the server. */
const togetherMs = 80;
/** So many are taken in a frame, so that none takes long. */
const inFrame = 250;
/** A login changes the tokens that live; they are read again at most so often. */
const refreshMs = 250;

/**
 * Hears of exchanges as they happen.
 *
 * @param {App} app
 */
export function listen(app) {
  const events = new EventSource('/exchanges/events');
  /** @type {string[]} */
  let arrived = [];
  let isWaiting = false;
  let flushedAt = 0;
  const flush = () => {
    flushedAt = performance.now();
    app.add(arrived.splice(0, inFrame).map((text) => JSON.parse(text)));
    isWaiting = arrived.length > 0;
    if (isWaiting) requestAnimationFrame(flush);
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
    arrived.push(data);
    if (arrived.length > 2 * kept) arrived = arrived.slice(-kept); // no frame is drawn while the page is hidden
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => requestAnimationFrame(flush), Math.max(0, flushedAt + togetherMs - performance.now()));
  });
  events.addEventListener('change', ({ data }) => app.setState(JSON.parse(data)));
  events.addEventListener('reset', () => {
    arrived = [];
    app.clear();
  });
}
