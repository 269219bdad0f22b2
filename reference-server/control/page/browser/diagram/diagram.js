/** @import { App } from '../base/app.js' */
/** @import { ExchangeRow } from './rows.js' */
import { byId, el, setStyle } from '../base/dom.js';
import { drawRow } from './draw.js';
import { VirtualList } from './list.js';
import { Rows } from './rows.js';

/**
 * The exchanges as lanes of a sequence diagram: search, lanes, pause, and the choice of one by mouse or keyboard.
 *
 * @param {App} app
 * @param {() => void} open shows the chosen exchange where there is room for one thing only
 */
export function makeDiagram(app, open) {
  const area = byId('exchanges');
  const box = byId('list');
  const search = /** @type {HTMLInputElement} */ (byId('search'));
  search.placeholder = `Search: expired, ${app.facts.protocol.challengeStatus}, token:2, /${app.facts.collections[0]}`;
  const columns = () => Number(getComputedStyle(area).getPropertyValue('--columns'));
  const rows = new Rows(app.facts, columns());
  const list = new VirtualList(
    box,
    (row) => drawRow(row, app.facts),
    (row) => 'exchange' in row && row.exchange === app.chosen,
  );
  const isManual = () => app.state?.clock === 'manual';
  let unseen = 0;

  const show = () => {
    setStyle(area, '--used', Math.max(0, ...rows.list.slice(-400).map((row) => ('column' in row ? row.column + 1 : 0))));
    list.show(rows.list);
    if (list.following) unseen = 0;
    byId('count').textContent = countWords(rows.count, app.exchanges.length);
    const newest = byId('newest');
    newest.hidden = list.following;
    newest.textContent = unseen === 0 ? 'Newest ↓' : `${unseen} new ↓`;
    byId('empty').replaceChildren(...emptyWords(app, rows.count));
  };
  const rebuild = () => {
    rows.columns = columns();
    rows.search(search.value);
    rows.rebuild(app.exchanges, isManual());
    show();
  };
  app.on('exchanges', (fresh) => {
    const before = rows.count;
    rows.add(fresh, isManual());
    unseen += rows.count - before;
    show();
  });
  app.on('cleared', rebuild);
  app.on('connection', show);
  app.on('chosen', () => list.show(rows.list));
  matchMedia('(max-width: 60rem)').addEventListener('change', rebuild);
  box.addEventListener('scroll', () => {
    if (list.following) unseen = 0;
    byId('newest').hidden = list.following;
  });

  byId('newest').addEventListener('click', () => {
    list.toEnd();
    show();
    box.focus();
  });
  search.addEventListener('input', rebuild);
  search.form?.addEventListener('submit', (event) => event.preventDefault());
  for (const radio of area.querySelectorAll('input[name=lane]'))
    radio.addEventListener('change', () => {
      rows.by = /** @type {typeof rows.by} */ (/** @type {HTMLInputElement} */ (radio).value);
      byId('lane-word').textContent = rows.by;
      rebuild();
    });

  /** @param {number} index @param {1 | -1} step to the next exchange from there */
  const chooseAt = (index, step) => {
    let at = Math.max(0, Math.min(rows.list.length - 1, index));
    while (rows.list[at] !== undefined && !('exchange' in /** @type {object} */ (rows.list[at]))) at += step;
    const row = /** @type {ExchangeRow | undefined} */ (rows.list[at]);
    if (row === undefined) return;
    app.choose(row.exchange);
    list.reveal(at);
  };
  const chosenAt = () => rows.list.findIndex((row) => 'exchange' in row && row.exchange === app.chosen);
  box.addEventListener('click', (event) => {
    const row = /** @type {Element} */ (event.target).closest('[data-number]');
    if (row === null) return;
    app.choose(app.exchanges.find(({ number }) => String(number) === row.getAttribute('data-number')));
    open();
  });
  box.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = chosenAt() < 0 ? rows.list.length : chosenAt();
    if (event.key === 'ArrowUp') chooseAt(at - 1, -1);
    else if (event.key === 'ArrowDown') chooseAt(at + 1, 1);
    else if (event.key === 'PageUp') chooseAt(at - list.pageRows, -1);
    else if (event.key === 'PageDown') chooseAt(at + list.pageRows, 1);
    else if (event.key === 'Home') chooseAt(0, 1);
    else if (event.key === 'End') chooseAt(rows.list.length - 1, -1);
    else if (event.key === 'Enter') open();
    else return;
    event.preventDefault();
  });
  rebuild();
  return { shown: () => rows.list.flatMap((row) => ('exchange' in row ? [row.exchange] : [])) };
}

/**
 * @param {number} shown
 * @param {number} all
 */
function countWords(shown, all) {
  const words = `${all.toLocaleString('en')} exchange${all === 1 ? '' : 's'}`;
  return shown === all ? words : `${shown.toLocaleString('en')} of ${words}`;
}

/**
 * @param {App} app
 * @param {number} shown
 */
function emptyWords(app, shown) {
  if (shown > 0) return [];
  if (app.exchanges.length > 0) return [el('h2', {}, 'No exchange fits the search')];
  return [
    el('h2', {}, 'Nothing was asked yet'),
    el('p', {}, 'Point your client at ', el('code', {}, app.facts.url), ', and every request appears here as it is answered.'),
    el('button', { type: 'button', class: 'main', 'data-show': 'try' }, 'Try the three steps'),
  ];
}
