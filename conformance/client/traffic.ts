import type { Protocol } from '../../spec/index.js';
import { pairIn, SecretIndex } from '../evidence/index.js';
import { nonceOf, tokenOf } from '../expect/index.js';
import { weightOf } from '../recording/index.js';
import { type Answer, type Chain, type ClockMove, type Exchange, headerValues, type RequestPlan } from '../wire/index.js';

/** A request as it arrived, whole. */
export type Received = Pick<RequestPlan, 'method' | 'target' | 'headers'> & { readonly body: Buffer };

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

/** A request as the protocol reads it, with what was known when it arrived, and how it was answered. Its target is the whole address. */
export interface Act extends Exchange {
  readonly at: 'service' | 'elsewhere';
  /** As it arrived, without the origin. */
  readonly target: string;
  /** The counts put arrivals and answers into one order. */
  readonly arrived: number;
  answered?: number;
  /** How far the service's clock had been moved when it arrived. */
  readonly clockMs: number;
  /** What it carries, undefined where the header is not there or empty. */
  readonly nonce: string | undefined;
  readonly authorization: string | undefined;
  readonly token: string | undefined;
  /** The nonce it carries, where the service had given it: by which request, and whether it opened already. */
  readonly givenNonce: GivenNonce | undefined;
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

type GivenNonce = { readonly by: Act; spent: boolean };

/** Of its life a token is surely live for so much; a client may renew it a little early. */
const surely = 0.9;
const refusals = [403, 419];
/** So many octets are kept of heads, and as many of bodies, which are shown beside what a client did wrong. */
const mostKept = 32 * 1024 * 1024;
const noBody = Buffer.alloc(0);

/** All requests of one scenario, or of the time in which a client was watched, and the tokens and nonces that the service gave. */
export class Log {
  readonly requests: Act[] = [];
  readonly tokens: GivenToken[] = [];
  readonly nonces = new Map<string, GivenNonce>();
  /** More requests came than a client in its right mind sends; the rest is not answered. */
  overrun = false;
  private readonly moves: (ClockMove & { readonly at: number })[] = [];
  /** By address: how many challenges wait for an answer, and whether the last of them gave a nonce. */
  private readonly challenges = new Map<string, { readonly open: number; readonly gaveNonce: boolean }>();
  private underWay = 0;
  private count = 0;
  private clockMs = 0;
  private heads = 0;
  private bodies = 0;

  constructor(
    readonly protocol: Protocol,
    private readonly limit: number,
  ) {}

  /** Undefined when there were too many already. */
  arrive(at: Act['at'], origin: string, plan: RequestPlan, sentAtMs = performance.now()): Act | undefined {
    if (this.requests.length >= this.limit || this.heads > mostKept) {
      this.overrun = true;
      return undefined;
    }
    this.heads += weightOf(plan);
    const { protocol, clockMs, tokens } = this;
    const { target } = plan;
    const value = (name: string) => headerValues(plan, name).join(', ') || undefined;
    const [nonce, token] = [value(protocol.headers.nonce), value(protocol.headers.token)];
    const authorization = value(protocol.headers.authorization);
    const givenNonce = this.nonces.get(nonce ?? '');
    const givenToken = tokens.find((given) => given.value === token);
    const newest = tokens.at(-1);
    // The service's clock goes on by itself, and is moved besides.
    const isLive = newest !== undefined && !newest.refused && clockMs + sentAtMs - newest.issuedAtMs < protocol.token.lifetimeMs * surely;
    const { open, gaveNonce } = this.challengesAt(target);
    const act: Act = {
      ...{ request: { ...plan, target: `${origin}${target}` }, sentAtMs, durationMs: 0 },
      ...{ at, target, arrived: this.count++, clockMs, nonce, authorization, token, givenNonce, givenToken },
      nonceWasSpent: givenNonce?.spent ?? false,
      tokenWasRefused: givenToken?.refused ?? false,
      live: isLive ? newest : undefined,
      ...{ asked: open > 0, wasGivenNonce: gaveNonce, alone: this.underWay === 0 },
    };
    this.requests.push(act);
    if (at === 'elsewhere') return act;
    if (authorization !== undefined || nonce !== undefined) this.challenges.set(target, { open: Math.max(0, open - 1), gaveNonce });
    this.underWay += 1;
    return act;
  }

