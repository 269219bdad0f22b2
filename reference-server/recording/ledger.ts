import type { IncomingHttpHeaders } from 'node:http';
import { defaultParts, type PartsContext } from '../parts/index.js';
import type { TokenRecord } from '../stores/index.js';

/** A token that was issued. Its text stays in this process. */
export interface KnownToken {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  /** With the life that it should have, whatever a fault makes of it. */
  readonly record: TokenRecord;
}

const kept = 10_000;

/** What recording knows beside the store: the last tokens with their numbers, and the nonces that a test has ended. */
export class Ledger {
  readonly endedNonces = new Set<number>();
  readonly #tokens = new Map<string, KnownToken>();
  #issued = 0;

  keep(text: string, record: TokenRecord): KnownToken {
    const known = { number: this.#tokens.get(text)?.number ?? ++this.#issued, text, record };
    this.#tokens.set(text, known);
    if (this.#tokens.size > kept) this.#tokens.delete(this.#tokens.keys().next().value as string);
    return known;
  }

  token(text: string): KnownToken | undefined {
    return this.#tokens.get(text);
  }

  /** Those with a larger number, oldest first. */
  tokens(after = 0): readonly KnownToken[] {
    return after >= this.#issued ? [] : [...this.#tokens.values()].filter(({ number }) => number > after);
  }

  endNonce(number: number): void {
    this.endedNonces.add(number);
    if (this.endedNonces.size > kept) this.endedNonces.delete(this.endedNonces.values().next().value as number);
  }

  clear(): void {
    this.#tokens.clear();
    this.endedNonces.clear();
  }
}

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

export function bringing(context: PartsContext, ledger: Ledger, ids: ReadonlySet<number>): BroughtBy {
  const { token, nonce, authorization } = context.spec.protocol.headers;
  const [tokenName, nonceName, authorizationName] = [token.toLowerCase(), nonce.toLowerCase(), authorization.toLowerCase()];
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
