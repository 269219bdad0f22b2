import type { Protocol, Spec } from '../../spec/index.js';
import { libraryLines } from './generated/library.js';
import type { PlannedRequest } from './plan/index.js';

/** What Postman must be told; the optional clock is not among them. */
export const targetVariables = ['base_url', 'collection', 'user_id', 'paraphrase'] as const;

/**
 * JavaScript that defines the function `hydrauth`. It is given the `pm` of the script that calls it, because in Postman the one seen where
 * it is defined belongs to that script alone.
 */
export function libraryScript({ protocol }: Spec, library: readonly string[] = libraryLines): string {
  return `hydrauth = (function () {
const protocol = ${literal(protocol)};
const variables = ${JSON.stringify(targetVariables)};
${library.join('\n')}
return (pm) => library(pm, protocol, variables, require('url').resolve);
})();`;
}

/** What the library is told of a request. */
export function sandboxed({ id, step, nonce, credentials, token, keeps, advanceMs, needs, checks }: PlannedRequest) {
  return { id, step, nonce, credentials, token, keeps, advanceMs, needs, checks: checks.map(({ what: _, ...check }) => check) };
}

/** A value as JavaScript: JSON, and regular expressions. */
function literal(value: Protocol | object | string | number, indent = ''): string {
  if (value instanceof RegExp) return String(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => `${indent}  ${JSON.stringify(key)}: ${literal(each, `${indent}  `)},\n`);
  return `{\n${members.join('')}${indent}}`;
}
