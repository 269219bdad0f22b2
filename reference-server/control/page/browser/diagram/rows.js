/** @import { Exchange, LiveFacts, Row } from '../types.js' */
import { durationWords } from '../base/time.js';
import { matcher, searchText } from '../base/words.js';

/** With the system's clock a shorter pause is no event. */
const pauseMs = 60_000;
/** A lane passes to another client when its own was quiet for more exchanges than a window shows. */
const quietRows = 60;

/** The rows of the diagram: the exchanges that fit the search, and in between how far the clock has moved. */
export class Rows {
  /** @type {Row[]} */
  list = [];
  /** How many exchanges are among them. */
  count = 0;
  /** How many columns are in use, and the length of the longest name of a lane. */
  used = 0;
  widest = 1;
  search = matcher('');
  by = /** @type {'connection' | 'token'} */ ('connection');
  /** @type {Exchange | undefined} */
  #last;
  /** @type {{ who: string, row: number }[]} who has each column, and the last row in it */
  #lanes = [];

  /** @param {LiveFacts} facts @param {() => number} columns how many there is room for */
  constructor(facts, columns) {
    this.facts = facts;
    this.columns = columns;
  }

  /** All rows anew: another search, other lanes, or exchanges were dropped. @param {readonly Exchange[]} exchanges @param {boolean} manual */
  rebuild(exchanges, manual) {
    Object.assign(this, { list: [], count: 0, used: 0, widest: 1 });
    this.#last = undefined;
    this.#lanes = [];
    this.add(exchanges, manual);
  }

  /** @param {readonly Exchange[]} exchanges @param {boolean} manual whether the clock stands still until it is moved */
  add(exchanges, manual) {
    const columns = this.columns();
    for (const exchange of exchanges) {
      // Also without a search, so that the first one finds the texts of thousands made.
      if (!this.search.fits(searchText(exchange, this.facts))) continue;
      const { number, atMs, connection, presented } = exchange;
      const missed = this.search.isAll ? number - (this.#last?.number ?? number - 1) - 1 : 0;
      const passedMs = atMs - (this.#last?.atMs ?? atMs);
      if (missed > 0) this.list.push({ words: `${missed.toLocaleString('en')} exchanges went by too fast to be kept` });
      if (passedMs >= (manual ? 1 : pauseMs)) this.list.push({ words: `the clock moved on by ${durationWords(passedMs)}` });
      this.#last = exchange;
      this.count += 1;
      const lane = this.by === 'connection' ? String(connection) : String(presented.tokenNumber ?? '–');
      const column = this.#columnOf(lane, columns);
      this.list.push({ exchange, lane, column, isShared: column === columns - 1 });
      this.used = Math.max(this.used, column + 1);
      this.widest = Math.max(this.widest, lane.length);
    }
  }

  /** Lanes stay apart: whoever finds none free is drawn in the last column, which is nobody's. @param {string} who @param {number} columns */
  #columnOf(who, columns) {
    let column = this.#lanes.findIndex((lane) => lane.who === who);
    if (column < 0 && this.#lanes.length < columns - 1) column = this.#lanes.length;
    if (column < 0) column = this.#lanes.findIndex(({ row }) => this.count - row > quietRows);
    if (column < 0) return columns - 1;
    this.#lanes[column] = { who, row: this.count };
    return column;
  }
}
