import { el } from '../base/dom.js';

/**
 * @typedef {object} StepGiven
 * @property {string} sign
 * @property {string} tone
 * @property {string} title
 * @property {string} text
 * @property {HTMLElement[]} [fields]
 * @property {() => string} address
 * @property {() => Record<string, string>} shown the header lines of the request, secrets masked
 * @property {() => Record<string, string> | undefined} sent the lines themselves; undefined while something is missing
 * @property {(answer: Response) => string} taken what the answer brought
 * @property {() => void} changed
 */

/**
 * One step: what it is for, the request that its button sends, and what came.
 *
 * @param {StepGiven} given
 */
export function drawStep({ sign, tone, title, text, fields = [], address, shown, sent, taken, changed }) {
  const request = el('pre', { tabindex: '0', role: 'group', 'aria-label': `The request of step ${sign}` });
  const button = el('button', { type: 'submit', class: 'main' }, `Send step ${sign}`);
  const came = el('output', {});
  const draw = () => {
    const { host, pathname } = new URL(address());
    button.disabled = sent() === undefined;
    const lines = Object.entries(shown()).map(([name, value]) => `${name}: ${value}`);
    request.textContent = [`GET ${pathname}`, `Host: ${host}`, ...lines].join('\n');
  };
  const send = async () => {
    try {
      const answer = await fetch(address(), { headers: sent() ?? {}, credentials: 'omit', cache: 'no-store' });
      came.className = answer.ok ? 'is-pass' : 'is-warn';
      came.textContent = `${answer.status}: ${taken(answer)}`;
    } catch {
      came.className = 'is-fail';
      came.textContent = 'The service did not answer.';
    }
    changed();
  };
  const element = el(
    'form',
    {
      class: `step is-${tone}`,
      /** @param {SubmitEvent} event */
      submit: (event) => {
        event.preventDefault();
        return send();
      },
    },
    el('h3', {}, el('b', {}, sign), title),
    el('p', { class: 'muted' }, text),
    fields.length === 0 ? undefined : el('div', { class: 'fields' }, ...fields),
    request,
    button,
    came,
  );
  return { element, draw };
}
