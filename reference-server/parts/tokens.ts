import { randomFillSync } from 'node:crypto';
import type { Spec } from '../../spec/index.js';
import { after, type Store } from '../stores/index.js';
import type { Clock } from './clock.js';
import { chooseEncoding, tokenEncodings, tokenOctets } from './encodings.js';
import type { Tokens } from './parts.js';

/** Random octets are drawn for so many tokens at a time, because a call for them costs ten times what they do. */
const drawnAhead = 64;

/** Random tokens of at least 128 bits whose life is fixed at their issue; the end of it is exclusive. */
export function makeTokens(spec: Spec, clock: Clock, store: Store): Tokens {
  const { encoding, octets } = chooseEncoding('token', spec.protocol.exchange.tokenPattern, tokenEncodings, tokenOctets);
  const drawn = Buffer.alloc(drawnAhead * octets);
  let used = drawn.length;
  return {
    lifetimeMs: spec.protocol.token.lifetimeMs,
    draw() {
      if (used === drawn.length) {
        randomFillSync(drawn);
        used = 0;
      }
      used += octets;
      return encoding.encode(drawn.subarray(used - octets, used));
    },
    keep: (token, record) => store.putToken(token, record, clock.now()),
    find: (token) => store.getToken(token),
    honours: (record, nowMs) => nowMs < record.expiresAtMs,
    issue(user, { clock, tokens }) {
      const token = tokens.draw();
      const issuedAtMs = clock.now();
      return after(tokens.keep(token, { user, issuedAtMs, expiresAtMs: issuedAtMs + tokens.lifetimeMs }), () => token);
    },
    lookup(token, { clock, tokens }) {
      return after(tokens.find(token), (record) => (record !== undefined && tokens.honours(record, clock.now()) ? record.user : undefined));
    },
  };
}
