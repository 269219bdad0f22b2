import type { Spec } from '../../spec/index.js';
import { allow, checkOptions, isBaseUrl, OptionError, type OptionsOf } from '../../spec/options.js';
import { protocol as ownProtocol } from './generated/protocol.js';

/** What a client must know of the protocol. */
export type KnownProtocol = typeof ownProtocol;

const checks = {
  /** Where the API is; nothing secret is sent to any other origin. */
  baseUrl: allow.what<string | URL>('an http or https URL without user name, query and fragment', (value) => isBaseUrl(String(value))),
  /** The id of an authorised user. */
  user: allow.what<number | string>('an integer', (value) => /^-?[0-9]+$/.test(String(value))),
  // Judged below: the sentence of a failing check shows the value.
  paraphrase: allow.anything<string>(),
  /** Sends the requests. Default: the global fetch. It must not follow redirects when asked not to. */
  fetch: allow.what<typeof fetch>('a function such as fetch', (value) => typeof value === 'function'),
  /** Another profile of the protocol, as `loadSpec` of `hydrauth/spec` gives it. */
  spec: allow.what<Pick<Spec, 'protocol'>>('a loaded spec', (value) => typeof value === 'object' && value !== null && 'protocol' in value),
};

export type HydraClientOptions = OptionsOf<typeof checks, 'baseUrl' | 'user' | 'paraphrase'>;

/** Validates the options once. */
export function readOptions(options: HydraClientOptions) {
  checkOptions(options, checks);
  const { baseUrl, user, paraphrase } = options;
  if (baseUrl === undefined) throw new OptionError('baseUrl', `missing; ${checks.baseUrl[0]} is needed`);
  if (user === undefined) throw new OptionError('user', `missing; ${checks.user[0]} is needed`);
  if (typeof paraphrase !== 'string' || paraphrase === '') throw new OptionError('paraphrase', 'a text that is not empty is needed');
  const base = new URL(baseUrl);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  // RFC 7617 leaves the charset open, and asks for UTF-8 where there is a choice.
  const credentials = btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${paraphrase}`)));
  // Called as a method of anything else, the fetch of a browser throws.
  const fetch: typeof globalThis.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const protocol: KnownProtocol = options.spec?.protocol ?? ownProtocol;
  return { base, credentials, fetch, protocol };
}
