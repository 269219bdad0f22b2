import { IncomingMessage } from 'node:http';
import type { Request } from '@hapi/hapi';
import type { Spec } from '../../spec/index.js';
import { Bases } from '../bases.js';
import { httpStatus } from '../http.js';
import { type Answer, defaultParts, type Incoming, isManual, type MaybePromise, type Parts, type PartsContext } from '../parts/index.js';
import { memoryStore, redisStore, type Store, withLookup } from '../stores/index.js';
import type { AuthSettings } from './options.js';

/** How much longer than its life Redis keeps a thing: for clocks that differ, or, beside a manual clock, for one that stands still. */
const skewMs = 60_000;
const dayMs = 86_400_000;

const bodyOctets = 65_536;

/** What answers a request. */
export interface Answering {
  readonly parts: Parts;
  readonly bases: Bases;
}

/** A request of Hapi's as the parts see it, and what answers it. */
export interface Asked<By extends Answering = Answering> {
  readonly asked: Incoming;
  readonly by: By;
}

/** What protects a server. */
export interface Deployment<By extends Answering = Answering> {
  readonly spec: Spec;
  readonly basePath: string;
  readonly store: Store;
  /** What answers as long as nothing else is chosen. */
  readonly first: By;
  /** So much of a refused request's body is read at least, for the client's sake. */
  readonly bodyOctets: number;
  /** Chosen and made once a request. */
  askedOf(request: Request): Asked<By>;
}

const listedUsers = ({ users }: AuthSettings) => (typeof users === 'function' ? [] : users);

export function contextOf(settings: AuthSettings, store: Store, collections: readonly string[]): PartsContext {
  const { spec, clock, auth, tokens, refusalSpendsNonce, nonceLifetimeMs, nonceSingleUse } = settings;
  return {
    spec,
    clock,
    store,
    users: listedUsers(settings),
    collections,
    guard: { auth, tokens, refusalSpendsNonce },
    nonce: { lifetimeMs: nonceLifetimeMs, singleUse: nonceSingleUse },
  };
}

export function basesOf({ spec, basePath, publicUrl }: AuthSettings): Bases {
  return new Bases(spec, basePath, publicUrl);
}

/** The plugin as it is registered: with its own parts, unchanged. */
export function deploy(settings: AuthSettings): Deployment {
  const store = makeStore(settings);
  const first = { parts: defaultParts(contextOf(settings, store, [])), bases: basesOf(settings) };
  return { spec: settings.spec, basePath: settings.basePath, store, first, bodyOctets, askedOf: asking(() => first) };
}

export function makeStore(settings: AuthSettings): Store {
  const { clock, users, store } = settings;
  const listed = listedUsers(settings);
  const kept = store === 'memory' ? memoryStore(listed) : redisStore(store, listed, isManual(clock) ? dayMs : skewMs);
  return typeof users === 'function' ? withLookup(kept, users) : kept;
}

export function asking<By extends Answering>(choose: (req: IncomingMessage) => By): (request: Request) => Asked<By> {
  // A WeakMap of requests would double what a request costs: its entries are collected late.
  const place = Symbol('asked');
  return (request) => {
    const states = request.plugins as Record<symbol, Asked<By> | undefined>;
    const known = states[place];
    if (known !== undefined) return known;
    const { req } = request.raw;
    const by = choose(req);
    const asked: Incoming = {
      method: req.method ?? '',
      target: req.url ?? '',
      path: request.path,
      headers: req.headers,
      rawHeaders: req instanceof IncomingMessage ? req.rawHeaders : Object.entries(request.headers).flat().map(String), // an injected request has none
      base: by.bases.of(req.headers.host),
      raw: request.raw,
      user: undefined,
      found: {},
    };
    const made = { asked, by };
    states[place] = made;
    return made;
  };
}

/** What the request is answered in place of a resource; undefined: it may have one. What no server may read further is refused, whoever asks. */
export function decide({ asked, by: { parts } }: Asked): MaybePromise<Answer | undefined> {
  if (!isUnreadable(asked.raw.req)) return parts.guard.decide(asked, parts);
  asked.raw.res.shouldKeepAlive = false;
  return parts.answers.error(httpStatus.badRequest, asked.base, parts);
}

/** No Host or several (RFC 9112, section 3.2), or a body in a transfer coding other than chunked (section 6.3). */
function isUnreadable({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return true;
  if (httpVersion !== '1.1' || rawHeaders === undefined) return false; // an injected request has no lines, and a Host always
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length !== 1;
}
