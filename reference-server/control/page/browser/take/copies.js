/** @import { Exchange, LiveFacts } from '../types.js' */
import { el, say } from '../base/dom.js';
import { curlText } from './curl.js';
import { nodeTestText, vitestText } from './javascript-test.js';
import { pytestText } from './pytest.js';
import { copy } from './save.js';

const kinds = /** @type {const} */ ([
  ['curl', curlText],
  ['Vitest', vitestText],
  ['node:test', nodeTestText],
  ['pytest', pytestText],
]);

/**
 * Buttons that copy the exchange as something to run, and show what was copied.
 *
 * @param {LiveFacts} facts
 * @param {Exchange} exchange
 */
export function drawCopies(facts, exchange) {
  const shown = el('pre', { hidden: true, tabindex: '0', role: 'group', 'aria-label': 'What was copied' });
  const buttons = kinds.map(([name, write]) =>
    el(
      'button',
      {
        type: 'button',
        'aria-label': `Copy as ${name}`,
        click: async () => {
          shown.textContent = write(exchange, facts);
          shown.hidden = false;
          const done = await copy(shown);
          say(done ? `Copied as ${name}.` : `Selected as ${name}; press Ctrl+C to copy.`);
        },
      },
      name,
    ),
  );
  return el('div', {}, el('div', { class: 'copies' }, el('span', { class: 'muted' }, 'Copy as'), ...buttons), shown);
}
