import type { IncomingMessage } from 'node:http';
import { allow, checkOptions, type OptionCheck, type OptionChecks, OptionError } from '../../spec/index.js';
import type { Settings } from '../options.js';
import { type Brought, type BroughtBy, broughtStates, isAtPath, methodCheck, pathCheck } from '../recording/index.js';

/** Which requests a fault, a variant or a trouble is for: those that fit all that is given. */
export interface Use {
  /** Only for so many of them; then it is off by itself. */
  readonly next?: number;
  readonly method?: string;
  /** As it is sent, without the query; an asterisk at the end stands for anything. */
  readonly path?: string;
  /** Only those that ask for this step: C brings a token, B a nonce and credentials, A is every other one. */
  readonly step?: 'A' | 'B' | 'C';
  readonly state?: Brought['state'];
  /** Only those with a token of this user, or with credentials that name it. */
  readonly user?: number;
}

export const integer: OptionCheck = ['an integer', Number.isSafeInteger];

export const useChecks: OptionChecks<Use> = {
  next: allow.whole(1, Number.MAX_SAFE_INTEGER),
  method: methodCheck,
  path: pathCheck,
  state: ['one of '.concat(Object.keys(broughtStates).join(', ')), (value) => Object.hasOwn(broughtStates, String(value))],
  step: allow.oneOf('A', 'B', 'C'),
  user: integer,
};

/** What there is to match. */
export interface Matchable {
  /** Gives the whole path for one that leaves out the base path. */
  readonly withBasePath: (path: string) => string | undefined;
  /** The ids of the users. */
  readonly ids: ReadonlySet<number>;
}

/** Throws for what is not allowed, and for what would never match, such as a path that only leaves out the base path. */
export function checkUse<U extends Use>(use: U, { withBasePath, ids }: Matchable, checks: OptionChecks<U>): void {
  checkOptions(use, checks);
  const { path, step, state, user } = use;
  const meant = path === undefined ? undefined : withBasePath(path);
  if (meant !== undefined)
    throw new OptionError('path', `${JSON.stringify(path)} is not below the base path; the whole path is needed, such as ${meant}`);
  if (user !== undefined && !ids.has(user))
    throw new OptionError('user', `there is no user ${user}; there are ${[...ids].join(', ') || 'none'}`);
  if (step !== undefined && state !== undefined && broughtStates[state] !== step)
    throw new OptionError('step', `${step} is not allowed beside the state ${state}; ${broughtStates[state]} is`);
}

/** Gives the whole path for one that begins with the name of a resource instead of the base path. */
export function completing({
  basePath,
  collections,
  spec,
}: Pick<Settings, 'basePath' | 'collections' | 'spec'>): Matchable['withBasePath'] {
  const names = new Set([spec.protocol.link.path.slice(1), ...collections, ...collections.map(encodeURIComponent)]);
  return (path) => {
    const isBelow = path === basePath || path.startsWith(`${basePath}/`);
    const [, first = ''] = /^\/([^/*]*)/.exec(path) ?? [];
    return !isBelow && names.has(first) ? `${basePath}${path}` : undefined;
  };
}

export function isMeant({ method, path, step, state, user }: Use, req: IncomingMessage, broughtBy: BroughtBy): boolean {
  if (method !== undefined && req.method !== method.toUpperCase()) return false;
  if (path !== undefined && !isAtPath(req.url ?? '', path)) return false;
  if (step === undefined && state === undefined && user === undefined) return true;
  const brought = broughtBy(req);
  if (step !== undefined && broughtStates[brought.state] !== step) return false;
  return (state === undefined || brought.state === state) && (user === undefined || brought.user === user);
}
