import { isUtf8 } from 'node:buffer';
import { randomBytes, randomFillSync, randomInt } from 'node:crypto';
import { type Shape, type Spec, shapeOf, textOf, usualShape, written } from '../../spec/index.js';
import { after, type IssuedNonce, type Store, sealOctets } from '../stores/index.js';
import type { Credentials, Nonces, PartsContext, Tokens } from './parts.js';

/** Clocks of instances that share a store may differ by this much. */
const skewMs = 60_000;

/** Nonces that prove their own issue, so that only spent ones are remembered. */
export function makeNonces({ spec, nonce: policy, clock, store }: PartsContext): Nonces {
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
      if (nonce === undefined || !policy.singleUse) return nonce !== undefined;
      return after(store.isSpent(nonce), (isSpent) => !isSpent);
    },
    spend(text) {
      const nonce = living(text);
      if (nonce === undefined || !policy.singleUse) return nonce !== undefined;
      return store.spend(nonce, nonce.issuedAtMs + policy.lifetimeMs, nowMs());
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

/** A way to write the octets of a nonce as text. `decode` takes back exactly what `encode` gave, and nothing else. */
interface Encoding {
  encode(octets: Buffer): string;
  decode(text: string): Buffer | undefined;
}

const uuid: Encoding = {
  encode(octets) {
    const hex = octets.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  },
  decode(text) {
    const octets = Buffer.from(text.replaceAll('-', ''), 'hex');
    return uuid.encode(octets) === text ? octets : undefined;
  },
};

/** Octets as a number whose digits are the places of a shape, each with the characters of that place. */
function inPlaces(shape: Shape): Encoding {
  return {
    encode: (octets) => written(octets, shape),
    decode(text) {
      const digits = shape.map((alphabet, place) => alphabet.indexOf(text.charAt(place)));
      if (text.length !== shape.length || digits.includes(-1)) return undefined;
      const number = shape.reduceRight((sum, alphabet, place) => sum * BigInt(alphabet.length) + BigInt(digits[place] as number), 0n);
      const hex = number.toString(16).padStart(sealOctets * 2, '0');
      return hex.length === sealOctets * 2 ? Buffer.from(hex, 'hex') : undefined;
    },
  };
}

const samples = 64;

/** UUIDs, which are fast to write, where the spec's pattern accepts them; otherwise place by place. A pattern without room for it is refused with its spec. */
function nonceEncoding({ protocol }: Spec): Encoding {
  const { noncePattern } = protocol.challenge;
  const isUuid = Array.from({ length: samples }, () => uuid.encode(randomBytes(sealOctets))).every((text) => noncePattern.test(text));
  return isUuid ? uuid : inPlaces(shapeOf(noncePattern) as Shape);
}

const isHexadecimal = (shape: Shape) => shape.length === 64 && shape.every((alphabet) => alphabet === '0123456789abcdef');

/** Random octets are drawn for so many tokens at a time, because a call for them costs ten times what they do. */
const drawnAhead = 64;
const tokenOctets = 32;

function drawHexadecimal(): () => string {
  const drawn = Buffer.alloc(drawnAhead * tokenOctets);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    used += tokenOctets;
    return drawn.toString('hex', used - tokenOctets, used);
  };
}

/** Random tokens of at least 128 bits whose life is fixed at their issue; the end of it is exclusive. */
export function makeTokens({ spec, clock, store }: PartsContext): Tokens {
  const shape = usualShape(spec.protocol.exchange.tokenPattern);
  return {
    lifetimeMs: spec.protocol.token.lifetimeMs,
    draw: isHexadecimal(shape) ? drawHexadecimal() : () => textOf(shape, (bound) => randomInt(bound)),
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

/** An integer as it is written: no sign before a positive one, no leading zero, nothing around it. */
const integer = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** Basic credentials as RFC 7617 has them: the scheme in any letter case, whole base64, UTF-8, split at the first colon. */
export function makeCredentials({ spec, store }: PartsContext): Credentials {
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
