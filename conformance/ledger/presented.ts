import type { Protocol } from '../../spec/index.js';
import type { User } from '../options.js';
import type { RequestPlan } from '../wire/index.js';

/** What the credentials of a request are, held against the users that the judge was told of. */
export type Credentials =
  | { readonly kind: 'right'; readonly user: User }
  | { readonly kind: 'wrong'; readonly mistake: 'paraphrase' | 'id' | 'form'; readonly account?: User }
  /** The same integer or base64 in another spelling, another letter case of the scheme, or an account that may exist unknown to the judge. */
  | { readonly kind: 'open' };

/** The account that they name. */
export function accountOf(credentials: Credentials | undefined): User | undefined {
  if (credentials?.kind === 'right') return credentials.user;
  return credentials?.kind === 'wrong' ? credentials.account : undefined;
}

/** What a request brings, read from its header lines. Where a line is repeated, nobody can say which one counts. */
export interface Presented {
  readonly token?: string;
  readonly nonce?: string;
  readonly credentials?: Credentials;
  readonly repeated: boolean;
}

export function presentedBy({ headers }: Pick<RequestPlan, 'headers'>, protocol: Protocol, users: readonly User[]): Presented {
  const lines = (name: string) => headers.filter(([each]) => each.toLowerCase() === name.toLowerCase()).map(([, value]) => value.trim());
  const tokens = lines(protocol.headers.token);
  const nonces = lines(protocol.headers.nonce);
  const authorizations = lines(protocol.headers.authorization);
  const [token] = tokens;
  const [nonce] = nonces;
  const [authorization] = authorizations;
  return {
    ...(token === undefined ? {} : { token }),
    ...(nonce === undefined ? {} : { nonce }),
    ...(authorization === undefined ? {} : { credentials: credentialsOf(authorization, protocol.challenge.scheme, users) }),
    repeated: tokens.length > 1 || nonces.length > 1 || authorizations.length > 1,
  };
}

/** Ids beyond this are taken to name nobody; a smaller one may be a user whom the judge was not told of. */
const farId = 1_000_000;

function credentialsOf(authorization: string, scheme: string, users: readonly User[]): Credentials {
  const [, written, encoded] = /^([^ ]+) +(.+)$/.exec(authorization) ?? [];
  if (written === undefined || encoded === undefined || written.toLowerCase() !== scheme.toLowerCase())
    return { kind: 'wrong', mistake: 'form' };
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded))
    return isLooselyRight(encoded, users) ? { kind: 'open' } : { kind: 'wrong', mistake: 'form' };
  const octets = Buffer.from(encoded, 'base64');
  const text = octets.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return { kind: 'wrong', mistake: 'form' };
  const id = text.slice(0, colon);
  const paraphrase = text.slice(colon + 1);
  const account = users.find((user) => user.id === id);
  if (account !== undefined) {
    if (account.paraphrase === paraphrase) return written === scheme ? { kind: 'right', user: account } : { kind: 'open' };
    return isSameText(account.paraphrase, paraphrase, octets) ? { kind: 'open' } : { kind: 'wrong', mistake: 'paraphrase', account };
  }
  const number = Number(id);
  if (id.trim() !== '' && users.some((user) => Number(user.id) === number)) return { kind: 'open' };
  return /^-?[0-9]+$/.test(id) && Math.abs(number) < farId ? { kind: 'open' } : { kind: 'wrong', mistake: 'id' };
}

/** Right credentials, apart from characters that base64 does not have. A row of its own tells of these. */
function isLooselyRight(encoded: string, users: readonly User[]): boolean {
  const text = Buffer.from(encoded.replace(/[^A-Za-z0-9+/]/g, ''), 'base64').toString('utf8');
  return users.some(({ id, paraphrase }) => text === `${id}:${paraphrase}`);
}

/** Another encoding or normal form of the right paraphrase is open to argument. */
function isSameText(right: string, sent: string, octets: Buffer): boolean {
  const inLatin1 = octets.toString('latin1');
  return sent.normalize('NFC') === right.normalize('NFC') || inLatin1.slice(inLatin1.indexOf(':') + 1) === right;
}
