/** @import { Exchange, LiveFacts, State } from '../types.js' */
/** @typedef {'exchanges' | 'cleared' | 'state' | 'chosen' | 'connection' | 'paused'} AppEvent */

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
  /** @type {State | undefined} */
  state;
  /** @type {'connecting' | 'live' | 'lost' | 'over'} */
  connection = 'connecting';
  #stateAt = 0;
  /** @type {Map<AppEvent, ((fresh: readonly Exchange[]) => void)[]>} */
  #listeners = new Map();

  /** @param {LiveFacts} facts */
  constructor(facts) {
    this.facts = facts;
  }

  /**
   * @param {AppEvent} event
   * @param {(fresh: readonly Exchange[]) => void} listener
   */
  on(event, listener) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  /**
   * @param {AppEvent} event
   * @param {readonly Exchange[]} [fresh]
   */
  tell(event, fresh = []) {
    for (const listener of this.#listeners.get(event) ?? []) listener(fresh);
  }

  /** The time on the server's clock. */
  now() {
    if (this.state === undefined) return Date.now();
    return this.state.clock === 'manual' ? this.state.nowMs : this.state.nowMs + performance.now() - this.#stateAt;
  }

  /** @param {State} state */
  setState(state) {
    this.state = state;
    this.#stateAt = performance.now();
    this.tell('state');
  }

  /** @param {readonly Exchange[]} fresh */
  add(fresh) {
    if (this.paused) {
      this.held = [...this.held, ...fresh].slice(-kept);
      return this.tell('paused');
    }
    for (const exchange of fresh) this.exchanges.push(exchange);
    if (this.exchanges.length <= kept) return this.tell('exchanges', fresh);
    this.exchanges.splice(0, this.exchanges.length - kept * 0.9);
    this.tell('cleared');
  }

  clear() {
    this.exchanges = [];
    this.held = [];
    this.chosen = undefined;
    this.tell('cleared');
    this.tell('chosen');
  }

  /** @param {boolean} paused */
  setPaused(paused) {
    this.paused = paused;
    const { held } = this;
    this.held = [];
    this.tell('paused');
    if (!paused) this.add(held);
  }

  /** @param {Exchange | undefined} exchange */
  choose(exchange) {
    this.chosen = exchange;
    this.tell('chosen');
  }

  /** @param {App['connection']} connection */
  setConnection(connection) {
    this.connection = connection;
    this.tell('connection');
  }
}
