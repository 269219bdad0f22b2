import { durationWords, type Protocol } from '../../spec/index.js';
import type { Condition, Presented, Rule } from './exchange.js';
import type { SeenNonce } from './nonces.js';

/** What the conditions are read from. */
interface Facts {
  readonly protocol: Protocol;
  readonly atMs: number;
  readonly auth: 'on' | 'off';
  readonly isPreflight: boolean;
  readonly presented: Presented;
  readonly nonce: SeenNonce | undefined;
  /** The exchange that spent the nonce, where it is known. */
  readonly spentBy: number | undefined;
}

/** A condition, and what is wrong when it does not hold. */
export interface Looking extends Condition {
  readonly otherwise: string;
}

/** Rules 1 to 4 as conditions, in the order in which the guard looks: it stops where one does not hold, or all of a rule do. */
export function conditionsOf(facts: Facts): readonly Looking[] {
  const protection = rule1(facts);
  if (protection.some(({ held }) => !held)) return protection;
  const token = upToFailure(rule4(facts));
  if (token.every(({ held }) => held)) return [...protection, ...token];
  const exchange = upToFailure(rule3(facts));
  if (exchange.every(({ held }) => held)) return [...protection, ...token, ...exchange];
  return [...protection, ...token, ...exchange, rule2];
}

const rule2: Looking = {
  condition: 'It has neither a valid token nor a valid nonce with right credentials, so it is challenged',
  held: true,
  rule: 2,
  requirements: ['challenge.status', 'challenge.nonce', 'challenge.www-authenticate', 'challenge.body'],
  otherwise: '',
};

function rule1({ auth, isPreflight }: Facts): Looking[] {
  const isOn = looking(
    1,
    'Authentication is switched on',
    auth === 'on',
    auth === 'on' ? ['protection.collections', 'protection.methods'] : ['off.served'],
    'authentication is switched off',
  );
  if (!isPreflight) return [isOn];
  return [looking(1, 'It is no CORS preflight', false, ['protection.preflight'], 'a CORS preflight is not protected')];
}

function rule4({ protocol, atMs, presented }: Facts): Looking[] {
  const { token, tokenExpiresAtMs: endMs } = presented;
  const isBrought = token !== 'none' && token !== 'issued';
  const span = endMs === undefined ? undefined : spanWords(Math.abs(endMs - atMs));
  const ended = endMs === atMs ? 'ends at this moment' : `ended ${span ?? 'some time'} before`;
  return [
    looking(4, `It carries a token in ${protocol.headers.token}`, isBrought, ['token.sufficient'], 'it carries no token'),
    looking(4, 'The token was issued here', token !== 'unknown', ['token.unknown-refused'], 'the token is unknown'),
    looking(
      4,
      'The token has not expired',
      token !== 'expired',
      token === 'expired' ? ['expiry.refused-after'] : ['expiry.valid-until'],
      `the token ${ended}`,
      span === undefined ? undefined : token === 'expired' ? `it ${ended}` : `${span} left`,
    ),
  ];
}

function rule3({ protocol, atMs, presented: { nonce, credentials }, nonce: seen, spentBy }: Facts): Looking[] {
  const { headers, challenge } = protocol;
  const ended = seen !== undefined && atMs >= seen.expiresAtMs ? `${spanWords(atMs - seen.expiresAtMs)} before` : 'before its time';
  const spender = spentBy === undefined ? '' : ` by exchange ${spentBy}`;
  return [
    looking(3, `It carries a nonce in ${headers.nonce}`, nonce !== 'none', ['exchange.nonce-needed'], 'it carries no nonce'),
    looking(3, 'The nonce was issued here', nonce !== 'unknown', ['exchange.wrong-nonce-refused'], 'the nonce is unknown'),
    looking(
      3,
      'The nonce has not been spent',
      nonce !== 'spent',
      ['challenge.nonce-single-use'],
      `the nonce was spent${spender}`,
      spender === '' ? undefined : `it was spent${spender}`,
    ),
    looking(
      3,
      'The nonce has not expired',
      nonce !== 'expired',
      ['challenge.nonce-lifetime'],
      'the nonce has expired',
      nonce === 'expired' ? `it ended ${ended}` : undefined,
    ),
    looking(
      3,
      `It carries credentials in ${headers.authorization}`,
      credentials !== 'none',
      ['exchange.credentials-needed'],
      'it carries no credentials',
    ),
    looking(
      3,
      `The credentials are well-formed ${challenge.scheme} credentials`,
      credentials !== 'malformed',
      ['exchange.malformed-credentials-refused'],
      'the credentials are malformed',
    ),
    looking(3, 'The id is that of a user', credentials !== 'unknown id', ['exchange.unknown-user-refused'], 'nobody has this id'),
    looking(
      3,
      'The paraphrase is that of the user',
      credentials !== 'wrong paraphrase',
      ['exchange.wrong-paraphrase-refused'],
      'the paraphrase is wrong',
    ),
  ];
}

function looking(
  rule: Rule,
  condition: string,
  held: boolean,
  requirements: readonly string[],
  otherwise: string,
  detail?: string,
): Looking {
  return { condition, held, ...(detail === undefined ? {} : { detail }), rule, requirements, otherwise };
}

function upToFailure(all: readonly Looking[]): readonly Looking[] {
  const failure = all.findIndex(({ held }) => !held);
  return failure < 0 ? all : all.slice(0, failure + 1);
}

/** Below a second in milliseconds, otherwise in whole seconds and larger. */
function spanWords(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : durationWords(Math.floor(ms / 1000) * 1000);
}
