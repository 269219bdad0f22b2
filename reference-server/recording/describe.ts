import { durationWords, type Protocol } from '../../spec/index.js';
import type { Condition, PresentedStates, RecordedExchange, Step, SwitchedOn } from '../contract.js';
import { errorMessage, httpStatus } from '../http.js';
import type { Answer, HeaderLine, Incoming, PartsContext } from '../parts/index.js';
import type { IssuedNonce } from '../stores/index.js';
import { type Brought, broughtStates, type Ledger } from './ledger.js';

/** An exchange as it is kept: what was seen, for nobody may ever want it described. */
export interface Noted
  extends Pick<RecordedExchange, 'number' | 'atMs' | 'wallMs' | 'tookMs' | 'connection' | 'method' | 'target'>,
    Pick<Incoming, 'rawHeaders' | 'user' | 'found'> {
  readonly answer: Answer;
  readonly on: SwitchedOn;
  readonly brought: Brought;
}

/** What an answer rests on: what the guard found, and what is known of the things that it looked at. */
interface Facts extends Noted {
  readonly protocol: Protocol;
  readonly tokens: 'on' | 'off';
  readonly presented: PresentedStates;
  readonly nonce: {
    readonly state: PresentedStates['nonce'];
    readonly number?: number;
    readonly endsAtMs?: number;
    readonly spentBy?: number;
  };
}

const shownCharacters = 4096;

