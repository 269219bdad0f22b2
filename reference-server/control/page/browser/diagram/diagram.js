/** @import { App } from '../base/app.js' */
/** @import { LiveFacts, Row } from '../types.js' */
import { byId, el, field } from '../base/dom.js';
import { timeWords, tookWords } from '../base/time.js';
import { broughtWords, lookOf, matcher, statusWords } from '../base/words.js';
import { VirtualList } from './list.js';
import { Rows } from './rows.js';

/**
 * The exchanges as lanes of a sequence diagram: search, lanes, and the choice of one by mouse or keyboard.
 * @param {App} app @param {() => void} open shows the chosen exchange where there is room for one thing only
 */
export function makeDiagram(app, open) {
  const area = byId('exchanges');
  const box = byId('list');
  const newest = byId('newest');
  const search = field('search');
  search.placeholder = `Search: expired, ${app.facts.protocol.challengeStatus}, token:2, /${app.facts.collections[0]}`;
  const rows = new Rows(app.facts, () => Number(getComputedStyle(area).getPropertyValue('--columns')));
  /** @param {Row | undefined} row */
  const exchangeOf = (row) => (row !== undefined && 'exchange' in row ? row.exchange : undefined);
  /** @param {Row} row */
  const isChosen = (row) => app.chosen !== undefined && exchangeOf(row) === app.chosen;
  const list = new VirtualList(box, (row) => drawRow(row, app.facts), isChosen);

  const show = () => {
    area.style.setProperty('--used', String(rows.used));
    area.style.setProperty('--widest', String(rows.widest));
    list.show(rows.list);
    newest.hidden = list.following;
    const [shown, all] = [rows.count.toLocaleString('en'), app.exchanges.length.toLocaleString('en')];
    byId('count').textContent = `${shown === all ? '' : `${shown} of `}${all} exchange${all === '1' ? '' : 's'}`;
    byId('nothing').hidden = app.exchanges.length > 0;
    byId('no-match').hidden = app.exchanges.length === 0 || rows.count > 0;
  };
  const rebuild = () => {
    rows.search = matcher(search.value);
    rows.rebuild(app.exchanges, app.isManual);
    show();
  };
  app.on(['exchanges'], (fresh) => {
    rows.add(fresh, app.isManual);
    show();
  });
  app.on(['cleared'], rebuild);
  app.on(['chosen'], () => list.show(rows.list));
  matchMedia('(max-width: 60rem)').addEventListener('change', rebuild);
  box.addEventListener('scroll', () => {
    newest.hidden = list.following;
  });
  newest.addEventListener('click', () => {
    list.following = true;
    show();
    box.focus();
  });
  search.addEventListener('input', rebuild);
  search.form?.addEventListener('submit', (event) => event.preventDefault());
  search.form?.addEventListener('change', () => {
    rows.by = /** @type {typeof rows.by} */ (new FormData(/** @type {HTMLFormElement} */ (search.form)).get('lane'));
    byId('lane-word').textContent = rows.by;
    rebuild();
  });

  box.addEventListener('click', (event) => {
    const number = /** @type {Element} */ (event.target).closest('[data-number]')?.getAttribute('data-number');
    if (number === undefined) return;
    app.choose(app.exchanges.find((each) => String(each.number) === number));
    open();
  });
  box.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') return open();
    const chosen = rows.list.findIndex(isChosen);
    const from = chosen < 0 ? rows.list.length : chosen;
    /** @type {Record<string, number>} */
    const ways = { ArrowUp: -1, ArrowDown: 1, PageUp: -list.pageRows, PageDown: list.pageRows, Home: -from, End: rows.list.length };
    const way = ways[event.key];
    if (way === undefined) return;
    event.preventDefault();
    let at = Math.max(0, Math.min(rows.list.length - 1, from + way));
    // Past the words between exchanges: on in the same direction, and at either end back.
    const step = at === 0 || (at < rows.list.length - 1 && way > 0) ? 1 : -1;
    while (rows.list[at] !== undefined && exchangeOf(rows.list[at]) === undefined) at += step;
    if (rows.list[at] === undefined) return;
    app.choose(exchangeOf(rows.list[at]));
    list.reveal(at);
  });
  rebuild();
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
