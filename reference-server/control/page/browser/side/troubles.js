/** @import { App } from '../base/app.js' */
import { button, byId, el, field } from '../base/dom.js';
import { steer } from '../base/server.js';
import { leftWords } from '../base/words.js';

/** @typedef {{ words: string, unit?: string, first?: number, make: (figure: number) => object }} Kind its figure has a name and a first value */

/** What can go wrong. @type {Record<string, Kind>} */
const kinds = {
  delay: { words: 'late answer', unit: 'Late by ms', first: 2000, make: (delayMs) => ({ delayMs }) },
  hang: { words: 'no answer', make: () => ({ connection: 'hang' }) },
  reset: { words: 'connection reset', make: () => ({ connection: 'reset' }) },
  'cut-off': { words: 'body cut off', make: () => ({ connection: 'cut-off' }) },
  limit: {
    words: '429 with Retry-After',
    unit: 'Seconds',
    first: 5,
    make: (s) => ({ status: 429, headers: { 'Retry-After': String(s) } }),
  },
  status: { words: '503, or another status', unit: 'Status', first: 503, make: (status) => ({ status }) },
};
const problem = 'trouble-problem';

/** Trouble on demand: asked for in a form, and shown at the top while it is on. @param {App} app */
export function makeTroubles(app) {
  const form = /** @type {HTMLFormElement} */ (byId('trouble'));
  const [kind, figure, body] = [field('trouble-kind'), field('trouble-figure'), field('trouble-body')];
  const chosen = () => /** @type {Kind} */ (kinds[kind.value]);
  kind.append(...Object.entries(kinds).map(([value, { words }]) => el('option', { value }, words)));
  field('trouble-path').placeholder = `any, such as ${new URL(app.facts.url).pathname}/*`;
  /** @param {HTMLInputElement} input @param {boolean} isNeeded */
  const need = (input, isNeeded) => {
    input.disabled = !isNeeded;
    for (const each of [input, ...(input.labels ?? [])]) each.hidden = !isNeeded;
  };
  const draw = () => {
    const { unit, first = '', make } = chosen();
    byId('trouble-unit').textContent = unit ?? '';
    figure.value = String(first);
    need(figure, unit !== undefined);
    need(body, 'status' in make(0));
  };
  kind.addEventListener('input', draw);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const typed = [...new FormData(form)].filter(([, value]) => value !== '');
    const given = typed.map(([name, value]) => [name, field(`trouble-${name}`).type === 'number' ? Number(value) : value]);
    const trouble = { ...chosen().make(Number(figure.value)), ...Object.fromEntries(given) };
    steer(problem, `Trouble is on: ${chosen().words}.`, '/troubles', 'POST', trouble);
  });
  byId('clear-troubles').addEventListener('click', () => steer(problem, 'There is no trouble any more.', '/troubles', 'DELETE'));
  const show = () => {
    const chips = app.state.troubles.map((each) => {
      const end = () => steer(problem, `Trouble ${each.number} is over.`, `/troubles/${each.number}`, 'DELETE');
      const which = each.left === 0 ? `${each.held} held` : leftWords(each);
      return el('li.chip', `${each.sentence}, ${which}`, button('✕', `End trouble ${each.number}`, end));
    });
    byId('troubled').replaceChildren(...chips);
    field('clear-troubles').disabled = chips.length === 0;
  };
  app.on(['state'], show);
  draw();
  show();
}