/** Puts the guard's reasons into words, and in place of every secret what it is. */
export function describer(
  { spec: { protocol }, guard, nonce: policy }: PartsContext,
  ledger: Ledger,
  openNonce: (text: string) => IssuedNonce | undefined,
  spenderOf: (nonce: string, before: number) => number | undefined,
) {
  const { token, nonce, authorization } = protocol.headers;

  const numbered = (what: string, number: number | undefined, { length }: string) =>
    number === undefined ? `[unknown ${what}, ${length} characters]` : `[${what} ${number}]`;
  const forms = new Map<string, (value: string, brought: Brought | undefined) => string>([
    [token.toLowerCase(), (value) => numbered('token', ledger.token(value)?.number, value)],
    [nonce.toLowerCase(), (value) => numbered('nonce', openNonce(value)?.number, value)],
    [authorization.toLowerCase(), credentialsForm],
    ...['cookie', 'set-cookie'].map((name) => [name, () => '[redacted]'] as const),
  ]);
  /** A proxy may hand credentials on under another name: Proxy-Authorization, X-Forwarded-Authorization. */
  const isHandedOn = (lower: string) => [...forms.keys()].some((name) => lower.endsWith(`-${name}`));
  const linesOf = (lines: readonly HeaderLine[], brought?: Brought) =>
    lines.map(([name, value]): HeaderLine => {
      const lower = name.toLowerCase();
      const form = forms.get(lower)?.(value, brought);
      return [name, form ?? (isHandedOn(lower) ? '[redacted]' : ledger.shown(value))];
    });

  const lookAt = (text: string | undefined, { found, atMs, number: exchange }: Noted): Facts['nonce'] => {
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

  return (noted: Noted): RecordedExchange => {
    const { answer, brought, user, on, found: _, rawHeaders: __, ...seen } = noted;
    const sent = pairs(noted.rawHeaders);
    const issued = valueIn(answer.headers, token);
    const known = issued === undefined ? brought.token : ledger.token(issued);
    const nonceSeen = lookAt(valueIn(sent, nonce), noted);
    const owner = known?.record.user ?? brought.user ?? user;
    const presented: PresentedStates = {
      nonce: nonceSeen.state,
      ...(nonceSeen.number !== undefined && { nonceNumber: nonceSeen.number }),
      credentials: credentialsState(noted),
      token: issued === undefined ? tokenState(noted, valueIn(sent, token) !== undefined) : 'issued',
      ...(known && { tokenNumber: known.number, tokenIssuedAtMs: known.record.issuedAtMs, tokenExpiresAtMs: known.record.expiresAtMs }),
      ...(owner !== undefined && { user: owner }),
    };
    const facts: Facts = { ...noted, protocol, tokens: guard.tokens, presented, nonce: nonceSeen };
    const isUnseen = on.trouble?.status !== undefined; // answered in place of the server
    const because = isUnseen ? [] : conditionsOf(facts);
    const isChallenge = answer.status === protocol.challenge.status || valueIn(answer.headers, nonce) !== undefined;
    // What was asked for, because nobody looked whether it gets there.
    const step = isUnseen ? broughtStates[brought.state] : stepOf(facts, isChallenge);
    return {
      ...seen,
      target: ledger.shown(noted.target),
      headers: linesOf(sent, brought),
      status: answer.status,
      answerHeaders: linesOf(answer.headers),
      body: ledger.shown(answer.body.toString('utf8', 0, shownCharacters * 4).slice(0, shownCharacters)),
      bodyOctets: answer.body.length,
      step,
      rule: because.at(-1)?.rule ?? 1,
      reason: reasonOf(facts, because, step),
      presented,
      because: because.map(({ otherwise: _, ...condition }) => condition),
      ...on,
    };
  };
}

function tokenState({ found, brought, atMs }: Noted, isBrought: boolean): PresentedStates['token'] {
  if (!isBrought) return 'none';
  if (found.token === true) return 'valid';
  if (brought.token !== undefined && brought.token.record.expiresAtMs <= atMs) return 'expired';
  return brought.token !== undefined && found.token === undefined ? 'valid' : 'unknown';
}

function credentialsState({ found, brought: { named } }: Noted): PresentedStates['credentials'] {
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

function stepOf({ answer, user, found, brought, presented: { token, nonce } }: Facts, isChallenge: boolean): Step {
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

/** A condition, and what is wrong when it does not hold. */
type Looked = Condition & { readonly otherwise: string };
type Rule = Condition['rule'];

function look(rule: Rule, condition: string, held: boolean, requirements: string, otherwise: string, detail?: string): Looked {
  return { condition, held, ...(detail === undefined ? {} : { detail }), rule, requirements: requirements.split(' '), otherwise };
}

/** Rules 1 to 4 as conditions, in the order in which the guard looks: it stops where one does not hold, or all of a rule do. */
function conditionsOf(facts: Facts): readonly Looked[] {
  const { open } = facts.found;
  if (open === 'preflight') return [look(1, 'It is no CORS preflight', false, 'protection.preflight', 'a CORS preflight is not protected')];
  if (open === 'off') return [look(1, 'Authentication is switched on', false, 'off.served', 'authentication is switched off')];
  const all = [look(1, 'Authentication is switched on', true, 'protection.collections protection.methods', '')];
  for (const rows of [tokenRows(facts), exchangeRows(facts)]) {
    const failure = rows.findIndex(({ held }) => !held);
    if (failure < 0) return [...all, ...rows];
    all.push(...rows.slice(0, failure + 1));
  }
  const challenge = 'challenge.status challenge.nonce challenge.www-authenticate challenge.body';
  return [
    ...all,
    look(2, 'It has neither a valid token nor a valid nonce with right credentials, so it is challenged', true, challenge, ''),
  ];
}

function tokenRows({ protocol, atMs, presented: { token, tokenExpiresAtMs: endMs } }: Facts): readonly Looked[] {
  const span = endMs === undefined ? undefined : spanWords(Math.abs(endMs - atMs));
  const ended = endMs === atMs ? 'ends at this moment' : `ended ${span ?? 'some time'} before`;
  const [id, detail] = token === 'expired' ? ['expiry.refused-after', `it ${ended}`] : ['expiry.valid-until', `${span} left`];
  const isBrought = token !== 'none' && token !== 'issued';
  return [
    look(4, `It carries a token in ${protocol.headers.token}`, isBrought, 'token.sufficient', 'it carries no token'),
    look(4, 'The token was issued here', token !== 'unknown', 'token.unknown-refused', 'the token is unknown'),
    look(4, 'The token has not expired', token !== 'expired', id, `the token ${ended}`, span === undefined ? undefined : detail),
  ];
}

function exchangeRows({
  protocol,
  atMs,
  presented: { nonce, credentials },
  nonce: { endsAtMs: endMs, spentBy },
}: Facts): readonly Looked[] {
  const { headers, challenge } = protocol;
  const wellFormed = `The credentials are well-formed ${challenge.scheme} credentials`;
  const brings = `It carries credentials in ${headers.authorization}`;
  const spender = spentBy === undefined ? '' : ` by exchange ${spentBy}`;
  const spent = spender === '' ? undefined : `it was spent${spender}`;
  const ended = endMs !== undefined && atMs >= endMs ? `${spanWords(atMs - endMs)} before` : 'before its time';
  const wrong = credentials === 'unchecked' ? 'the credentials were not checked' : 'the paraphrase is wrong';
  const over = nonce === 'expired' ? `it ended ${ended}` : undefined;
  return [
    look(3, `It carries a nonce in ${headers.nonce}`, nonce !== 'none', 'exchange.nonce-needed', 'it carries no nonce'),
    look(3, 'The nonce was issued here', nonce !== 'unknown', 'exchange.wrong-nonce-refused', 'the nonce is unknown'),
    look(3, 'The nonce has not been spent', nonce !== 'spent', 'challenge.nonce-single-use', `the nonce was spent${spender}`, spent),
    look(3, 'The nonce has not expired', nonce !== 'expired', 'challenge.nonce-lifetime', 'the nonce has expired', over),
    look(3, brings, credentials !== 'none', 'exchange.credentials-needed', 'it carries no credentials'),
    look(3, wellFormed, credentials !== 'malformed', 'exchange.malformed-credentials-refused', 'the credentials are malformed'),
    look(3, 'The id is that of a user', credentials !== 'unknown id', 'exchange.unknown-user-refused', 'nobody has this id'),
    look(3, 'The paraphrase is that of the user', credentials === 'right', 'exchange.wrong-paraphrase-refused', wrong),
  ];
}

/** Below a second in milliseconds, otherwise in whole seconds and larger. */
function spanWords(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : durationWords(Math.floor(ms / 1000) * 1000);
}

/** Why it was answered so, in a sentence: by the rule, by trouble on demand, or by what was switched on. */
function reasonOf(facts: Facts, because: readonly Looked[], step: Step): string {
  const { on, answer } = facts;
  const trouble = on.trouble === undefined ? '' : `Trouble on demand: ${on.trouble.sentence}. `;
  const rule = because.at(-1)?.rule;
  if (rule === undefined) return trouble.trimEnd();
  if (answer.status >= 500) return `${trouble}${errorMessage(answer.status)}.`;
  if (askedFor(facts, rule) === step) return `${trouble}${wordsOf(facts, because, rule, answer.status)}`;
  const switched = [...on.faults.map((id) => `the fault ${id}`), ...on.variants.map((id) => `the variant ${id}`)].join(' and ');
  const by = switched === '' ? 'A changed part' : `T${switched.slice(1)}`;
  return `${trouble}${by} answered otherwise. By rule ${rule}: ${wordsOf(facts, because, rule, httpStatus.ok)}`;
}

function askedFor({ presented, tokens }: Facts, rule: Rule): Step {
  if (rule === 4) return 'C';
  if (rule === 3) return tokens === 'on' ? 'B' : 'other';
  if (rule === 1) return 'other';
  return isEmpty(presented) ? 'A' : 'refused';
}

function wordsOf({ presented, tokens }: Facts, because: readonly Looked[], rule: Rule, status: number): string {
  const whose = presented.user === undefined ? '' : ` of user ${presented.user}`;
  const failures = because.filter(({ held }) => !held);
  if (rule === 1) return `Not protected: ${failures[0]?.otherwise}.`;
  const refusal = errorMessage(status);
  const served = status < 300 ? 'Served' : `Let in${status < 400 ? '' : `, but ${refusal.charAt(0).toLowerCase()}${refusal.slice(1)}`}`;
  if (rule === 3) return `${tokens === 'on' ? 'A token is given' : served}: nonce and credentials${whose} are good.`;
  if (rule === 4) {
    const left = because.at(-1)?.detail;
    return `${served}: the token${whose} is valid${left === undefined ? '' : `, ${left}`}.`;
  }
  if (isEmpty(presented)) return 'Challenged: it carries neither a token nor a nonce with credentials.';
  // What was not brought at all matters only beside its other half.
  const isMeant = (failure: Looked) =>
    failure.rule === 4 ? presented.token !== 'none' : presented.nonce !== 'none' || presented.credentials !== 'none';
  const said = failures.filter(isMeant).map(({ otherwise }) => otherwise);
  return `Refused: ${said.join(', and ')}.`;
}

function isEmpty({ nonce, credentials, token }: PresentedStates): boolean {
  return nonce === 'none' && credentials === 'none' && token === 'none';
}
