import type { HeaderLine, PartsContext } from '../parts/index.js';
import type { IssuedNonce } from '../stores/index.js';
import { type Brought, broughtStates } from './brought.js';
import type { Presented, RecordedExchange, Step } from './exchange.js';
import type { Ledger } from './ledger.js';
import type { Noted } from './recorder.js';
import { conditionsOf, reasonOf } from './words.js';

const shownCharacters = 4096;
const redacted = '[redacted]';

/** What may be a token within a text. */
const word = /[A-Za-z0-9._~:-]{8,}/g;

/** What a description needs to know of the server. */
interface Knowledge extends Pick<PartsContext, 'spec' | 'guard' | 'nonce'> {
  readonly ledger: Ledger;
  /** What a nonce says of itself. */
  openNonce(text: string): IssuedNonce | undefined;
  /** The exchange before this one that spent the nonce. */
  spenderOf(nonce: string, before: number): number | undefined;
}

interface SeenNonce {
  readonly state: Presented['nonce'];
  readonly number?: number;
  readonly endsAtMs?: number;
  readonly spentBy?: number;
}

/** Puts the guard's reasons into words, and in place of every secret what it is. */
export function describer({ spec: { protocol }, guard, nonce: policy, ledger, openNonce, spenderOf }: Knowledge) {
  const { token, nonce, authorization } = protocol.headers;

  /** A text in which a token may stand where it does not belong, such as a query. */
  const textOf = (text: string) =>
    text.replace(word, (found) => {
      const known = ledger.token(found);
      return known === undefined ? found : `[token ${known.number}]`;
    });
  const numbered = (what: string, number: number | undefined, { length }: string) =>
    number === undefined ? `[unknown ${what}, ${length} characters]` : `[${what} ${number}]`;
  const forms = new Map<string, (value: string, brought: Brought | undefined) => string>([
    [token.toLowerCase(), (value) => numbered('token', ledger.token(value)?.number, value)],
    [nonce.toLowerCase(), (value) => numbered('nonce', openNonce(value)?.number, value)],
    [authorization.toLowerCase(), credentialsForm],
    ...['cookie', 'set-cookie', 'proxy-authorization'].map((name) => [name, () => redacted] as const),
  ]);
  const linesOf = (lines: readonly HeaderLine[], brought?: Brought) =>
    lines.map(([name, value]): HeaderLine => [name, forms.get(name.toLowerCase())?.(value, brought) ?? textOf(value)]);

  const lookAt = (text: string | undefined, { found, atMs, number: exchange }: Noted): SeenNonce => {
    if (text === undefined) return { state: 'none' };
    const { issuedAtMs, number } = openNonce(text) ?? {};
    if (issuedAtMs === undefined || number === undefined) return { state: found.nonce === true ? 'known' : 'unknown' };
    const endsAtMs = issuedAtMs + policy.lifetimeMs;
    if (found.nonce === true) return { state: 'known', number, endsAtMs };
    const spentBy = policy.singleUse ? spenderOf(text, exchange) : undefined;
    if (spentBy !== undefined) return { state: 'spent', number, endsAtMs, spentBy };
    const isOver = atMs >= endsAtMs || ledger.endedNonces.has(number);
    return { state: isOver ? 'expired' : found.nonce === false ? 'spent' : 'known', number, endsAtMs };
  };

  const tokenState = ({ found, brought, atMs }: Noted, isBrought: boolean, isIssued: boolean): Presented['token'] => {
    if (isIssued || !isBrought) return isIssued ? 'issued' : 'none';
    if (found.token === true) return 'valid';
    if (brought.token !== undefined && brought.token.record.expiresAtMs <= atMs) return 'expired';
    return brought.token !== undefined && found.token === undefined ? 'valid' : 'unknown';
  };

  return (noted: Noted): RecordedExchange => {
    const { number, atMs, wallMs, tookMs, connection, method, answer, brought, found, user } = noted;
    const sent = pairs(noted.rawHeaders);
    const issued = valueIn(answer.headers, token);
    const known = issued === undefined ? brought.token : ledger.token(issued);
    const seen = lookAt(valueIn(sent, nonce), noted);
    const owner = known?.record.user ?? brought.user ?? user;
    const presented: Presented = {
      nonce: seen.state,
      ...(seen.number !== undefined && { nonceNumber: seen.number }),
      credentials: credentialsState(noted),
      token: tokenState(noted, valueIn(sent, token) !== undefined, issued !== undefined),
      ...(known && { tokenNumber: known.number, tokenIssuedAtMs: known.record.issuedAtMs, tokenExpiresAtMs: known.record.expiresAtMs }),
      ...(owner !== undefined && { user: owner }),
    };
    const facts = {
      protocol,
      atMs,
      tokens: guard.tokens,
      found,
      presented,
      nonceEndsAtMs: seen.endsAtMs,
      spentBy: seen.spentBy,
    };
    const { trouble } = noted.on;
    const isUnseen = trouble?.status !== undefined; // answered in place of the server
    const because = isUnseen ? [] : conditionsOf(facts);
    const isChallenge = answer.status === protocol.challenge.status || valueIn(answer.headers, nonce) !== undefined;
    // What was asked for, because nobody looked whether it gets there.
    const step = isUnseen ? broughtStates[brought.state] : stepOf(noted, presented, isChallenge);
    return {
      number,
      atMs,
      wallMs,
      tookMs,
      connection,
      method,
      target: textOf(noted.target),
      headers: linesOf(sent, brought),
      status: answer.status,
      answerHeaders: linesOf(answer.headers),
      body: textOf(answer.body.toString('utf8', 0, shownCharacters * 4).slice(0, shownCharacters)),
      bodyOctets: answer.body.length,
      step,
      rule: because.at(-1)?.rule ?? 1,
      reason: reasonOf(facts, because, { step, status: answer.status, on: noted.on }),
      presented,
      because: because.map(({ otherwise: _, ...condition }) => condition),
      ...noted.on,
    };
  };
}

