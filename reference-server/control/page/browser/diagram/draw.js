/** @import { LiveFacts } from '../types.js' */
/** @import { ExchangeRow, Row } from './rows.js' */
import { el, setStyle } from '../base/dom.js';
import { broughtWords, lookOf, timeWords } from '../base/words.js';

/**
 * A row of the diagram: a request as an arrow to the server, and its answer as an arrow back.
 *
 * @param {Row} row
 * @param {LiveFacts} facts
 */
export function drawRow(row, facts) {
  if ('words' in row)
    return el('div', { class: 'row time', role: 'option', 'aria-selected': 'false', 'aria-disabled': 'true' }, el('span', {}, row.words));
  return drawExchange(row, facts);
}

/**
 * @param {ExchangeRow} row
 * @param {LiveFacts} facts
 */
function drawExchange({ exchange, column, lane }, facts) {
  const { number, atMs, method, target, status, reason, faults, variants } = exchange;
  const { sign, tone } = lookOf(exchange);
  const by = [...faults, ...variants].map((id) => el('span', { class: 'by' }, id));
  const row = el(
    'div',
    { class: `row is-${tone}`, role: 'option', id: `row-${number}`, 'data-number': number },
    el('time', {}, timeWords(atMs)),
    el('small', {}, `#${number}`),
    el('span', { class: 'lane' }, lane),
    el('div', { class: 'ask' }, el('b', {}, `${method} ${target}`), el('span', { class: 'soft' }, broughtWords(exchange.presented, facts))),
    el('i', { class: 'to' }),
    el('div', { class: 'tell' }, el('b', {}, String(status)), ...by, el('span', { class: 'soft' }, reason)),
    el('i', { class: 'fro' }),
    el('span', { class: 'act', 'aria-hidden': 'true' }, sign),
  );
  if (column > 0) setStyle(row, '--at', column);
  return row;
}
