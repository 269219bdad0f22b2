import type { Protocol } from '../../spec/index.js';
import type { RequestPlan } from '../wire/index.js';
import { withoutHead } from './expectation.js';

/** What the target has: the path of its base URL, and the paths below it that are known to exist. */
export interface Addresses {
  readonly basePath: string;
  /** Host and port of the base URL. */
  readonly host: string;
  readonly collections: readonly string[];
  readonly vocabulary: string;
  /** Whole targets of all that is known to be there. */
  readonly reads: ReadonlySet<string>;
  /** Names of the headers that the three steps use, in lower case. */
  readonly protocolHeaders: ReadonlySet<string>;
}

export function addressesOf(baseUrl: URL, collections: readonly string[], protocol: Protocol, more: readonly string[] = []): Addresses {
  const basePath = baseUrl.pathname.replace(/\/+$/, '');
  const { nonce, token, authorization } = protocol.headers;
  return {
    basePath,
    host: baseUrl.host,
    collections,
    vocabulary: protocol.link.path,
    reads: new Set([protocol.link.path, ...collections.map((name) => `/${name}`)].map((path) => `${basePath}${path}`).concat(more)),
    protocolHeaders: new Set([nonce, token, authorization].map((name) => name.toLowerCase())),
  };
}

/** The row about strangers that a request belongs to; undefined for what lies outside the base URL, of which the text says nothing. */
export function strangerRow(plan: RequestPlan, addresses: Addresses): string | undefined {
  const { basePath, collections, vocabulary } = addresses;
  const [path = '', query] = plan.target.replace(/^https?:\/\/[^/]*/, '').split('?');
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return undefined;
  const below = path.slice(basePath.length);
  const isCollection = collections.some((name) => below === `/${name}`);
  if (!isCollection && below !== vocabulary)
    return isPlainPath(below, collections) ? 'protection.unknown-paths' : 'protection.path-spellings';
  if (plan.method !== 'GET' && plan.method !== 'HEAD') return 'protection.methods';
  if (query !== undefined) return 'protection.queries';
  if (plan.headers.length > 0) return 'protection.headers';
  return isCollection ? 'protection.collections' : 'protection.vocabulary';
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

/** Whether an answer may be held to be a grant: what else about a request may change its answer is judged where it is varied. */
export function mayBeHeld(plan: RequestPlan, { status }: { readonly status: number }, addresses: Addresses): boolean {
  return isPlainRead(plan, addresses) && !(plan.method === 'HEAD' && withoutHead.includes(status));
}

/** A plain read of an address that is known to exist: nothing about it but what it brings may matter. */
export function isPlainRead({ method, target, headers, body, httpVersion }: RequestPlan, addresses: Addresses): boolean {
  const { reads, protocolHeaders } = addresses;
  return (
    (method === 'GET' || method === 'HEAD') &&
    body === undefined &&
    httpVersion === undefined &&
    reads.has(target) &&
    headers.every(([name]) => protocolHeaders.has(name.toLowerCase()))
  );
}

/** Whether the request names another host than the base URL does. */
export function isElsewhere({ headers }: RequestPlan, { host }: Addresses): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'host' && value.toLowerCase() !== host.toLowerCase());
}

/** The address that a target means, however it is spelled: without host, query, doubled slashes, dots, percent signs and letter case. */
export function placeOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  const segments: string[] = [];
  for (const segment of decoded(path).split(/[/\\]+/)) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment.replace(/;.*$/s, ''));
  }
  return segments.join('/').toLowerCase();
}

/** Whether a path is written otherwise than the place it leads to. */
export const isSpelledOtherwise = (target: string): boolean => target.replace(/^\/|[?#].*$/gs, '').toLowerCase() !== placeOf(target);

/** What a request opened that was served to a stranger: its whole place, unless the address is spelled otherwise or has a query. */
export function openedBy({ target, method }: RequestPlan): string {
  return method === 'GET' && !target.includes('?') && !isSpelledOtherwise(target) ? placeOf(target) : target;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** So many of those that documents name are tried, of each kind. */
const mostNamed = 3;

/** Paths below the base URL among addresses, beside collections, their members and the vocabulary. */
export function unlistedPaths(named: Iterable<string>, addresses: Addresses): string[] {
  const { collections, vocabulary } = addresses;
  const isKnown = (path: string) => path === '/' || path === vocabulary || collections.some((name) => `${path}/`.startsWith(`/${name}/`));
  return pathsBelow(named, addresses)
    .filter((path) => !isKnown(path))
    .slice(0, mostNamed);
}

/** Members of each collection among addresses. */
export function listedMembers(named: Iterable<string>, addresses: Addresses): string[] {
  const paths = pathsBelow(named, addresses);
  return addresses.collections.flatMap((name) =>
    paths.filter((path) => path.startsWith(`/${name}/`) && path.length > name.length + 2).slice(0, mostNamed),
  );
}

function pathsBelow(named: Iterable<string>, { basePath, host }: Addresses): string[] {
  const below = [...named].flatMap((address) => {
    const url = URL.canParse(address, `http://${host}`) ? new URL(address, `http://${host}`) : undefined;
    const isBelow = url !== undefined && url.host === host && url.pathname.startsWith(`${basePath}/`);
    return isBelow ? [url.pathname.slice(basePath.length)] : [];
  });
  return [...new Set(below)];
}
