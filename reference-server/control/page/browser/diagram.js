/** @import { App } from './base.js' */
/** @import { Exchange, LiveFacts, Row } from './types.js' */
import { byId, el, field } from './base.js';
import { broughtWords, durationWords, lookOf, matcher, searchText, statusWords, timeWords, tookWords } from './words.js';

/** With the system's clock a shorter pause is no event. */
const pauseMs = 60_000;
/** A lane passes to another client when its own was quiet for more exchanges than a window shows. */
const quietRows = 60;
/** The height of a row in the style sheet, in pixels. */
const rowHeight = 46;
/** Rows that are drawn beyond the edges of the window, for fast scrolling. */
const beyond = 6;

/**
 * The rows of the diagram: the exchanges that fit the search, and in between how far the clock has moved. They are made anew for another
 * search, for other lanes, and when exchanges were dropped.
 * @param {App} app @param {ReturnType<typeof matcher>} search @param {'connection' | 'token'} by @param {number} columns there is room for
 */
function makeRows({ facts }, search, by, columns) {
  /** How many exchanges are among them, how many columns are in use, and the length of the longest name of a lane. */
  const rows = { list: /** @type {Row[]} */ ([]), count: 0, used: 0, widest: 1, add };
  /** @type {Exchange | undefined} */
  let last;
  /** @type {{ who: string, row: number }[]} who has each column, and the last row in it */
  const lanes = [];

  /** Lanes stay apart: whoever finds none free is drawn in the last column, which is nobody's. @param {string} who */
  const columnOf = (who) => {
    let column = lanes.findIndex((lane) => lane.who === who);
    if (column < 0 && lanes.length < columns - 1) column = lanes.length;
    if (column < 0) column = lanes.findIndex(({ row }) => rows.count - row > quietRows);
    if (column < 0) return columns - 1;
    lanes[column] = { who, row: rows.count };
    return column;
  };
  /** @param {readonly Exchange[]} exchanges @param {boolean} manual whether the clock stands still until it is moved */
  function add(exchanges, manual) {
    for (const exchange of exchanges) {
      // Also without a search, so that the first one finds the texts of thousands made.
      if (!search.fits(searchText(exchange, facts))) continue;
      const { number, atMs, connection, presented } = exchange;
      const missed = search.isAll ? number - (last?.number ?? number - 1) - 1 : 0;
      const passedMs = atMs - (last?.atMs ?? atMs);
      if (missed > 0) rows.list.push({ words: `${missed.toLocaleString('en')} exchanges went by too fast to be kept` });
      if (passedMs >= (manual ? 1 : pauseMs)) rows.list.push({ words: `the clock moved on by ${durationWords(passedMs)}` });
      last = exchange;
      rows.count += 1;
      const lane = by === 'connection' ? String(connection) : String(presented.tokenNumber ?? '–');
      const column = columnOf(lane);
      rows.list.push({ exchange, lane, column, isShared: column === columns - 1 });
      rows.used = Math.max(rows.used, column + 1);
      rows.widest = Math.max(rows.widest, lane.length);
    }
  }
  return rows;
}

/**
 * The exchanges as lanes of a sequence diagram: search, lanes, and the choice of one by mouse or keyboard. Only the rows in view are drawn,
 * so that thousands cost nothing. The list stays at its end while it is there.
 * @param {App} app @param {() => void} open shows the chosen exchange where there is room for one thing only
 */