  answer(act: Act | undefined, answer: Answer, answeredAtMs = performance.now()): void {
    if (act === undefined) return;
    this.heads += weightOf(answer);
    const order = this.count++;
    Object.assign(act, { answer, answered: order, durationMs: answeredAtMs - act.sentAtMs });
    if (act.at === 'elsewhere') return;
    const { headers, challenge, token: rules } = this.protocol;
    const { status } = answer;
    const [nonce, token] = [nonceOf(answer, this.protocol), tokenOf(answer, this.protocol)];
    const byExchange = isLogin(act) && token !== undefined && status < 300;
    const issuedOn = Date.parse(headerValues(answer, headers.date)[0] ?? '');
    if (nonce !== undefined) this.nonces.set(nonce, { by: act, spent: false });
    if (token !== undefined)
      this.tokens.push({ value: token, order, byExchange, issuedAtMs: act.clockMs + act.sentAtMs, issuedOn, refused: false });
    // A clock that was moved shows in the answer.
    if (act.live !== undefined && issuedOn - act.live.issuedOn >= rules.lifetimeMs * surely) act.live = undefined;
    if (byExchange) act.became = 'exchange';
    else if (status === challenge.status) act.became = 'challenge';
    else if (status >= 200 && status < 300) act.became = 'served';
    else act.became = refusals.includes(status) ? 'refusal' : 'other';
    if (byExchange && act.givenNonce !== undefined) act.givenNonce.spent = true;
    if ((act.became === 'challenge' || act.became === 'refusal') && act.givenToken !== undefined) act.givenToken.refused = true;
    if (act.became === 'challenge')
      this.challenges.set(act.target, { open: this.challengesAt(act.target).open + 1, gaveNonce: nonce !== undefined });
    this.underWay -= 1;
  }

  /** When all of both has come. */
  complete(act: Act | undefined, { body = '' }: RequestPlan, answer = act?.answer): void {
    if (act === undefined || answer === undefined) return;
    this.bodies += Buffer.byteLength(body) + answer.body.length;
    const isKept = this.bodies <= mostKept;
    const { body: _, ...bodiless } = act.request;
    const request = isKept && body !== '' ? { ...bodiless, body } : bodiless;
    Object.assign(act, { request, answer: isKept ? answer : { ...answer, body: noBody } });
  }

  move(advancedMs: number): void {
    this.clockMs += advancedMs;
    this.moves.push({ advancedMs, at: this.count++ });
  }

  /** The last exchanges up to this one, with the moves of the clock among them. */
  chainTo(last: Act | undefined, most = 12): Chain {
    const end = last?.answered ?? last?.arrived ?? this.count;
    const shown = this.requests.filter(({ arrived }) => arrived <= end).slice(-most);
    const begin = shown[0]?.arrived ?? 0;
    const links = [
      ...shown.map((link) => ({ at: link.arrived, link })),
      ...this.moves.filter(({ at }) => at > begin && at < end).map(({ at, advancedMs }) => ({ at, link: { advancedMs } })),
    ];
    return links.sort((one, other) => one.at - other.at).map(({ link }) => link);
  }

