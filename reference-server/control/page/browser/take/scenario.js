/** @import { Exchange, LiveFacts } from '../types.js' */
import { oneLine, ownHeaders } from './curl.js';

/**
 * What a test must do so that its request brings to a server of its own what this one brought here. A language writes it down.
 *
 * @typedef {object} Scenario
 * @property {string} title
 * @property {string} method
 * @property {string} path below the base URL
 * @property {string} basePath
 * @property {string[]} collections
 * @property {number} user
 * @property {Exchange['headers']} headers that are neither secret nor routine
 * @property {{ state: 'valid' | 'expired' | 'unknown', ageMs: number, cutShort: boolean } | undefined} token
 * @property {'known' | 'unknown' | 'spent' | 'expired' | undefined} nonce
 * @property {string | undefined} credentials id and paraphrase, or what cannot be read
 * @property {boolean} malformed whether these credentials are to be sent as they are
 * @property {number} status
 * @property {string} step
 * @property {readonly string[]} faults
 * @property {readonly string[]} variants
 */

/** The paraphrase of the user of the test's own server. */
export const paraphrase = 'secret';

/**
 * @param {Exchange} exchange
 * @param {LiveFacts} facts
 * @returns {Scenario}
 */
export function scenarioOf(exchange, { url, collections, protocol }) {
  const { method, target, headers, status, step, reason, presented, faults, variants, atMs } = exchange;
  const { nonce, credentials, token, tokenIssuedAtMs = atMs, tokenExpiresAtMs = atMs } = presented;
  const user = presented.user ?? 1;
  const basePath = new URL(url).pathname.replace(/\/$/, '');
  const secret = Object.values(protocol.headers).map((name) => name.toLowerCase());
  const logins = {
    none: undefined,
    malformed: 'malformed',
    'unknown id': `999:${paraphrase}`,
    'wrong paraphrase': `${user}:wrong`,
    unchecked: `${user}:${paraphrase}`,
    right: `${user}:${paraphrase}`,
  };
  return {
    title: oneLine(`${method} ${target} is answered with ${status}: ${reason}`),
    method,
    path: target.startsWith(basePath) ? target.slice(basePath.length) : target,
    basePath,
    collections: [...collections],
    user,
    headers: ownHeaders(headers).filter(([name, value]) => !secret.includes(name.toLowerCase()) && !/\[.+\]/.test(value)),
    token:
      token === 'none' || token === 'issued'
        ? undefined
        : { state: token, ageMs: atMs - tokenIssuedAtMs, cutShort: tokenExpiresAtMs - tokenIssuedAtMs < protocol.lifetimeMs },
    nonce: nonce === 'none' ? undefined : nonce,
    credentials: logins[credentials],
    malformed: credentials === 'malformed',
    status,
    step,
    faults,
    variants,
  };
}
