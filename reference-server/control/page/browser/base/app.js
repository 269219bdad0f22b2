/** @import { Exchange, LiveFacts, State } from '../types.js' */
/** @typedef {'exchanges' | 'cleared' | 'state' | 'chosen' | 'connection' | 'tick'} AppEvent */

/** So many exchanges are kept; older ones are dropped, a tenth at a time. */
export const kept = 20_000;

/** What the page knows, and who wants to hear when it changes. */
export class App {
  /** @type {Exchange[]} */
  exchanges = [];
  /** @type {Exchange[]} those that came since the page was paused */
  held = [];
  paused = false;
  /** @type {Exchange | undefined} */
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
    setInterval(() => this.tell('tick'), 250);
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

  /** Sets how the page hears of exchanges. @param {Partial<Pick<App, 'connection' | 'paused' | 'held'>>} hearing */
  hear(hearing) {
    Object.assign(this, hearing);
    this.tell('connection');
  }

  /** @param {State} state */
  setState(state) {
    this.state = state;
    this.#stateAt = performance.now();
    this.tell('state');
  }

  /** @param {readonly Exchange[]} fresh */
  add(fresh) {
    if (this.paused) return this.hear({ held: [...this.held, ...fresh].slice(-kept) });
    for (const exchange of fresh) this.exchanges.push(exchange);
    if (this.exchanges.length <= kept) return this.tell('exchanges', fresh);
    this.exchanges.splice(0, this.exchanges.length - kept * 0.9);
    this.tell('cleared');
  }

  clear() {
    this.exchanges = [];
    this.held = [];
    this.choose(undefined);
    this.tell('cleared');
  }

  pauseOrResume() {
    const { held } = this;
    this.hear({ paused: !this.paused, held: [] });
    if (!this.paused) this.add(held);
  }

  /** @param {Exchange | undefined} chosen nothing follows the newest */
  choose(chosen) {
    this.chosen = chosen;
    this.tell('chosen');
  }
}
