import type { Protocol } from '../../spec/index.js';
import { SecretIndex } from '../evidence/index.js';
import { nonceOf, tokenOf } from '../expect/index.js';
import { weightOf } from '../recording/index.js';
import { type Answer, type Chain, type ClockMove, type Exchange, headerValues, type RequestPlan } from '../wire/index.js';

/** A request as it arrived, whole. */
export type Received = Pick<RequestPlan, 'method' | 'target' | 'headers'> & { readonly body: Buffer };

/** A request that came, and how it was answered. The counts put arrivals and answers into one order. */
export interface LoggedRequest {
  readonly at: 'service' | 'elsewhere';
  readonly origin: string;
  readonly received: Received;
  readonly arrived: number;
  readonly arrivedAtMs: number;
  /** How far the service's clock had been moved when it arrived. */
  readonly clockMs: number;
  answered?: number;
  answeredAtMs?: number;
  answer?: Answer;
  /** Both as one, when it was answered: once for each, so that whoever meets it again knows it. */
  exchange?: Exchange;
}

/** So many octets are kept of heads, and as many of bodies, which are shown beside what a client did wrong. */
const mostKept = 32 * 1024 * 1024;
const noBody = Buffer.alloc(0);

/** All requests of one scenario, or of the time in which a client was watched. */
export class Log {
  readonly requests: LoggedRequest[] = [];
  /** More requests came than a client in its right mind sends; the rest is not answered. */
  overrun = false;
  private readonly moves: (ClockMove & { readonly at: number })[] = [];
  private count = 0;
  private clockMs = 0;
  private heads = 0;
  private bodies = 0;

  constructor(private readonly limit: number) {}

  /** Undefined when there were too many already. */
  arrive(at: LoggedRequest['at'], origin: string, received: Received, arrivedAtMs = performance.now()): LoggedRequest | undefined {
    if (this.requests.length >= this.limit || this.heads > mostKept) {
      this.overrun = true;
      return undefined;
    }
    this.heads += weightOf(received);
    const logged = { at, origin, received, arrived: this.count++, arrivedAtMs, clockMs: this.clockMs };
    this.requests.push(logged);
    return logged;
  }

  answer(logged: LoggedRequest | undefined, answer: Answer, answeredAtMs = performance.now()): void {
    if (logged === undefined) return;
    this.heads += weightOf(answer);
    Object.assign(logged, { answer, answered: this.count++, answeredAtMs });
  }

  /** When all of both has come. */
  complete(logged: LoggedRequest | undefined, answer = logged?.answer): void {
    if (logged === undefined || answer === undefined) return;
    const { received } = logged;
    this.bodies += received.body.length + answer.body.length;
    const isKept = this.bodies <= mostKept;
    Object.assign(logged, isKept ? { answer } : { answer: { ...answer, body: noBody }, received: { ...received, body: noBody } });
  }

  move(advancedMs: number): void {
    this.clockMs += advancedMs;
    this.moves.push({ advancedMs, at: this.count++ });
  }

  /** The last exchanges up to this one, with the moves of the clock among them. */
  chainTo(last: LoggedRequest | undefined, most = 12): Chain {
    const end = last?.answered ?? last?.arrived ?? this.count;
    const shown = this.requests.filter(({ arrived }) => arrived <= end).slice(-most);
    const begin = shown[0]?.arrived ?? 0;
    const links = [
      ...shown.map((each) => ({ at: each.arrived, link: exchangeOf(each) })),
      ...this.moves.filter(({ at }) => at > begin && at < end).map(({ at, advancedMs }) => ({ at, link: { advancedMs } })),
    ];
    return links.sort((one, other) => one.at - other.at).map(({ link }) => link);
  }
}

/** A request as it is shown and recorded. */
export function planOf({ method, target, headers, body }: Received): RequestPlan {
  return { method, target, headers, ...(body.length === 0 ? {} : { body: body.toString('utf8') }) };
}

/** With its whole address, because a client may go to several origins. */
function exchangeOf(logged: LoggedRequest): Exchange {
  const { origin, received, arrivedAtMs, answeredAtMs = arrivedAtMs, answer } = logged;
  const request = { ...planOf(received), target: `${origin}${received.target}` };
  const made = { request, ...(answer && { answer }), sentAtMs: arrivedAtMs, durationMs: answeredAtMs - arrivedAtMs };
  if (answer !== undefined) logged.exchange ??= made;
  return logged.exchange ?? made;
}

export interface GivenToken {
  readonly value: string;
  /** When the answer came that gave it, among all arrivals and answers. */
  readonly order: number;
  /** Step B gave it; another answer may give one, too. */
  readonly byExchange: boolean;
  readonly issuedAtMs: number;
  /** By the service's own Date. */
  readonly issuedOn: number;
  refused: boolean;
}

