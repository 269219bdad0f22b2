/**
 * Gives each client a column of the diagram. When all columns are taken, a newcomer gets the one that was used longest ago, so that
 * thousands of connections fit into a few columns.
 */
export class Lanes {
  /** @type {string[]} who has each column */
  #holders = [];
  /** @type {number[]} when each column was used last */
  #used = [];
  #turn = 0;

  /** @param {number} columns */
  constructor(columns) {
    this.columns = columns;
  }

  /**
   * @param {string} who
   * @returns {number} the column
   */
  place(who) {
    this.#turn += 1;
    let column = this.#holders.indexOf(who);
    if (column < 0) {
      column = this.#holders.length < this.columns ? this.#holders.length : this.#used.indexOf(Math.min(...this.#used));
      this.#holders[column] = who;
    }
    this.#used[column] = this.#turn;
    return column;
  }
}
