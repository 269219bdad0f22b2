/** @import { Exchange } from '../types.js' */
import { el } from '../base/dom.js';

/**
 * The request and the answer as they were on the wire, secrets replaced by their names.
 *
 * @param {Exchange} exchange
 */
export function drawMessages({ method, target, headers, status, answerHeaders, body, bodyOctets }) {
  return [
    fold('Request', `${method} ${target}`, lines(headers)),
    fold('Answer', `${status}, ${bodyOctets.toLocaleString('en')} octets`, lines(answerHeaders), pretty(body)),
  ];
}

/**
 * @param {string} name
 * @param {string} summary
 * @param {...string} texts
 */
function fold(name, summary, ...texts) {
  return el(
    'details',
    { class: 'fold' },
    el('summary', {}, el('b', {}, name), ' ', el('code', {}, summary)),
    ...texts.filter((text) => text !== '').map((text) => el('pre', { tabindex: '0', role: 'region', 'aria-label': name }, text)),
  );
}

/** @param {Exchange['headers']} headers */
function lines(headers) {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** @param {string} body */
function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