/** A request as the protocol reads it, with what was known when it arrived. */
export interface Act {
  readonly logged: LoggedRequest;
  /** What it carries, undefined where the header is not there or empty. */
  readonly nonce: string | undefined;
  readonly authorization: string | undefined;
  readonly token: string | undefined;
  /** The nonce it carries, where the service had given it: by which request, and whether it opened already. */
  readonly givenNonce: { readonly by: LoggedRequest; spent: boolean } | undefined;
  readonly nonceWasSpent: boolean;
  /** The token it carries, where the service had given it. */
  readonly givenToken: GivenToken | undefined;
  readonly tokenWasRefused: boolean;
  /** The newest token, where it was neither refused nor near its end when the request arrived. */
  live: GivenToken | undefined;
  /** A challenge at this address had not been answered yet. */
  readonly asked: boolean;
  readonly wasGivenNonce: boolean;
  readonly alone: boolean;
  /** What came of it; undefined: no answer. */
  became?: 'challenge' | 'exchange' | 'served' | 'refusal' | 'other';
}

/** Of its life a token is surely live for so much; a client may renew it a little early. */
const surely = 0.9;
const refusals = [403, 419];

/** Reads what came to the service, in the order of arrival, and the tokens that it gave, in the order of issue. */
function readActs(requests: readonly LoggedRequest[], protocol: Protocol) {
  const { headers, challenge, token: rules } = protocol;
  const nonces = new Map<string, NonNullable<Act['givenNonce']>>();
  const tokens: GivenToken[] = [];
  const acts = new Map<LoggedRequest, Act>();
  /** By address: how many challenges wait for an answer, and whether the last of them gave a nonce. */
  const challenges = new Map<string, { readonly open: number; readonly gaveNonce: boolean }>();
  const challengesAt = ({ received }: LoggedRequest) => challenges.get(received.target) ?? { open: 0, gaveNonce: true };
  const dateIn = (came: Answer) => Date.parse(headerValues(came, headers.date)[0] ?? '');
  /** On the service's clock, which goes on by itself and is moved besides. */
  const now = ({ clockMs, arrivedAtMs }: LoggedRequest) => clockMs + arrivedAtMs;
  let underWay = 0;

  const arrive = (each: LoggedRequest) => {
    const value = (name: string) => headerValues(each.received, name).join(', ') || undefined;
    const [nonce, token, authorization] = [value(headers.nonce), value(headers.token), value(headers.authorization)];
    const givenNonce = nonces.get(nonce ?? '');
    const givenToken = tokens.find((given) => given.value === token);
    const newest = tokens.at(-1);
    const isLive = newest !== undefined && !newest.refused && now(each) - newest.issuedAtMs < rules.lifetimeMs * surely;
    const { open, gaveNonce } = challengesAt(each);
    if (authorization !== undefined || nonce !== undefined)
      challenges.set(each.received.target, { open: Math.max(0, open - 1), gaveNonce });
    acts.set(each, {
      ...{ logged: each, nonce, authorization, token, givenNonce, givenToken },
      nonceWasSpent: givenNonce?.spent ?? false,
      tokenWasRefused: givenToken?.refused ?? false,
      live: isLive ? newest : undefined,
      ...{ asked: open > 0, wasGivenNonce: gaveNonce, alone: underWay === 0 },
    });
    underWay += 1;
  };

  const answer = (each: LoggedRequest, came: Answer, order: number) => {
    const act = acts.get(each) as Act;
    const { status } = came;
    const [nonce, token] = [nonceOf(came, protocol), tokenOf(came, protocol)];
    const byExchange = isLogin(act) && token !== undefined && status < 300;
    if (nonce !== undefined) nonces.set(nonce, { by: each, spent: false });
    if (token !== undefined)
      tokens.push({ value: token, order, byExchange, issuedAtMs: now(each), issuedOn: dateIn(came), refused: false });
    // A clock that was moved shows in the answer.
    if (act.live !== undefined && dateIn(came) - act.live.issuedOn >= rules.lifetimeMs * surely) act.live = undefined;
    if (byExchange) act.became = 'exchange';
    else if (status === challenge.status) act.became = 'challenge';
    else if (status >= 200 && status < 300) act.became = 'served';
    else act.became = refusals.includes(status) ? 'refusal' : 'other';
    if (byExchange && act.givenNonce !== undefined) act.givenNonce.spent = true;
    if ((act.became === 'challenge' || act.became === 'refusal') && act.givenToken !== undefined) act.givenToken.refused = true;
    if (act.became === 'challenge')
      challenges.set(each.received.target, { open: challengesAt(each).open + 1, gaveNonce: nonce !== undefined });
    underWay -= 1;
  };

  const events = requests.flatMap((each) => {
    const { arrived, answered, answer: came } = each;
    const arrival = { at: arrived, take: () => arrive(each) };
    return came === undefined || answered === undefined ? [arrival] : [arrival, { at: answered, take: () => answer(each, came, answered) }];
  });
  for (const { take } of events.sort((one, other) => one.at - other.at)) take();
  return { acts: [...acts.values()] as readonly Act[], tokens: tokens as readonly GivenToken[], nonces: [...nonces.keys()] };
}

