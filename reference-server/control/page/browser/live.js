import { App, byId, call, listen } from './base.js';
import { makeDiagram } from './diagram.js';
import { makeExchange } from './exchange.js';
import { makeClock, makeSwitches, makeTokens, makeTroubles, makeTryIt } from './side.js';

const connections = {
  connecting: { words: 'connecting', tone: '' },
  live: { words: 'live', tone: 'is-pass' },
  lost: { words: 'connection lost, trying again', tone: 'is-fail' },
  over: { words: 'another server now; open the address it printed', tone: 'is-fail' },
};

/** Room for one thing, and for two. */
const narrow = matchMedia('(max-width: 60rem)');
const middle = matchMedia('(max-width: 80rem)');

/** @param {string} view */
function show(view) {
  document.body.dataset['view'] = view;
  if (view === 'steer' || view === 'try') document.body.dataset['side'] = view;
  const beside = middle.matches ? (view === 'exchanges' ? 'exchange' : view) : document.body.dataset['side'];
  const shown = narrow.matches ? view : beside;
  for (const button of document.querySelectorAll('.views [data-show]'))
    button.setAttribute('aria-current', String(button.getAttribute('data-show') === shown));
}

/** The line at the top, the choice of views, pause, and the keys that work everywhere. @param {App} app */
function makeTop(app) {
  const pause = byId('pause');
  for (const place of document.querySelectorAll('.address')) place.textContent = app.facts.url;
  document.title = `hydrauth live: ${app.facts.url}`;

  app.on(['connection'], () => {
    const { words, tone } = app.paused ? { words: 'paused', tone: 'is-warn' } : connections[app.connection];
    byId('connection').textContent = words;
    byId('connection').className = tone;
    pause.setAttribute('aria-pressed', String(app.paused));
    pause.textContent = app.paused ? `Resume${app.held.length === 0 ? '' : ` (${app.held.length.toLocaleString('en')} new)`}` : 'Pause';
  });
  pause.addEventListener('click', () => app.pauseOrResume());
  document.addEventListener('click', ({ target }) => {
    const view = /** @type {Element} */ (target).closest('[data-show]')?.getAttribute('data-show');
    if (typeof view === 'string') show(view);
  });
  for (const width of [narrow, middle]) width.addEventListener('change', () => show(document.body.dataset['view'] ?? 'exchanges'));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && !byId('keys').matches(':popover-open')) app.set('chosen', { chosen: undefined });
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(/** @type {Element} */ (event.target).tagName)) return;
    if (event.key === 'p') app.pauseOrResume();
    if (event.key === '?') byId('keys').togglePopover();
    if (event.key !== '/') return;
    event.preventDefault();
    show('exchanges');
    byId('search').focus();
  });
  show('exchanges');
}

const [facts, state, faults, variants] = await Promise.all(
  ['/page/facts.json', '/state', '/faults', '/variants'].map((path) => call(path)),
);
const app = new App(facts, state);
makeTop(app);
makeDiagram(app, () => show('exchange'));
makeExchange(app);
for (const make of [makeClock, makeTokens, makeTroubles, makeTryIt]) make(app);
makeSwitches(app, { faults, variants });
listen(app);
