import type { Spec } from '../../spec/index.js';
import { type IssuedNonce, type NonceSeal, type Store, sealOctets } from '../stores/index.js';
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
  const { encoding } = chooseEncoding('nonce', spec.protocol.challenge.noncePattern, nonceEncodings, [sealOctets]);

  let opened: { readonly text: string; readonly seal: NonceSeal; readonly nonce: IssuedNonce | undefined } | undefined;
  /** A login asks twice for one nonce, and to open it is most of the work. */
  const open = (text: string): IssuedNonce | undefined => {
    const seal = store.seal();
    if (opened?.text !== text || opened.seal !== seal) {
      const octets = encoding.decode(text);
      opened = { text, seal, nonce: octets === undefined ? undefined : seal.open(octets) };
    }
    return opened.nonce;
  };

  const living = (text: string): IssuedNonce | undefined => {
    const nonce = open(text);
    if (nonce === undefined) return undefined;
    const ageMs = clock.now() - nonce.issuedAtMs;
    return ageMs < policy.lifetimeMs && ageMs > -skewMs ? nonce : undefined;
  };

  return {
    issue: () => encoding.encode(store.seal().issue(clock.now())),
    check(text) {
      const nonce = living(text);
      if (nonce === undefined) return false;
      if (!policy.singleUse) return true;
      const spent = store.isSpent(nonce);
      return typeof spent === 'boolean' ? !spent : spent.then((is) => !is);
    },
    spend(text) {
      const nonce = living(text);
      if (nonce === undefined) return false;
      return !policy.singleUse || store.spend(nonce, nonce.issuedAtMs + policy.lifetimeMs, clock.now());
    },
  };
}
