/** @import { Exchange, LiveFacts } from '../types.js' */
import { laneOf, searchText } from '../base/words.js';
import { Lanes } from './lanes.js';

/** @typedef {{ exchange: Exchange, column: number, lane: string }} ExchangeRow */
/** @typedef {{ passedMs: number }} TimeRow */
/** @typedef {ExchangeRow | TimeRow} Row */

/** With the system's clock a shorter pause is no event. */
const pauseMs = 60_000;

/** The rows of the diagram: the exchanges that fit the search, and between them how far the clock has moved. */
export class Rows {
  /** @type {Row[]} */
  list = [];
  /** How many exchanges are among them. */
  count = 0;
  by = /** @type {'connection' | 'token'} */ ('connection');
  /** @type {string[]} */
  #words = [];
  /** @type {number | undefined} */
  #lastMs;
  #lanes;

  /**
   * @param {LiveFacts} facts
   * @param {number} columns
   */
  constructor(facts, columns) {
    this.facts = facts;
    this.columns = columns;
    this.#lanes = new Lanes(columns);
  }

  /** @param {string} search */
  search(search) {
    this.#words = search.toLowerCase().split(/\s+/).filter(Boolean);
  }

  /**
   * All rows anew: another search, other lanes, or exchanges were dropped.
   *
   * @param {readonly Exchange[]} exchanges
   * @param {boolean} manual
   */
  rebuild(exchanges, manual) {
    this.list = [];
    this.count = 0;
    this.#lastMs = undefined;
    this.#lanes = new Lanes(this.columns);
    this.add(exchanges, manual);
  }

  /**
   * @param {readonly Exchange[]} exchanges
   * @param {boolean} manual whether the clock stands still until it is moved
   */
  add(exchanges, manual) {
    for (const exchange of exchanges) {
      if (this.#words.length > 0) {
        const text = searchText(exchange, this.facts);
        if (!this.#words.every((word) => text.includes(word))) continue;
      }
      const passedMs = exchange.atMs - (this.#lastMs ?? exchange.atMs);
      if (passedMs >= (manual ? 1 : pauseMs)) this.list.push({ passedMs });
      this.#lastMs = exchange.atMs;
      const lane = laneOf(exchange, this.by);
      this.list.push({ exchange, lane, column: this.#lanes.place(lane) });
      this.count += 1;
    }
  }
}