/** Carries the live token, so that whatever stands beside it is not needed. */
export function bringsLiveToken({ live, givenToken }: Act): boolean {
  return live !== undefined && givenToken === live;
}

export function isLogin({ nonce, authorization }: Pick<Act, 'nonce' | 'authorization'>): boolean {
  return nonce !== undefined && authorization !== undefined;
}

/** Where a request goes. A query that a client adds to some requests is its own affair. */
export const pathOf = ({ received }: LoggedRequest) => received.target.split('?')[0];

export function wholeText({ received: { target, headers, body } }: LoggedRequest): string {
  return [target, ...headers.map(([name, value]) => `${name}: ${value}`), body.toString('utf8')].join('\n');
}

/** A shorter paraphrase may stand in a text by chance. */
const leastCharacters = 8;

/** Whom a client was told to be, or was seen to be. */
export interface ClientUser {
  readonly id: number | string;
  readonly paraphrase: string;
}

/** What must not be seen by others: paraphrases, the credentials made of them, and tokens. */
export function secretsOf(users: readonly ClientUser[], tokens: readonly GivenToken[]) {
  const base64 = (encoding: 'utf8' | 'latin1') =>
    users.map(({ id, paraphrase }) => Buffer.from(`${id}:${paraphrase}`, encoding).toString('base64').replace(/=+$/, ''));
  const all = Object.entries({
    paraphrase: users.map(({ paraphrase }) => paraphrase),
    credentials: [...base64('utf8'), ...base64('latin1')],
    token: tokens.map(({ value }) => value),
  }).flatMap(([name, texts]) => texts.filter((text) => text.length >= leastCharacters).map((text) => ({ name, text })));
  const index = new SecretIndex();
  for (const { name, text } of all) index.add(text, name);
  /** The name of a secret that stands in a text, as it is, escaped or coded: paraphrase, credentials, token. */
  const find = (text: string): string | undefined => index.find(text)[0]?.label;
  return { in: find, some: all.length > 0 };
}

/** The pairs of id and paraphrase that a client was seen to log in with. */
function credentialsIn(acts: readonly Act[]): ClientUser[] {
  const texts = acts.map(({ authorization = '' }) => Buffer.from(authorization.split(' ').at(-1) ?? '', 'base64').toString('utf8'));
  return [...new Set(texts)]
    .filter((text) => text.indexOf(':') > 0)
    .map((text) => ({ id: text.slice(0, text.indexOf(':')), paraphrase: text.slice(text.indexOf(':') + 1) }));
}

/** Of a longer value the beginning is compared. */
const compared = 64;
const bare = (value: string) => value.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Tells whether a value holds one of these, or a good part of it is one of theirs, in a time that hardly grows with their number. */
function likeOneOf(given: readonly string[]): (value: string) => boolean {
  const known = new Set(given.map((each) => bare(each).slice(0, compared)));
  const lengths = [...new Set([...known].map(({ length }) => length))];
  const all = [...known].join('\n');
  return (value) => {
    const here = bare(value).slice(0, 2 * compared);
    const isPart = here.length >= 8 && lengths.some((length) => length > here.length) && all.includes(here);
    const places = [...here, ''].map((_, at) => at);
    return isPart || lengths.some((length) => places.some((at) => known.has(here.slice(at, at + length))));
  };
}

/** A stretch of traffic, as the protocol reads it: the requests at the service, and the tokens and nonces that it gave. */
export type Traffic = Readonly<ReturnType<typeof readTraffic>>;

/** What is known besides: who the client was told to be, whether it has come to its end, and what it printed. Of one that is watched, nothing. */
interface Known {
  readonly user?: ClientUser;
  readonly ended?: boolean;
  readonly output?: string | undefined;
}

export function readTraffic(log: Log, protocol: Protocol, known: Known = {}) {
  const atService = log.requests.filter(({ at }) => at === 'service');
  const read = readActs(atService, protocol);
  /** The user that the client was told to be, or those as whom it was seen to log in. */
  const users = known.user === undefined ? credentialsIn(read.acts) : [known.user];
  const like = { isLikeToken: likeOneOf(read.tokens.map(({ value }) => value)), isLikeNonce: likeOneOf(read.nonces) };
  return { ...known, ...read, ...like, log, protocol, users, secrets: secretsOf(users, read.tokens) };
}
