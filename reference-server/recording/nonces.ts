import type { Spec } from '../../spec/index.js';
import { type NoncePolicy, type Nonces, nonceOpener, type PartsContext } from '../parts/index.js';
import type { IssuedNonce, MaybePromise, Store } from '../stores/index.js';
import type { Presented } from './exchange.js';
import type { Ledger } from './ledger.js';

const sequences = 2 ** 32;

export interface SeenNonce {
  readonly number: number;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** Reads the nonces that the server issued, without spending them. */
export class NonceReader {
  readonly #open: (text: string) => IssuedNonce | undefined;

  constructor(
    spec: Spec,
    readonly store: Store,
    readonly policy: NoncePolicy,
    readonly ledger: Ledger,
  ) {
    this.#open = nonceOpener(spec, store);
  }

  read(text: string): SeenNonce | undefined {
    const issued = this.#open(text);
    return issued === undefined ? undefined : this.#seen(issued);
  }

  /** How it stands at an instant, as a server without faults sees it. */
  async state(text: string, nowMs: number): Promise<{ readonly state: Presented['nonce']; readonly seen?: SeenNonce }> {
    const issued = this.#open(text);
    if (issued === undefined) return { state: 'unknown' };
    const seen = this.#seen(issued);
    if (this.policy.singleUse && (await this.store.isSpent(issued))) return { state: 'spent', seen };
    return { state: nowMs >= seen.expiresAtMs || this.ledger.isEnded(seen.number) ? 'expired' : 'known', seen };
  }

  #seen({ issuedAtMs, instance, sequence }: IssuedNonce): SeenNonce {
    return { number: instance * sequences + sequence + 1, issuedAtMs, expiresAtMs: issuedAtMs + this.policy.lifetimeMs };
  }
}

/** The nonces, of which those that were ended open nothing. */
export function ending(nonces: Nonces, { spec, store, nonce: policy }: PartsContext, ledger: Ledger): Nonces {
  const reader = new NonceReader(spec, store, policy, ledger);
  const unlessEnded = (work: (text: string) => MaybePromise<boolean>) => (text: string) =>
    ledger.hasEndedNonces() && ledger.isEnded(reader.read(text)?.number ?? 0) ? false : work(text);
  return { ...nonces, check: unlessEnded(nonces.check), spend: unlessEnded(nonces.spend) };
}
