import type { IncomingHttpHeaders } from 'node:http';
import { defaultParts, type PartsContext } from '../parts/index.js';
import type { KnownToken, Ledger } from './ledger.js';

/** What a request brings, and the step that it asks for so, whether it gets there or not. A token counts first. */
export const broughtStates = {
  nothing: 'A',
  'valid token': 'C',
  'expired token': 'C',
  'unknown token': 'C',
  'nonce and credentials': 'B',
  'incomplete credentials': 'A',
} as const;

/** What is known, at the time, of what a request brings. */
export interface Brought {
  readonly state: keyof typeof broughtStates;
  readonly token: KnownToken | undefined;
  /** The user whom the credentials name. */
  readonly named: number | 'malformed' | 'nobody' | undefined;
  /** Whose token it is, or else whom the credentials name. */
  readonly user: number | undefined;
}

export type BroughtBy = (request: { readonly headers: IncomingHttpHeaders }) => Brought;

/** Says what requests bring. */
export function bringing(context: PartsContext, ledger: Ledger, ids: ReadonlySet<number>): BroughtBy {
  const names = context.spec.protocol.headers;
  const [tokenName, nonceName, authorizationName] = [
    names.token.toLowerCase(),
    names.nonce.toLowerCase(),
    names.authorization.toLowerCase(),
  ];
  const { credentials } = defaultParts(context);

  const nameIn = (authorization: string): Brought['named'] => {
    const { id } = credentials.read(authorization) ?? {};
    if (id === undefined) return 'malformed';
    return String(Number(id)) === id && ids.has(Number(id)) ? Number(id) : 'nobody';
  };
  return ({ headers }) => {
    const { [tokenName]: token, [nonceName]: nonce, [authorizationName]: authorization } = headers;
    const known = typeof token === 'string' ? ledger.token(token) : undefined;
    const named = typeof authorization === 'string' ? nameIn(authorization) : undefined;
    const user = known?.record.user ?? (typeof named === 'number' ? named : undefined);
    const brought = { token: known, named, user };
    if (known !== undefined) return { ...brought, state: known.record.expiresAtMs > context.clock.now() ? 'valid token' : 'expired token' };
    if (token !== undefined) return { ...brought, state: 'unknown token' };
    if (nonce === undefined && authorization === undefined) return { ...brought, state: 'nothing' };
    const isHalf = nonce === undefined || authorization === undefined;
    return { ...brought, state: isHalf ? 'incomplete credentials' : 'nonce and credentials' };
  };
}
