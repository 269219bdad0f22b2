import { isUtf8 } from 'node:buffer';
import type { Spec } from '../../spec/index.js';
import { after, type Store } from '../stores/index.js';
import type { Credentials } from './parts.js';

/** An integer as it is written: no sign before a positive one, no leading zero, nothing around it. */
const integer = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** Basic credentials as RFC 7617 has them: the scheme in any letter case, whole base64, UTF-8, split at the first colon. */
export function makeCredentials(spec: Spec, store: Store): Credentials {
  const scheme = spec.protocol.challenge.scheme.toLowerCase();
  return {
    read(authorization) {
      const blank = authorization.indexOf(' ');
      if (blank !== scheme.length || authorization.slice(0, blank).toLowerCase() !== scheme) return undefined;
      const base64 = authorization.slice(blank).trimStart();
      const octets = Buffer.from(base64, 'base64');
      if (octets.toString('base64') !== base64 || !isUtf8(octets)) return undefined;
      const text = octets.toString('utf8');
      const colon = text.indexOf(':');
      return colon < 0 ? undefined : { id: text.slice(0, colon), paraphrase: text.slice(colon + 1) };
    },
    verify({ id, paraphrase }) {
      if (!integer.test(id)) return undefined;
      return after(store.verifyUser(id, paraphrase), (isRight) => (isRight ? Number(id) : undefined));
    },
  };
}