export function makeDiagram(app, open) {
  const [area, box, newest, search] = [byId('exchanges'), byId('list'), byId('newest'), field('search')];
  const form = /** @type {HTMLFormElement} */ (search.form);
  const inner = el('div.rows', { role: 'presentation' });
  box.append(inner);
  search.placeholder = `Search: expired, ${app.facts.protocol.challengeStatus}, token:2, /${app.facts.collections[0]}`;
  /** @param {Row | undefined} row */
  const exchangeOf = (row) => (row !== undefined && 'exchange' in row ? row.exchange : undefined);
  /** @param {Row} row */
  const isChosen = (row) => app.chosen !== undefined && exchangeOf(row) === app.chosen;
  const anew = () => {
    const by = /** @type {'connection' | 'token'} */ (new FormData(form).get('lane'));
    byId('lane-word').textContent = by;
    return makeRows(app, matcher(search.value), by, Number(getComputedStyle(area).getPropertyValue('--columns')));
  };
  let rows = anew();
  let isFollowing = true;
  /** @type {WeakMap<Row, HTMLElement>} */
  const drawn = new WeakMap();

  const paint = () => {
    const { scrollTop, clientHeight } = box;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - beyond);
    const shown = rows.list.slice(first, Math.ceil((scrollTop + clientHeight) / rowHeight) + beyond);
    const elements = shown.map((row, index) => {
      const element = drawn.get(row) ?? drawRow(row, app.facts);
      drawn.set(row, element);
      element.style.top = `${(first + index) * rowHeight}px`;
      element.ariaPosInSet = String(first + index + 1);
      element.ariaSetSize = String(rows.list.length);
      element.ariaSelected = String(isChosen(row));
      return element;
    });
    inner.replaceChildren(...elements);
    box.setAttribute('aria-activedescendant', elements[shown.findIndex(isChosen)]?.id ?? '');
    newest.hidden = isFollowing;
  };
  const show = () => {
    inner.style.height = `${rows.list.length * rowHeight + 8}px`;
    if (isFollowing) box.scrollTop = box.scrollHeight;
    paint();
  };
  /** @param {readonly Exchange[]} fresh */
  const add = (fresh) => {
    rows.add(fresh, app.isManual);
    area.style.setProperty('--used', String(rows.used));
    area.style.setProperty('--widest', String(rows.widest));
    show();
    const [shown, all] = [rows.count.toLocaleString('en'), app.exchanges.length.toLocaleString('en')];
    byId('count').textContent = `${shown === all ? '' : `${shown} of `}${all} exchange${all === '1' ? '' : 's'}`;
    byId('nothing').hidden = app.exchanges.length > 0;
    byId('no-match').hidden = app.exchanges.length === 0 || rows.count > 0;
  };
  const rebuild = () => {
    rows = anew();
    add(app.exchanges);
  };
  app.on(['exchanges'], add);
  app.on(['cleared'], rebuild);
  app.on(['chosen'], show);
  matchMedia('(max-width: 60rem)').addEventListener('change', rebuild);
  new ResizeObserver(show).observe(box);
  box.addEventListener('scroll', () => {
    isFollowing = box.scrollTop + box.clientHeight >= box.scrollHeight - rowHeight / 2;
    paint();
  });
  newest.addEventListener('click', () => {
    isFollowing = true;
    show();
    box.focus();
  });
  search.addEventListener('input', rebuild);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', rebuild);

  box.addEventListener('click', (event) => {
    const number = /** @type {Element} */ (event.target).closest('[data-number]')?.getAttribute('data-number');
    if (number === undefined) return;
    app.set('chosen', { chosen: app.exchanges.find((each) => String(each.number) === number) });
    open();
  });
  box.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') return open();
    // Words between exchanges are passed over.
    const places = rows.list.flatMap((row, at) => (exchangeOf(row) === undefined ? [] : [at]));
    const chosen = places.findIndex((at) => isChosen(/** @type {Row} */ (rows.list[at])));
    const from = chosen < 0 ? places.length : chosen;
    const page = Math.max(1, Math.floor(box.clientHeight / rowHeight) - 1);
    /** @type {Record<string, number>} */
    const ways = { ArrowUp: from - 1, ArrowDown: from + 1, PageUp: from - page, PageDown: from + page, Home: 0, End: places.length };
    const to = ways[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const at = places[Math.max(0, Math.min(places.length - 1, to))];
    if (at === undefined) return;
    app.set('chosen', { chosen: exchangeOf(rows.list[at]) });
    const top = at * rowHeight;
    box.scrollTop = Math.min(top, Math.max(box.scrollTop, top + rowHeight + 8 - box.clientHeight));
    paint();
  });
  add(app.exchanges);
}

/** A request as an arrow to the server, and its answer as an arrow back. @param {Row} row @param {LiveFacts} facts */
function drawRow(row, facts) {
  if ('words' in row) return el('div.row.time', { role: 'option', 'aria-disabled': 'true' }, el('span', row.words));
  const { exchange, lane, column, isShared } = row;
  const { number, wallMs, tookMs, method, target, status, reason, presented, faults, variants } = exchange;
  const came = statusWords(exchange);
  const { sign, tone } = lookOf(exchange);
  const element = el(
    `div.row.is-${tone}`,
    { role: 'option', id: `row-${number}`, 'data-number': number },
    el('time', timeWords(wallMs)),
    el('small', `#${number} · ${tookWords(tookMs)}`),
    el(isShared ? 'span.lane.shared' : 'span.lane', lane),
    el('div.ask', el('b', `${method} ${target}`), el('span.soft', broughtWords(presented, facts))),
    el('i.to'),
    el('div.tell', el('b', came), ...[...faults, ...variants].map((id) => el('span.by', id)), el('span.soft', reason)),
    came === String(status) ? el('i.fro') : undefined,
    el('span.act', { 'aria-hidden': 'true' }, sign),
  );
  element.style.setProperty('--at', String(column));
  return element;
}
