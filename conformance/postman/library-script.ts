import type { Protocol, Spec } from '../../spec/index.js';

/** The first line of every script. It leaves out the globals of Postman's old scripts, which cost a tenth of the time of a run. */
export const sandboxOnly = '"use sandbox2";';

/** What Postman must be told; the optional clock is not among them. */
export const targetVariables = ['base_url', 'collection', 'user_id', 'paraphrase'] as const;

/**
 * The script before every request of the collection. It puts one function on a bare global, which Postman and Newman keep for the later scripts
 * of the request. Those hand it their own `pm`, because the one seen here belongs to this script alone.
 */
export function libraryScript({ protocol }: Spec, library: readonly string[]): string {
  return `hydrauth = (function () {
const protocol = ${literal(protocol)};
const variables = ${JSON.stringify(targetVariables)};
${library.join('\n')}
return (pm) => library(pm, protocol, variables, require('url').resolve);
})();
pm.variables.set('base_url', String(pm.variables.get('base_url') || '').replace(/\\/+$/, ''));
pm.variables.set('hydrauth_credentials', hydrauth(pm).credentials(...hydrauth(pm).user()));`;
}

/** A value as JavaScript: JSON, and regular expressions. */
function literal(value: Protocol | object | string | number, indent = ''): string {
  if (value instanceof RegExp) return String(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => `${indent}  ${JSON.stringify(key)}: ${literal(each, `${indent}  `)},\n`);
  return `{\n${members.join('')}${indent}}`;
}
