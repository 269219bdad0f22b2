import type { IncomingMessage } from 'node:http';
import { allow, checkOptions, type OptionChecks, type Protocol } from '../../spec/index.js';
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

export function checkUse(use: Use): void {
  checkOptions(use, useChecks);
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
