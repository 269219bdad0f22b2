/** @import { Condition, Exchange, LiveFacts } from '../types.js' */
import { el } from '../base/dom.js';

/**
 * Why the request was answered so: the conditions of the rules, in the order in which the server looked at them.
 *
 * @param {Exchange} exchange
 * @param {LiveFacts} facts
 */
export function drawWhy({ because, rule }, facts) {
  const rules = [...new Set(because.map((each) => each.rule))];
  return el(
    'ol',
    { class: 'why' },
    ...rules.map((number) => {
      const conditions = because.filter((each) => each.rule === number);
      const followed = number === rule;
      return el(
        'li',
        { class: followed ? 'followed' : '' },
        el(
          'p',
          { class: 'rule' },
          el('b', {}, `Rule ${number}`),
          followed ? el('em', {}, 'followed') : undefined,
          ` ${facts.rules[number] ?? ''}`,
        ),
        el('ul', {}, ...conditions.map((each) => drawCondition(each, facts))),
      );
    }),
  );
}

/**
 * @param {Condition} condition
 * @param {LiveFacts} facts
 */
function drawCondition({ condition, held, detail, requirements }, facts) {
  const sign = el('span', { class: 'sign', role: 'img', 'aria-label': held ? 'yes' : 'no' }, held ? '✓' : '✗');
  const text = el('span', {}, condition, detail === undefined ? undefined : el('span', { class: 'muted' }, `: ${detail}`));
  const ids = requirements.map((id) => drawRequirement(id, facts));
  return el('li', { class: held ? 'is-pass' : 'is-fail' }, sign, el('div', { class: 'condition' }, text, ...ids));
}

/**
 * @param {string} id
 * @param {LiveFacts} facts
 */
function drawRequirement(id, facts) {
  const row = facts.requirements[id];
  return el(
    'details',
    { class: 'requirement' },
    el('summary', {}, id),
    el('p', {}, el('b', { class: 'level' }, row?.level ?? ''), ` ${row?.text ?? ''}`),
  );
}
