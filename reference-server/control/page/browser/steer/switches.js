/** @import { App } from '../base/app.js' */
/** @import { Kind, Switch } from '../types.js' */
import { call } from '../base/api.js';
import { byId, el, say } from '../base/dom.js';
import { problem } from './problem.js';

/** So many are drawn of a list; a search finds the others. */
const listed = 40;
/** @type {Record<Kind, string>} */
const names = { faults: 'fault', variants: 'variant' };

/**
 * Faults and variants: found by words, switched on for all requests or for the next one, and shown at the top while they are on.
 *
 * @param {App} app
 * @param {Record<Kind, readonly Switch[]>} all
 */
export function makeSwitches(app, all) {
  const trouble = problem();
  const search = el('input', {
    id: 'find-switch',
    type: 'search',
    autocomplete: 'off',
    placeholder: 'Search faults and variants',
    'aria-label': 'Search faults and variants',
  });
  const list = el('ul', { class: 'switches' });
  const rest = el('p', { class: 'muted small', role: 'status' });
  const every = kinds().flatMap((kind) =>
    all[kind].map((each) => ({
      kind,
      ...each,
      text: `${names[kind]} ${each.id} ${each.sentence} ${each.requirements.join(' ')}`.toLowerCase(),
    })),
  );

  /** @param {Kind} kind @param {string} id @param {object} use */
  const switchOn = (kind, id, use) =>
    trouble.during(async () => {
      await call(`/${kind}/${id}`, 'PUT', use);
      say(`${id} is on${'next' in use ? ' for the next request' : ''}.`);
    });
  /** @param {Kind} kind @param {string} id */
  const switchOff = (kind, id) =>
    trouble.during(async () => {
      await call(`/${kind}/${id}`, 'DELETE');
      say(`${id} is off.`);
    });
  const on = () => new Map(kinds().flatMap((kind) => (app.state?.[kind] ?? []).map((each) => [`${kind} ${each.id}`, each])));

  const draw = () => {
    const isOn = on();
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = every.filter(({ text }) => words.every((word) => text.includes(word)));
    const first = fitting.filter(({ kind, id }) => isOn.has(`${kind} ${id}`));
    const others = fitting.filter(({ kind, id }) => !isOn.has(`${kind} ${id}`));
    const shown = [...first, ...others].slice(0, listed);
    rest.textContent =
      shown.length < fitting.length
        ? `${shown.length} of ${fitting.length}; search for the others.`
        : `${fitting.length} of ${every.length}`;
    list.replaceChildren(
      ...shown.map(({ kind, id, sentence, atStartOnly }) => {
        const now = isOn.get(`${kind} ${id}`);
        const name = `${names[kind]} ${id}`;
        const buttons = now
          ? [el('button', { type: 'button', 'aria-label': `Switch ${name} off`, click: () => switchOff(kind, id) }, 'Off')]
          : [
              el(
                'button',
                { type: 'button', 'aria-label': `${name} for the next request`, click: () => switchOn(kind, id, { next: 1 }) },
                'Next',
              ),
              el('button', { type: 'button', 'aria-label': `${name} for all requests`, click: () => switchOn(kind, id, {}) }, 'All'),
            ];
        const choice = atStartOnly ? el('span', { class: 'muted small' }, 'at the start only') : el('span', { class: 'pair' }, ...buttons);
        return el(
          'li',
          { class: now ? 'on' : '', 'data-switch': id },
          el(
            'p',
            {},
            el('code', {}, id),
            kind === 'variants' ? el('span', { class: 'muted small' }, ' variant') : undefined,
            now ? el('span', { class: 'by' }, leftWords(now)) : undefined,
          ),
          choice,
          el('p', { class: 'muted small' }, sentence),
        );
      }),
    );
    byId('switched').replaceChildren(
      ...kinds().flatMap((kind) =>
        (app.state?.[kind] ?? []).map((each) =>
          el(
            'li',
            { class: 'chip' },
            `${each.id}, ${leftWords(each)}`,
            each.atStartOnly
              ? undefined
              : el('button', { type: 'button', 'aria-label': `Switch ${each.id} off`, click: () => switchOff(kind, each.id) }, '✕'),
          ),
        ),
      ),
    );
  };
  search.addEventListener('input', draw);
  let drawn = '';
  app.on('state', () => {
    const key = JSON.stringify(kinds().map((kind) => app.state?.[kind]));
    if (key !== drawn) draw();
    drawn = key;
  });
  draw();
  return el('section', { class: 'part' }, el('h2', {}, 'Faults and variants'), search, rest, trouble.element, list);
}

/** @param {Switch} each */
function leftWords({ left, method, path, state }) {
  const which = [method, path, state === undefined ? undefined : `with ${state}`].filter((word) => word !== undefined).join(' ');
  const count = left === undefined ? 'all' : left === 1 ? 'next' : `next ${left}`;
  return which === '' ? count : `${count}: ${which}`;
}

/** @returns {Kind[]} */
function kinds() {
  return ['faults', 'variants'];
}
