import type { Spec } from '../../spec/index.js';
import { after, type IssuedNonce, type Store, sealOctets } from '../stores/index.js';
import type { Clock } from './clock.js';
import { chooseEncoding, nonceEncodings } from './encodings.js';
import type { Nonces } from './parts.js';

export interface NoncePolicy {
  readonly lifetimeMs: number;
  readonly singleUse: boolean;
}

/** Clocks of instances that share a store may differ by this much. */
const skewMs = 60_000;

/** Nonces that prove their own issue, so that only spent ones are remembered. */
export function makeNonces(spec: Spec, policy: NoncePolicy, clock: Clock, store: Store): Nonces {
  const encoding = nonceEncoding(spec);
  const open = nonceOpener(spec, store);
  let latestMs = Number.NEGATIVE_INFINITY;
  /** Nonces count by a time that never goes back: what has ended, and was forgotten as spent, would live again. */
  const nowMs = () => {
    latestMs = Math.max(latestMs, clock.now());
    return latestMs;
  };

  const living = (text: string): IssuedNonce | undefined => {
    const nonce = open(text);
    if (nonce === undefined || store.ended?.has(nonce.number)) return undefined;
    const ageMs = nowMs() - nonce.issuedAtMs;
    return ageMs < policy.lifetimeMs && ageMs > -skewMs ? nonce : undefined;
  };

  return {
    issue: () => encoding.encode(store.seal().issue(nowMs())),
    check(text) {
      const nonce = living(text);
      if (nonce === undefined) return false;
      if (!policy.singleUse) return true;
      return after(store.isSpent(nonce), (isSpent) => !isSpent);
    },
    spend(text) {
      const nonce = living(text);
      if (nonce === undefined) return false;
      return !policy.singleUse || store.spend(nonce, nonce.issuedAtMs + policy.lifetimeMs, nowMs());
    },
  };
}

/** Reads what a nonce says of itself, whether it still opens anything or not. */
export function nonceOpener(spec: Spec, store: Store): (text: string) => IssuedNonce | undefined {
  const encoding = nonceEncoding(spec);
  return (text) => {
    const octets = encoding.decode(text);
    return octets === undefined ? undefined : store.seal().open(octets);
  };
}

function nonceEncoding(spec: Spec) {
  return chooseEncoding('nonce', spec.protocol.challenge.noncePattern, nonceEncodings, [sealOctets]).encoding;
}
