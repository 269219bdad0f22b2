/** @import { App } from './app.js' */
import { kept } from './app.js';
import { byId, say } from './dom.js';

/** What comes within this time is drawn together: nobody reads faster, and drawing takes time from the server. */
const togetherMs = 80;
/** So many are taken in a frame, so that none takes long. */
const inFrame = 250;
/** A login changes the tokens that live; they are read again at most so often. */
const refreshMs = 250;

/**
 * Calls the control listener that served this page. A refusal throws, with the sentence of its body.
 * @param {string} path @param {'GET' | 'POST' | 'PUT' | 'DELETE'} [method] @param {object} [body] @returns {Promise<any>}
 */
export async function call(path, method = 'GET', body) {
  const answer = await fetch(path, body === undefined ? { method } : { method, body: JSON.stringify(body) });
  const text = await answer.text();
  const told = text === '' ? undefined : JSON.parse(text);
  if (answer.ok) return told;
  throw new Error(String(Object.values(told ?? {})[0] ?? `The server answered with status ${answer.status}.`));
}

/**
 * Steers the server, and says what is done, or at the place with this id what went wrong.
 * @param {string} place @param {string} done @param {Parameters<typeof call>} what
 */
export async function steer(place, done, ...what) {
  try {
    await call(...what);
    say(done);
    complain(place, '');
  } catch (error) {
    complain(place, /** @type {Error} */ (error).message);
  }
}

/** @param {string} place @param {string} sentence nothing, when nothing is wrong */
export function complain(place, sentence) {
  byId(place).textContent = sentence;
  byId(place).hidden = sentence === '';
}

/** Hears of exchanges as they happen. @param {App} app */
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
  let changes = 0;
  const refresh = () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      const told = changes;
      call('/state').then(
        // What was told meanwhile is newer than this answer.
        (state) => (told === changes ? app.setState(state) : refresh()),
        () => {}, // the connection tells
      );
    }, refreshMs);
  };
  events.addEventListener('open', () => app.hear({ connection: 'live' }));
  // A browser tries again by itself, unless it was refused: then the server is another one, which does not know this page.
  events.addEventListener('error', () => app.hear({ connection: events.readyState === EventSource.CLOSED ? 'over' : 'lost' }));
  events.addEventListener('exchange', ({ data }) => {
    arrived.push(data);
    if (arrived.length > 2 * kept) arrived = arrived.slice(-kept); // no frame is drawn while the page is hidden
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => requestAnimationFrame(flush), Math.max(0, flushedAt + togetherMs - performance.now()));
  });
  events.addEventListener('change', ({ data }) => {
    changes += 1;
    app.setState(JSON.parse(data));
  });
  events.addEventListener('reset', () => {
    arrived = [];
    app.clear();
  });
}
