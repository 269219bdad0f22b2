/** @import { Exchange } from '../types.js' */
import { el } from '../base/dom.js';

/**
 * The request and the answer as they were on the wire, secrets replaced by their names.
 *
 * @param {Exchange} exchange
 */
export function drawMessages({ method, target, headers, status, answerHeaders, body, bodyOctets }) {
  return [
    fold('Request', `${method} ${target}`, { 'Request headers': lines(headers) }),
    fold('Answer', `${status}, ${bodyOctets.toLocaleString('en')} octets`, {
      'Answer headers': lines(answerHeaders),
      'Answer body': pretty(body),
    }),
  ];
}

/**
 * @param {string} name
 * @param {string} summary
 * @param {Record<string, string>} texts by what they are
 */
function fold(name, summary, texts) {
  return el(
    'details',
    { class: 'fold' },
    el('summary', {}, el('b', {}, name), ' ', el('code', {}, summary)),
    ...Object.entries(texts).flatMap(([label, text]) =>
      text === '' ? [] : [el('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text)],
    ),
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