  private challengesAt(target: string) {
    return this.challenges.get(target) ?? { open: 0, gaveNonce: true };
  }
}

/** A request as it is shown and recorded. */
export function planOf({ method, target, headers, body }: Received): RequestPlan {
  return { method, target, headers, ...(body.length === 0 ? {} : { body: body.toString('utf8') }) };
}

/** Carries the live token, so that whatever stands beside it is not needed. */
export function bringsLiveToken({ live, givenToken }: Act): boolean {
  return live !== undefined && givenToken === live;
}

export function isLogin({ nonce, authorization }: Pick<Act, 'nonce' | 'authorization'>): boolean {
  return nonce !== undefined && authorization !== undefined;
}

/** Where a request goes. A query that a client adds to some requests is its own affair. */
export const pathOf = ({ target }: Act): string => target.replace(/\?.*$/s, '');

export function wholeText({ target, request: { headers, body = '' } }: Act): string {
  return [target, ...headers.map(([name, value]) => `${name}: ${value}`), body].join('\n');
}

/** A shorter paraphrase may stand in a text by chance. */
const leastCharacters = 8;

/** Whom a client was told to be, or was seen to be. */
export interface ClientUser {
  readonly id: number | string;
  readonly paraphrase: string;
}

/** To search long addresses of many requests takes minutes. */
const longestSearchMs = 20_000;

/** What must not be seen by others: paraphrases, the credentials made of them, and tokens. */
function secretsOf(users: readonly ClientUser[], tokens: readonly GivenToken[]) {
  const base64 = (encoding: 'utf8' | 'latin1') =>
    users.map(({ id, paraphrase }) => Buffer.from(`${id}:${paraphrase}`, encoding).toString('base64').replace(/=+$/, ''));
  const all = Object.entries({
    paraphrase: users.map(({ paraphrase }) => paraphrase),
    credentials: [...base64('utf8'), ...base64('latin1')],
    token: tokens.map(({ value }) => value),
  }).flatMap(([name, texts]) => texts.filter((text) => text.length >= leastCharacters).map((text) => ({ name, text })));
  const index = new SecretIndex();
  for (const { name, text } of all) index.add(text, name);
  const endMs = performance.now() + longestSearchMs;
  return {
    /** The name of a secret that stands in a text, as it is, escaped or coded: paraphrase, credentials, token. */
    in: (text: string): string | undefined => index.find(text)[0]?.label,
    /** There are some, and time to look for them in one more of many requests. */
    areSought: () => all.length > 0 && performance.now() < endMs,
  };
}

/** The pairs of id and paraphrase that a client was seen to log in with. */
function credentialsIn(acts: readonly Act[]): ClientUser[] {
  const pairs = acts.flatMap(({ authorization = '' }) => pairIn(authorization) ?? []).filter(({ id }) => id !== '');
  return [...new Map(pairs.map((pair) => [`${pair.id}:${pair.paraphrase}`, pair])).values()];
}

/** Of a longer value the beginning and the end are compared: all tokens of a service may begin alike. */
const compared = 64;
const bare = (value: string) => value.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Tells whether a value holds the beginning and the end of one of these, or is a good part of one, in a time that hardly grows with their
 * number. What is one of them was not altered: where it was sent before it was given, a clock was set back.
 */
function likeOneOf(given: readonly string[]): (value: string) => boolean {
  const exactly = new Set(given);
  const all = given.map(bare);
  const [heads, tails] = [new Set(all.map((each) => each.slice(0, compared))), new Set(all.map((each) => each.slice(-compared)))];
  const lengths = [...new Set([...heads].map(({ length }) => length))];
  const allHeads = [...heads].join('\n');
  const placeIn = (text: string, known: ReadonlySet<string>) =>
    [...text, ''].findIndex((_, at) => lengths.some((length) => known.has(text.slice(at, at + length))));
  return (value) => {
    if (exactly.has(value)) return false;
    const whole = bare(value);
    const here = whole.slice(0, 2 * compared);
    if (here.length >= 8 && lengths.some((length) => length > here.length) && allHeads.includes(here)) return true;
    const at = placeIn(here, heads);
    return at >= 0 && (placeIn(whole.slice(-2 * compared), tails) >= 0 || all.some((each) => each.startsWith(whole.slice(at))));
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

export function readTraffic(log: Log, known: Known = {}) {
  const { protocol, tokens } = log;
  const acts: readonly Act[] = log.requests.filter(({ at }) => at === 'service');
  const nonces = [...log.nonces.keys()];
  /** The user that the client was told to be, or those as whom it was seen to log in. */
  const users = known.user === undefined ? credentialsIn(acts) : [known.user];
  const like = { isLikeToken: likeOneOf(tokens.map(({ value }) => value)), isLikeNonce: likeOneOf(nonces) };
  const secrets = { secrets: secretsOf(users, tokens), givenSecrets: secretsOf([], tokens) };
  return { ...known, ...like, ...secrets, ...{ log, protocol, acts, tokens, nonces, users } };
}
