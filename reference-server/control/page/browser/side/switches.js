/** @import { App } from '../base/app.js' */
/** @import { Kind, Switch } from '../types.js' */
import { button, byId, el, field } from '../base/dom.js';
import { steer } from '../base/server.js';
import { leftWords, matcher } from '../base/words.js';

/** @type {Kind[]} */
const kinds = ['faults', 'variants'];
const problem = 'switch-problem';

/**
 * Faults and variants, in groups by what they break: found by words, switched on for all requests or for the next one, and shown at the
 * top while they are on.
 * @param {App} app @param {Record<Kind, readonly Switch[]>} all
 */
export function makeSwitches(app, all) {
  const search = field('find-switch');
  const every = kinds.flatMap((kind) =>
    all[kind].map(({ id, sentence, requirements, atStartOnly }) => {
      const name = `${kind.slice(0, -1)} ${id}`;
      const group = kind === 'variants' ? 'variants' : (requirements[0]?.split('.')[0] ?? 'other');
      return { kind, id, name, group, sentence, atStartOnly, text: `${name} ${sentence} ${requirements.join(' ')}`.toLowerCase() };
    }),
  );
  /** @type {Set<string>} the groups that somebody opened */
  const open = new Set();

  /** @param {typeof every[number]} fixture @param {Switch | undefined} now */
  const drawSwitch = ({ kind, id, name, sentence, atStartOnly }, now) => {
    /** @param {string} text @param {string} which @param {object} use */
    const use = (text, which, use) =>
      button(text, `${name} for ${which}`, () => steer(problem, `${id} is on for ${which}.`, `/${kind}/${id}`, 'PUT', use));
    const buttons = now ? [off('Off', kind, id, name)] : [use('Next', 'the next request', { next: 1 }), use('All', 'all requests', {})];
    return el(
      now ? 'li.on' : 'li',
      el('p', el('code', id), now ? el('span.by', leftWords(now)) : undefined),
      atStartOnly ? el('span.muted.small', 'at the start only') : el('span.pair', ...buttons),
      el('p.muted.small', sentence),
    );
  };
  const draw = () => {
    const on = new Map(kinds.flatMap((kind) => app.state[kind].map((each) => [`${kind} ${each.id}`, each])));
    const { isAll, fits } = matcher(search.value);
    const fitting = every.filter(({ text }) => fits(text));
    const groups = [...new Set(fitting.map(({ group }) => group))].map((group) => {
      const own = fitting.filter((each) => each.group === group);
      const isOpen = open.has(group) || !isAll;
      const toggle = (/** @type {Event} */ event) => {
        event.preventDefault();
        if (!open.delete(group)) open.add(group);
        draw();
      };
      const title = el('summary', { click: toggle }, group, el('span.muted.small', ` ${own.length}`));
      // What is folded is not drawn: there are hundreds.
      const items = isOpen ? own.map((each) => drawSwitch(each, on.get(`${each.kind} ${each.id}`))) : [];
      return el('details.group', { open: isOpen, 'data-group': group }, title, el('ul.switches', ...items));
    });
    byId('switch-count').textContent = isAll ? String(every.length) : `${fitting.length} of ${every.length}`;
    byId('switch-groups').replaceChildren(...groups);
    const chips = kinds.flatMap((kind) =>
      app.state[kind].map((each) =>
        el('li.chip', `${each.id}, ${leftWords(each)}`, each.atStartOnly ? undefined : off('✕', kind, each.id, each.id)),
      ),
    );
    byId('switched').replaceChildren(...chips);
  };
  search.addEventListener('input', draw);
  let drawn = '';
  app.on(['state'], () => {
    const key = JSON.stringify(kinds.map((kind) => app.state[kind]));
    if (key !== drawn) draw();
    drawn = key;
  });
  draw();
}

/** @param {string} text @param {Kind} kind @param {string} id @param {string} name */
function off(text, kind, id, name) {
  return button(text, `Switch ${name} off`, () => steer(problem, `${id} is off.`, `/${kind}/${id}`, 'DELETE'));
}
