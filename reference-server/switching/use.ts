import type { IncomingMessage } from 'node:http';
import { allow, checkOptions, type OptionChecks, OptionError, type Protocol } from '../../spec/index.js';
import type { Settings } from '../options.js';
import { isAtPath, type Ledger, methodCheck, pathCheck } from '../recording/index.js';

const broughtStates = [
  'nothing',
  'valid token',
  'expired token',
  'unknown token',
  'nonce and credentials',
  'incomplete credentials',
] as const;

/** What a request brings; a token counts first. */
export type Brought = (typeof broughtStates)[number];

/** Which requests a fault or a variant is for: those that fit all that is given. */
export interface Use {
  /** Only for so many of them; then it is off by itself. */
  readonly next?: number;
  readonly method?: string;
  /** As it is sent, without the query; an asterisk at the end stands for anything. */
  readonly path?: string;
  readonly state?: Brought;
}

export const useChecks: OptionChecks<Use> = {
  next: allow.whole(1, Number.MAX_SAFE_INTEGER),
  method: methodCheck,
  path: pathCheck,
  state: ['one of '.concat(broughtStates.join(', ')), (value) => broughtStates.includes(value as Brought)],
};

/** Throws for what is not allowed, and for a path that only leaves out the base path: it would never match. */
export function checkUse(use: Use, withBasePath: (path: string) => string | undefined): void {
  checkOptions(use, useChecks);
  const meant = use.path === undefined ? undefined : withBasePath(use.path);
  if (meant !== undefined)
    throw new OptionError('path', `${JSON.stringify(use.path)} is not below the base path; the whole path is needed, such as ${meant}`);
}

/** Gives the whole path for one that begins with the name of a resource instead of the base path. */
export function completing({ basePath, collections, spec }: Pick<Settings, 'basePath' | 'collections' | 'spec'>) {
  const names = new Set([spec.protocol.link.path.slice(1), ...collections, ...collections.map(encodeURIComponent)]);
  return (path: string): string | undefined => {
    const isBelow = path === basePath || path.startsWith(`${basePath}/`);
    const [, first = ''] = /^\/([^/*]*)/.exec(path) ?? [];
    return !isBelow && names.has(first) ? `${basePath}${path}` : undefined;
  };
}

export function isMeant({ method, path, state }: Use, req: IncomingMessage, broughtBy: (req: IncomingMessage) => Brought): boolean {
  if (method !== undefined && req.method !== method.toUpperCase()) return false;
  if (path !== undefined && !isAtPath(req.url ?? '', path)) return false;
  return state === undefined || broughtBy(req) === state;
}

/** Says what requests bring. */
export function bringing({ headers: names }: Protocol, ledger: Ledger | undefined, now: () => number): (req: IncomingMessage) => Brought {
  const [tokenName, nonceName, authorizationName] = [names.token, names.nonce, names.authorization].map((name) => name.toLowerCase()) as [
    string,
    string,
    string,
  ];
  return ({ headers }) => {
    const token = headers[tokenName];
    if (token !== undefined) {
      const known = ledger?.token(String(token));
      if (known === undefined) return 'unknown token';
      return known.record.expiresAtMs > now() ? 'valid token' : 'expired token';
    }
    const count = [headers[nonceName], headers[authorizationName]].filter((value) => value !== undefined).length;
    return (['nothing', 'incomplete credentials', 'nonce and credentials'] as const)[count] as Brought;
  };
}
