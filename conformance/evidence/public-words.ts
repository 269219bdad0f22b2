import { STATUS_CODES } from 'node:http';
import type { Protocol } from '../../spec/index.js';

/**
 * Whether a text is one that everybody reads anyway: a word of the protocol, a status, the name of a collection. A secret that is equal
 * to one is not replaced in running text, because the gap would show what it is.
 */
export function publicWords(protocol: Protocol, publicTexts: readonly string[]): (text: string) => boolean {
  const statuses = new Set(Object.entries(STATUS_CODES).flatMap(([status, reason = '']) => [status, reason.toLowerCase()]));
  const all = [...literals(protocol), ...publicTexts].join('\n').toLowerCase();
  return (text) => {
    if (statuses.has(text.toLowerCase())) return true;
    for (let at = all.indexOf(text.toLowerCase()); at >= 0; at = all.indexOf(text.toLowerCase(), at + 1))
      if (!/[a-z0-9]/.test(all[at - 1] ?? ' ') && !/[a-z0-9]/.test(all[at + text.length] ?? ' ')) return true;
    return false;
  };
}

/** Every text in the protocol, with the names under which messages keep them. */
function literals(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...literals(each)]);
}
