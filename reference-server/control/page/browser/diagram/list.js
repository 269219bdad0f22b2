/** @import { Row } from '../types.js' */
import { el } from '../base/dom.js';

/** The height of a row in the style sheet, in pixels. */
const rowHeight = 46;
/** Rows that are drawn beyond the edges of the window, for fast scrolling. */
const beyond = 6;

/** A list that draws only what is in view, so that its length costs nothing. It stays at its end while it is there. */
export class VirtualList {
  /** @type {readonly Row[]} */
  #rows = [];
  /** @type {WeakMap<Row, HTMLElement>} */
  #drawn = new WeakMap();
  #inner = el('div.rows', { role: 'presentation' });
  /** Whether new rows are scrolled to. */
  following = true;

  /** @param {HTMLElement} box that scrolls @param {(row: Row) => HTMLElement} draw @param {(row: Row) => boolean} isChosen */
  constructor(box, draw, isChosen) {
    this.box = box;
    this.draw = draw;
    this.isChosen = isChosen;
    box.append(this.#inner);
    box.addEventListener('scroll', () => {
      this.following = box.scrollTop + box.clientHeight >= box.scrollHeight - rowHeight / 2;
      this.#paint();
    });
    new ResizeObserver(() => this.show(this.#rows)).observe(box);
  }

  /** @param {readonly Row[]} rows */
  show(rows) {
    this.#rows = rows;
    this.#inner.style.height = `${rows.length * rowHeight + 8}px`;
    if (this.following) this.box.scrollTop = this.box.scrollHeight;
    this.#paint();
  }

  /** @param {number} index */
  reveal(index) {
    const top = index * rowHeight;
    const below = top + rowHeight - this.box.clientHeight;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (below > this.box.scrollTop) this.box.scrollTop = below + 8;
    this.#paint();
  }

  get pageRows() {
    return Math.max(1, Math.floor(this.box.clientHeight / rowHeight) - 1);
  }

  #paint() {
    const { scrollTop, clientHeight } = this.box;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - beyond);
    const shown = this.#rows.slice(first, Math.ceil((scrollTop + clientHeight) / rowHeight) + beyond);
    let chosen = '';
    const elements = shown.map((row, index) => {
      const element = this.#drawn.get(row) ?? this.draw(row);
      this.#drawn.set(row, element);
      element.style.top = `${(first + index) * rowHeight}px`;
      element.ariaPosInSet = String(first + index + 1);
      element.ariaSetSize = String(this.#rows.length);
      element.ariaSelected = String(this.isChosen(row));
      if (this.isChosen(row)) chosen = element.id;
      return element;
    });
    this.#inner.replaceChildren(...elements);
    this.box.setAttribute('aria-activedescendant', chosen);
  }
}
