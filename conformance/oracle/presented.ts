import type { Protocol } from '../../spec/index.js';
import type { User } from '../options.js';
import { headerValues, type RequestPlan } from '../wire/index.js';

/** What the credentials of a request are, held against the users that the judge was told of. */
export type Credentials =
  | { readonly kind: 'right'; readonly user: User; readonly spelling?: undefined }
  | { readonly kind: 'wrong'; readonly mistake: 'paraphrase' | 'id' | 'form'; readonly account?: User }
  /** The right ones, written otherwise: another spelling of the integer, characters that base64 does not have, another letter case of the scheme. */
  | { readonly kind: 'right'; readonly user: User; readonly spelling: Spelling }
  /** Another encoding of the paraphrase, or an account that may exist unknown to the judge. */
  | { readonly kind: 'open' };

export type Spelling = 'id' | 'base64' | 'scheme';

/** The account that they name. */
export function accountOf(credentials: Credentials | undefined): User | undefined {
  if (credentials?.kind === 'right') return credentials.user;
  return credentials?.kind === 'wrong' ? credentials.account : undefined;
}

/** Whether a refusal of them is right. */
export function areWrong(credentials: Credentials): boolean {
  return (
    credentials.kind === 'wrong' || (credentials.kind === 'right' && (credentials.spelling === 'id' || credentials.spelling === 'base64'))
  );
}

/** What a request brings, read from its header lines. Where a line is repeated, nobody can say which one counts. */
export interface Presented {
  readonly token?: string;
  readonly nonce?: string;
  readonly credentials?: Credentials;
  readonly repeated: boolean;
}

export function presentedBy({ headers }: Pick<RequestPlan, 'headers'>, protocol: Protocol, users: readonly User[]): Presented {
  const lines = (name: string) => headerValues({ headers }, name).map((value) => value.trim());
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

/** Whether a header carries nonce, token or credentials. */
export function isOfProtocol(name: string, { headers: { nonce, token, authorization } }: Protocol): boolean {
  return [nonce, token, authorization].some((each) => each.toLowerCase() === name.toLowerCase());
}

const mistakeWords = { paraphrase: 'a wrong paraphrase', id: 'an unknown id', form: 'malformed credentials' } as const;

export function presentedWords({ headers }: Pick<RequestPlan, 'headers'>, presented: Presented, protocol: Protocol): string {
  const { token, nonce, credentials } = presented;
  const written = headers.find(([name]) => name.toLowerCase() === protocol.headers.authorization.toLowerCase())?.[1] ?? '';
  const scheme = written.split(' ')[0] ?? '';
  if (credentials?.kind === 'wrong' && credentials.mistake === 'form') {
    const isOther = /^[A-Za-z]+$/.test(scheme) && scheme.toLowerCase() !== protocol.challenge.scheme.toLowerCase() && written.includes(' ');
    return isOther ? `credentials of the scheme ${scheme}` : `${mistakeWords.form}${oddities(written)}`;
  }
  if (credentials !== undefined)
    return credentials.kind === 'wrong' ? mistakeWords[credentials.mistake] : `a nonce${oddities(nonce ?? '')}`;
  return token === undefined ? `a nonce${oddities(nonce ?? '')}` : `a token${oddities(token)}`;
}

/** What about a text often leads to errors. */
function oddities(text: string): string {
  if (text === '') return ' that is empty';
  if (/[^ -~]/.test(text)) return ' with an octet outside ASCII';
  return text.length > 200 ? ' of many characters' : '';
}

/** Ids beyond this are taken to name nobody; a smaller one may be a user whom the judge was not told of, with a paraphrase that somebody else has, too. */
const farId = 1_000_000;

function credentialsOf(authorization: string, scheme: string, users: readonly User[]): Credentials {
  const [, written, encoded] = /^([^ ]+) +(.+)$/.exec(authorization) ?? [];
  if (written === undefined || encoded === undefined || written.toLowerCase() !== scheme.toLowerCase())
    return { kind: 'wrong', mistake: 'form' };
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    const user = looselyNamed(encoded, users);
    return user === undefined ? { kind: 'wrong', mistake: 'form' } : { kind: 'right', user, spelling: 'base64' };
  }
  const octets = Buffer.from(encoded, 'base64');
  const text = octets.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return { kind: 'wrong', mistake: 'form' };
  const id = text.slice(0, colon);
  const paraphrase = text.slice(colon + 1);
  const account = users.find((user) => user.id === id);
  if (account !== undefined) {
    if (account.paraphrase === paraphrase) return { kind: 'right', user: account, ...(written === scheme ? {} : { spelling: 'scheme' }) };
    return isSameText(account.paraphrase, paraphrase, octets) ? { kind: 'open' } : { kind: 'wrong', mistake: 'paraphrase', account };
  }
  const number = Number(id);
  const same = id.trim() === '' ? undefined : users.find((user) => Number(user.id) === number);
  if (same !== undefined)
    return same.paraphrase === paraphrase
      ? { kind: 'right', user: same, spelling: 'id' }
      : { kind: 'wrong', mistake: 'paraphrase', account: same };
  const mayBeAnothers = /^[0-9]+$/.test(id) && number < farId && users.some((user) => user.paraphrase === paraphrase);
  return mayBeAnothers ? { kind: 'open' } : { kind: 'wrong', mistake: 'id' };
}

/** Right credentials, apart from characters that base64 does not have. A row of its own tells of these. */
function looselyNamed(encoded: string, users: readonly User[]): User | undefined {
  const text = Buffer.from(encoded.replace(/[^A-Za-z0-9+/]/g, ''), 'base64').toString('utf8');
  return users.find(({ id, paraphrase }) => text === `${id}:${paraphrase}`);
}

/** Another encoding or normal form of the right paraphrase is open to argument. */
function isSameText(right: string, sent: string, octets: Buffer): boolean {
  const inLatin1 = octets.toString('latin1');
  return sent.normalize('NFC') === right.normalize('NFC') || inLatin1.slice(inLatin1.indexOf(':') + 1) === right;
}
