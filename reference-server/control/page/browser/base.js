/** @import { Attributes, Exchange, LiveFacts, State } from './types.js' */
/** @typedef {'exchanges' | 'cleared' | 'state' | 'chosen' | 'connection' | 'tick'} AppEvent */

/** So many exchanges are kept; older ones are dropped, a tenth at a time. */
const kept = 20_000;
/** What comes within this time is drawn together: nobody reads faster, and drawing takes time from the server. */
const togetherMs = 80;
/** So many are taken in a frame, so that none takes long. */
const inFrame = 250;
/** The clock runs on, and after a login other tokens live: both are looked at so often. */
const tickMs = 250;

/** What the page knows, and who wants to hear when it changes. */
export class App {
  /** @type {Exchange[]} */
  exchanges = [];
  /** @type {Exchange[]} those that came since the page was paused */
  held = [];
  paused = false;
  /** @type {Exchange | undefined} nothing follows the newest */
  chosen;
  /** @type {'connecting' | 'live' | 'lost' | 'over'} */
  connection = 'connecting';
  #stateAt = performance.now();
  /** @type {[AppEvent, (fresh: readonly Exchange[]) => void][]} */
  #listeners = [];

  /** @param {LiveFacts} facts @param {State} state */
  constructor(facts, state) {
    this.facts = facts;
    this.state = state;
    setInterval(() => this.tell('tick'), tickMs);
  }

  /** @param {AppEvent[]} events @param {(fresh: readonly Exchange[]) => void} listener */
  on(events, listener) {
    for (const event of events) this.#listeners.push([event, listener]);
  }

  /** @param {AppEvent} event @param {readonly Exchange[]} [fresh] */
  tell(event, fresh = []) {
    for (const [each, listener] of this.#listeners) if (each === event) listener(fresh);
  }

  /** Whether the server's clock stands still until it is moved. */
  get isManual() {
    return this.state.clock === 'manual';
  }

  /** The time on the server's clock. */
  now() {
    return this.state.nowMs + (this.isManual ? 0 : performance.now() - this.#stateAt);
  }

  /**
   * Changes what the page knows, and tells of it.
   * @param {AppEvent} event @param {Partial<Pick<App, 'connection' | 'paused' | 'held' | 'chosen'>>} what
   */
  set(event, what) {
    Object.assign(this, what);
    this.tell(event);
  }

  /** @param {State} state */
  setState(state) {
    this.state = state;
    this.#stateAt = performance.now();
    this.tell('state');
  }

  /** @param {readonly Exchange[]} fresh */
  add(fresh) {
    if (this.paused) return this.set('connection', { held: [...this.held, ...fresh].slice(-kept) });
    for (const exchange of fresh) this.exchanges.push(exchange);
    if (this.exchanges.length <= kept) return this.tell('exchanges', fresh);
    this.exchanges.splice(0, this.exchanges.length - kept * 0.9);
    this.tell('cleared');
  }

  clear() {
    this.exchanges = [];
    this.set('chosen', { held: [], chosen: undefined });
    this.tell('cleared');
  }

  pauseOrResume() {
    const { held } = this;
    this.set('connection', { paused: !this.paused, held: [] });
    if (!this.paused) this.add(held);
  }
}

/**
 * An element, its classes behind its name: `el('p.muted.small', { title }, 'words', child)`.
 * @param {string} tag
 * @param {...(Attributes | Node | string | undefined)} content
 */
export function el(tag, ...content) {
  const [name = '', ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(' ');
  for (const each of content) {
    if (typeof each === 'string' || each instanceof Node) element.append(each);
    else
      for (const [attribute, value] of Object.entries(each ?? {})) {
        if (typeof value === 'function') element.addEventListener(attribute, value);
        else if (value !== undefined && value !== false) element.setAttribute(attribute, value === true ? '' : String(value));
      }
  }
  return element;
}

/** @param {string} text @param {string} label what is read aloud @param {() => unknown} click */
export function button(text, label, click) {
  return el('button', { type: 'button', 'aria-label': label === text ? undefined : label, click }, text);
}

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element;
}

/** @param {string} id */
export function field(id) {
  return /** @type {HTMLInputElement} */ (byId(id));
}

/** Says something to those who cannot see it change. @param {string} sentence */
export function say(sentence) {
  byId('said').textContent = sentence;
}

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
  let [isWaiting, isStale, changes] = [false, false, 0];
  const flush = () => {
    app.add(arrived.splice(0, inFrame).map((text) => JSON.parse(text)));
    isStale = true;
    isWaiting = arrived.length > 0;
    if (isWaiting) requestAnimationFrame(flush);
  };
  app.on(['tick'], async () => {
    if (!isStale) return;
    isStale = false;
    const told = changes;
    const state = await call('/state').catch(() => undefined); // the connection tells
    if (told === changes && state !== undefined) app.setState(state); // what was told meanwhile is newer
  });
  events.addEventListener('open', () => app.set('connection', { connection: 'live' }));
  // A browser tries again by itself, unless it was refused: then the server is another one, which does not know this page.
  const lost = () => app.set('connection', { connection: events.readyState === EventSource.CLOSED ? 'over' : 'lost' });
  events.addEventListener('error', lost);
  events.addEventListener('exchange', ({ data }) => {
    arrived.push(data);
    if (arrived.length > 2 * kept) arrived = arrived.slice(-kept); // no frame is drawn while the page is hidden
    if (!isWaiting) setTimeout(() => requestAnimationFrame(flush), togetherMs);
    isWaiting = true;
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
