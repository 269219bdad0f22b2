import type { Spec } from '../../spec/index.js';
import { Bases } from '../bases.js';
import { defaultParts, isManual, type Parts, type PartsContext } from '../parts/index.js';
import { memoryStore, redisStore, type Store, withLookup } from '../stores/index.js';
import type { AuthSettings } from './options.js';

/** How much longer than its life Redis keeps a thing: for clocks that differ, or, beside a manual clock, for one that stands still. */
const skewMs = 60_000;
const dayMs = 86_400_000;

/** What protects a server. */
export interface Deployment {
  readonly spec: Spec;
  readonly basePath: string;
  readonly parts: Parts;
  readonly store: Store;
  readonly bases: Bases;
  /** So much of a refused request's body is read at least, for the client's sake. */
  readonly bodyOctets: number;
}

const bodyOctets = 65_536;

/** Makes it: the parts, changed where the reference server is to be, with the store and the base URLs that they work on. */
export function deploy(
  settings: AuthSettings,
  collections: readonly string[] = [],
  change: (parts: Parts, context: PartsContext) => Parts = (parts) => parts,
  store: Store = makeStore(settings),
): Deployment {
  const { spec, clock, basePath } = settings;
  const context = {
    spec,
    clock,
    store,
    users: listedUsers(settings),
    collections,
    guard: { auth: settings.auth, tokens: settings.tokens, refusalSpendsNonce: settings.refusalSpendsNonce },
    nonce: { lifetimeMs: settings.nonceLifetimeMs, singleUse: settings.nonceSingleUse },
  };
  const parts = change(defaultParts(context), context);
  return { spec, basePath, parts, store, bases: new Bases(spec, basePath, settings.publicUrl), bodyOctets };
}

const listedUsers = ({ users }: AuthSettings) => (typeof users === 'function' ? [] : users);

export function makeStore(settings: AuthSettings): Store {
  const { clock, users, store } = settings;
  const listed = listedUsers(settings);
  const kept = store === 'memory' ? memoryStore(listed) : redisStore(store, listed, isManual(clock) ? dayMs : skewMs);
  return typeof users === 'function' ? withLookup(kept, users) : kept;
}
