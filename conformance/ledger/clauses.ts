import type { RequestPlan } from '../wire/index.js';
import type { Presented } from './presented.js';

/** Whom a claim is about: who asks, by what the request brings. Rows of the catalogue name the same words. */
export type About = 'stranger' | 'login' | 'wrong-login' | 'valid-token' | 'expired-token' | 'unknown-token';

/** What an answer must be, and the row that says so. */
export interface Claim {
  readonly about: About;
  readonly must: 'granted' | 'refused';
  /** The request in words, to stand before "is granted" or "is refused". */
  readonly what: string;
  readonly requirement: string;
}

/** What the target has: the path of its base URL, and the paths below it that are known to exist. */
export interface Addresses {
  readonly basePath: string;
  readonly collections: readonly string[];
  readonly vocabulary: string;
  /** Names of the headers that the three steps use, in lower case. */
  readonly protocolHeaders: ReadonlySet<string>;
}

const strangers = {
  collection: 'protection.collections',
  vocabulary: 'protection.vocabulary',
  method: 'protection.methods',
  query: 'protection.queries',
  header: 'protection.headers',
  spelling: 'protection.path-spellings',
  unknown: 'protection.unknown-paths',
} as const;

/** Undefined for what lies outside the base URL, of which the text says nothing. */
export function strangerClause(plan: RequestPlan, addresses: Addresses): string | undefined {
  const { basePath, collections, vocabulary } = addresses;
  const [path = '', query] = plan.target.replace(/^https?:\/\/[^/]*/, '').split('?');
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return undefined;
  const below = path.slice(basePath.length);
  const isCollection = collections.some((name) => below === `/${name}`);
  if (!isCollection && below !== vocabulary) return isPlainPath(below, collections) ? strangers.unknown : strangers.spelling;
  if (plan.method !== 'GET' && plan.method !== 'HEAD') return strangers.method;
  if (query !== undefined) return strangers.query;
  if (plan.headers.length > 0) return strangers.header;
  return isCollection ? strangers.collection : strangers.vocabulary;
}

function isPlainPath(below: string, collections: readonly string[]): boolean {
  const name = below.toLowerCase();
  return (
    /^(\/[a-z0-9._~-]+)*\/?$/.test(name) &&
    !/(^|\/)\.{1,2}(\/|$)/.test(below) &&
    // A member of a collection is an address of its own, and no other spelling of the collection.
    !collections.some((each) => name.startsWith(`/${each.toLowerCase()}`) && !/^\/[^/]+\/[^/]/.test(name))
  );
}

const wrongLogins = {
  'no nonce': { requirement: 'exchange.nonce-needed', what: 'a request with credentials and no nonce' },
  'no credentials': { requirement: 'exchange.credentials-needed', what: 'a request with a nonce and no credentials' },
  nonce: { requirement: 'exchange.wrong-nonce-refused', what: 'a request with correct credentials and a nonce that was never issued' },
  paraphrase: { requirement: 'exchange.wrong-paraphrase-refused', what: 'a request with a nonce and a wrong paraphrase' },
  id: { requirement: 'exchange.unknown-user-refused', what: 'a request with a nonce and the id of no user' },
  form: { requirement: 'exchange.malformed-credentials-refused', what: 'a request with a nonce and malformed credentials' },
} as const;

export function wrongLogin({ nonce, credentials }: Presented): Claim {
  const claim = (mistake: keyof typeof wrongLogins): Claim => ({ about: 'wrong-login', must: 'refused', ...wrongLogins[mistake] });
  if (nonce === undefined) return claim('no nonce');
  if (credentials === undefined) return claim('no credentials');
  return claim(credentials.kind === 'wrong' ? credentials.mistake : 'nonce');
}

/** The ways in which a valid token can be refused, told apart by what happened to it before. */
export const tokenClauses = {
  first: { requirement: 'token.sufficient', what: 'a valid token that was just issued' },
  again: { requirement: 'token.reusable', what: 'a valid token that was honoured before' },
  old: { requirement: 'expiry.valid-until', what: 'a token whose time is not over' },
} as const;

/** How a service says that it has no HEAD (RFC 9110 asks general-purpose servers for it, the protocol nobody); routers that know GET alone find nothing. */
export const withoutHead: readonly number[] = [404, 405, 501];

/** Whether an answer may be held to be a grant: what else about a request may change its answer is judged where it is varied. */
export function mayBeHeld(plan: RequestPlan, { status }: { readonly status: number }, addresses: Addresses): boolean {
  return isPlainRead(plan, addresses) && !(plan.method === 'HEAD' && withoutHead.includes(status));
}

/** A plain read of an address that is known to exist: nothing about it but what it brings may matter. */
function isPlainRead({ method, target, headers, body, httpVersion }: RequestPlan, addresses: Addresses): boolean {
  const { basePath, collections, vocabulary, protocolHeaders } = addresses;
  return (
    (method === 'GET' || method === 'HEAD') &&
    body === undefined &&
    httpVersion === undefined &&
    (target === `${basePath}${vocabulary}` || collections.some((name) => target === `${basePath}/${name}`)) &&
    headers.every(([name]) => protocolHeaders.has(name.toLowerCase()))
  );
}
