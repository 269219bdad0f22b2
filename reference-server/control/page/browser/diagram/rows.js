/** @import { Exchange, LiveFacts } from '../types.js' */
import { durationWords } from '../base/duration.js';
import { laneOf, searchText } from '../base/words.js';
import { Lanes } from './lanes.js';

/** @typedef {{ exchange: Exchange, column: number, lane: string }} ExchangeRow */
/** @typedef {{ words: string }} WordsRow */
/** @typedef {ExchangeRow | WordsRow} Row */

/** With the system's clock a shorter pause is no event. */
const pauseMs = 60_000;

/** The rows of the diagram: the exchanges that fit the search, and in between how far the clock has moved. */
export class Rows {
  /** @type {Row[]} */
  list = [];
  /** How many exchanges are among them. */
  count = 0;
  by = /** @type {'connection' | 'token'} */ ('connection');
  /** @type {string[]} */
  #words = [];
  /** @type {Exchange | undefined} the last one */
  #last;
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
    this.#last = undefined;
    this.#lanes = new Lanes(this.columns);
    this.add(exchanges, manual);
  }

  /**
   * @param {readonly Exchange[]} exchanges
   * @param {boolean} manual whether the clock stands still until it is moved
   */
  add(exchanges, manual) {
    for (const exchange of exchanges) {
      if (!this.#fits(exchange)) continue;
      const { number, atMs } = exchange;
      const missed = this.#words.length > 0 ? 0 : number - (this.#last?.number ?? number - 1) - 1;
      const passedMs = atMs - (this.#last?.atMs ?? atMs);
      if (missed > 0) this.list.push({ words: `${missed.toLocaleString('en')} exchanges went by too fast to be kept` });
      if (passedMs >= (manual ? 1 : pauseMs)) this.list.push({ words: `the clock moved on by ${durationWords(passedMs)}` });
      this.#last = exchange;
      const lane = laneOf(exchange, this.by);
      this.list.push({ exchange, lane, column: this.#lanes.place(lane) });
      this.count += 1;
    }
  }

  /** @param {Exchange} exchange */
  #fits(exchange) {
    const text = searchText(exchange, this.facts); // also without a search, so that the first one finds the texts of thousands made
    return this.#words.every((word) => text.includes(word));
  }
}