function credentialsState({ found, brought: { named } }: Noted): Presented['credentials'] {
  if (named === undefined) return 'none';
  if (named === 'malformed' || found.credentials === 'malformed') return 'malformed';
  if (found.credentials === 'right') return 'right';
  if (named === 'nobody') return 'unknown id';
  return found.credentials === 'wrong' ? 'wrong paraphrase' : 'unchecked';
}

function credentialsForm(value: string, brought: Brought | undefined): string {
  const scheme = /^[A-Za-z]{1,16}(?= )/.exec(value)?.[0] ?? '';
  const named = brought?.named ?? 'malformed';
  const form = typeof named === 'number' ? `[credentials of user ${named}]` : `[${named === 'nobody' ? 'unknown id' : named} credentials]`;
  return `${scheme} ${form}`.trimStart();
}

function stepOf({ answer, user, found, brought }: Noted, { token, nonce }: Presented, isChallenge: boolean): Step {
  if (token === 'issued') return 'B';
  if (found.open === 'preflight') return 'other';
  if (user !== undefined) return token === 'none' ? 'other' : 'C';
  if (answer.status < 400 || answer.status >= 500) return 'other';
  if (token !== 'none' || nonce !== 'none' || brought.named !== undefined) return 'refused';
  return isChallenge ? 'A' : 'other';
}

function pairs(raw: readonly string[]): HeaderLine[] {
  return Array.from({ length: raw.length >> 1 }, (_, index) => [raw[index * 2] as string, raw[index * 2 + 1] as string]);
}

/** Lines of one name are one value, as Node.js joins them. */
function valueIn(lines: readonly HeaderLine[], name: string): string | undefined {
  const found = lines.filter(([each]) => each.toLowerCase() === name.toLowerCase());
  return found.length === 0 ? undefined : found.map(([, value]) => value).join(', ');
}
