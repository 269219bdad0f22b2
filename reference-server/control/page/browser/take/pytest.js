/** @import { Exchange, LiveFacts } from '../types.js' */

/**
 * @param {Exchange} _exchange
 * @param {LiveFacts} _facts
 */
export function pytestText(_exchange, _facts) {
  return '';
}
