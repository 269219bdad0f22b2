import type { Protocol } from '../../spec/index.js';
import { truncateBody } from '../evidence/index.js';
import { isLimited, isOfGateway, nonceOf, tokenOf } from '../expect/index.js';
import type { User } from '../options.js';
import {
  type Answer,
  type Chain,
  type Exchange,
  fromTarget,
  type HeaderLine,
  headerValues,
  isPipelined,
  type RequestPlan,
} from '../wire/index.js';
import {
  type Addresses,
  isElsewhere,
  isPlainRead,
  listedMembers,
  mayBeHeld,
  openedBy,
  placeOf,
  strangerRow,
  unlistedPaths,
} from './addresses.js';
import { type Ability, type Ending, Endings } from './endings.js';
import { type Decided, decide, type Expectation, type LoginKind, type TokenKind } from './expectation.js';
import { grantElsewhere, grantOf, isGranted } from './grants.js';
import { type Excuse, LoginRecord } from './logins.js';
import { NonceRecord, type PresentedNonce } from './nonces.js';
import { accountOf, areWrong, type Credentials, type Presented, presentedBy, presentedWords } from './presented.js';
import { ServedRecord } from './served.js';
import { movesSince, type TargetTime } from './target-time.js';
import { TokenRecord } from './tokens.js';

/** The target, as a run is told of it. */
export interface OracleContext {
  readonly protocol: Protocol;
  readonly users: readonly User[];
  readonly addresses: Addresses;
  /** On either side of the end of a token, for clocks and answers that are not exact. The only margin there is. */
  readonly toleranceMs: number;
  readonly time: TargetTime;
  /** Not all traffic was seen, and nobody named the users: a nonce, a token or an id that nobody saw before may be right all the same. */
  readonly isPartial?: boolean;
  /** Authentication is switched off: whoever asks is served. */
  readonly off: boolean;
}

/** What is known of a request before its answer comes. */
interface Ticket {
  readonly plan: RequestPlan;
  readonly presented: Presented;
  readonly nonce: PresentedNonce | undefined;
  readonly place: number;
}

/** An answer that contradicts what the text says of its request. */
export interface Contradiction {
  readonly expectation: Decided;
  readonly exchange: Exchange;
  /** The exchanges that brought what the request carries, the moves of the clock since, and the answer itself. */
  readonly chain: Chain;
}

/** How often something that must be granted or refused was, and how often not. */
interface Rate {
  readonly of: number;
  readonly contradicted: number;
}

const mostKept = 400;
/** What is counted of gateways, beside the askers. */
const gateways = 'gateways';
/** What is refused more rarely with some peculiarity is not refused because of it. */
const leastShare = 0.2;
const plainLogin = decide('none', 'right') as Decided;

const ownKey = (request: RequestPlan, protocol: Protocol) =>
  `${presentedBy(request, protocol, []).token === undefined ? 'nonce' : 'token'} ${placeOf(request.target)}`;

/** Step B repeats the request of Step A. */
const repeats = (one: RequestPlan, other: RequestPlan) => one.method === other.method && one.target === other.target;

/** A server error is no refusal: neither a nonce nor a lock is behind it. */
const isRefusal = ({ answer }: Exchange, protocol: Protocol) =>
  answer !== undefined && answer.status < 500 && grantOf(answer, protocol) === 'nothing';

/**
 * Knows every nonce and token that the target gave in this run, and what every request carried. From these and the spec it follows what
 * each answer must be, whoever asked and why.
 */
export class Oracle {
  readonly tokens: TokenRecord;
  private readonly nonces: NonceRecord;
  private readonly logins: LoginRecord;
  private readonly served = new ServedRecord();
  private readonly endings = new Endings();
  /** Every contradiction as it was seen, before what excuses it is known. */
  readonly found: Contradiction[] = [];
  /** Every request in the order in which they went out, and how many had when one was answered. */
  private readonly sent: RequestPlan[] = [];
  private readonly sentBy = new WeakMap<RequestPlan, number>();
  /** Addresses at which strangers were served: whole places, or single targets where only another spelling or a query opens them. */
  private readonly openPlaces = new Set<string>();
  /** Addresses that what was given at them opened, a nonce or a token. */
  private readonly openedByTheirOwn = new Set<string>();
  /** Logins that were granted, by what is peculiar to them. */
  private readonly grantedLogins = new Set<string>();
  /** Addresses at which a plain read was given the challenge. */
  private readonly challengedAt = new Set<string>();
  /** By whom they are about, and by their rows and where what they carry was given. */
  private readonly counts = new Map<string, Rate>();
  private readonly expected = new WeakMap<RequestPlan, Expectation>();
  /** The status that this target gives to strangers, once it is known. */
  challengeStatus: number | undefined;

  constructor(private readonly context: OracleContext) {
    this.tokens = new TokenRecord(context.time);
    this.nonces = new NonceRecord(context.protocol);
    this.logins = new LoginRecord(this.nonces.issues);
  }

  /** To be called before a request goes out. */
  begin(plan: RequestPlan): Ticket {
    const presented = presentedBy(plan, this.context.protocol, this.context.users);
    const nonce = presented.nonce === undefined ? undefined : this.nonces.present(presented.nonce);
    const place = this.sent.push(plan) - 1;
    return { plan, presented, nonce, place };
  }

  /**
   * To be called when its answer is there: holds it to what must come, and remembers what it gives. Gives the exchange, with a note where a
   * refusal holds what is served. `isHeld` is false where the answer may belong to another request.
   */
  end(ticket: Ticket, came: Exchange, isHeld = true): Exchange {
    this.sent[ticket.place] = came.request;
    this.sentBy.set(came.request, this.sent.length);
    const expectation = this.expect(ticket, came);
    this.expected.set(came.request, expectation);
    const exchange = this.disclosing(expectation, came);
    if (isHeld) this.hold(expectation, ticket, exchange);
    if (isHeld) this.endings.note(exchange, this.loginOf(ticket, expectation, exchange));
    this.remember(ticket, exchange);
    return exchange;
  }

  /** Whether a plain login worked that had to; undefined where it is none, or the target limits it. */
  private loginOf({ plan, presented }: Ticket, expectation: Expectation, { answer }: Exchange): 'works' | 'fails' | undefined {
    if (plan.method !== 'GET' || presented.token !== undefined) return undefined;
    const given = answer !== undefined && tokenOf(answer, this.context.protocol) !== undefined;
    if (expectation.must !== 'granted' || expectation.about !== 'login') return given ? 'works' : undefined;
    if (answer !== undefined && isLimited(answer)) return undefined;
    return given ? 'works' : 'fails';
  }

  /** What worked and has not worked since, unless what the text leaves open (a lock, a nonce that was displaced) may be the reason. */
  ended(ability: Ability): Ending | undefined {
    const ending = this.endings.of(ability);
    if (ending === undefined) return undefined;
    const excuseOf = this.excuses();
    const [first, ...more] = ending.failures.filter((each) => excuseOf(each) === undefined);
    return first === undefined ? undefined : { ...ending, failures: [first, ...more] };
  }

  /** Whether an answer holds a document that is served to valid tokens. */
  holdsServed(answer: Answer): boolean {
    return this.served.isHeldBy(answer);
  }

  private disclosing({ must }: Expectation, exchange: Exchange): Exchange {
    const { answer } = exchange;
    if (answer === undefined || must === 'granted' || must === 'open' || !this.served.isIn(answer)) return exchange;
    return { ...exchange, answer: { ...answer, discloses: true } };
  }

  /** What the answer to a request had to be. */
  expectationOf({ request }: Exchange): Expectation {
    return this.expected.get(request) ?? { must: 'open', why: 'the request was not recorded' };
  }

  private expect({ plan, presented, nonce }: Ticket, exchange: Exchange): Expectation {
    if (this.context.off)
      return plan.headers.length === 0 && isPlainRead(plan, this.context.addresses)
        ? {
            must: 'granted',
            about: 'stranger',
            requirement: 'off.served',
            what: `${plan.method} ${fromTarget(plan.target)} with authentication off`,
          }
        : { must: 'open', why: 'with authentication off only plain reads are judged' };
    if (presented.repeated) return { must: 'open', why: 'the request has an authentication header twice' };
    const expectation = decide(
      this.tokenKind(presented, exchange),
      this.loginKind(presented, nonce, plan),
      this.historyOf(presented.token, exchange),
    );
    if (expectation.must === 'granted' && expectation.about === 'login' && isRefusal(exchange, this.context.protocol)) {
      if (this.context.isPartial === true)
        return { must: 'open', why: 'what was not recorded may have ended the nonce or locked the account' };
      if (nonce !== undefined && this.isOfRefusal(nonce.issue))
        return { must: 'open', why: 'the nonce came with a refusal, and need not open' };
      if (exchange.delayedTimes !== undefined)
        return { must: 'open', why: 'the request that was told to slow down may have used up the nonce' };
    }
    if (expectation.must !== 'challenged') return expectation;
    const requirement = plan.method === 'OPTIONS' ? undefined : strangerRow(plan, this.context.addresses);
    if (requirement === undefined) return { must: 'open', why: 'the protocol does not cover this address or method' };
    return { ...expectation, requirement, what: `${plan.method} ${fromTarget(plan.target)} without credentials` };
  }

  /** How other refusals than the challenge look is open (rules 5 and 6), and so is whether a nonce that they carry opens. */
  private isOfRefusal({ request }: Exchange): boolean {
    const { token, nonce, credentials } = presentedBy(request, this.context.protocol, this.context.users);
    return token !== undefined || nonce !== undefined || credentials !== undefined;
  }

  private tokenKind({ token }: Presented, exchange: Exchange): TokenKind {
    if (token === undefined) return 'none';
    if (this.tokens.get(token) === undefined) return this.tokens.has(token) || this.context.isPartial === true ? 'unsure' : 'unknown';
    const { lifetimeMs } = this.context.protocol.token;
    const { leastMs, mostMs } = this.tokens.ageOf(token, exchange);
    if (leastMs >= lifetimeMs + this.context.toleranceMs) return 'over';
    return mostMs > lifetimeMs - this.context.toleranceMs ? 'unsure' : 'valid';
  }

  private historyOf(token: string | undefined, exchange: Exchange): 'first' | 'again' | 'old' {
    const entry = token === undefined ? undefined : this.tokens.get(token);
    if (token === undefined || entry === undefined) return 'first';
    if (this.tokens.ageOf(token, exchange).leastMs > this.context.protocol.token.lifetimeMs / 2) return 'old';
    return entry.honoured > 0 ? 'again' : 'first';
  }

  private loginKind({ nonce, credentials }: Presented, known: PresentedNonce | undefined, plan: RequestPlan): LoginKind {
    if (nonce === undefined && credentials === undefined) return 'none';
    if (credentials?.kind === 'open') return 'open';
    if (nonce === undefined) return 'no nonce';
    if (credentials === undefined) return 'no credentials';
    const isUnseen = known === undefined || (credentials.kind === 'wrong' && credentials.mistake === 'id');
    if (this.context.isPartial === true && isUnseen) return 'open';
    if (credentials.kind === 'wrong') return credentials.mistake;
    if (known === undefined) return 'nonce';
    const { user, spelling } = credentials;
    if (spelling === 'id' || spelling === 'base64') return `spelled ${spelling}`;
    // In which encoding other characters are understood, until it was seen, and what wrong attempts before it do, is open.
    const isOpen =
      (/[^ -~]/.test(user.paraphrase) && !this.logins.hasLoggedIn(user)) || known.wasPresented || this.logins.mayBeLocked(user);
    if (isOpen) return 'open';
    if (spelling === 'scheme') return 'spelled scheme';
    return repeats(plan, known.issue.request) ? 'right' : 'elsewhere';
  }

  /** What a request carries, in words that hold no secret. */
  presentedIn({ request }: Exchange): string {
    return presentedWords(request, presentedBy(request, this.context.protocol, this.context.users), this.context.protocol);
  }

  /** Paths below the base URL that served documents name, beside collections and their members: a few, the addresses of contexts first. */
  namedPaths(): string[] {
    return unlistedPaths(this.served.addresses, this.context.addresses);
  }

  /** Members of each collection that served documents name, a few of each. */
  namedMembers(): string[] {
    return listedMembers(this.served.addresses, this.context.addresses);
  }

  /** Whether the answer to a request was another than it had to be. */
  isContradicted(request: RequestPlan): boolean {
    return this.found.some(({ exchange }) => exchange.request === request);
  }

  /** Every request that went out before this one was answered, the latest first. */
  sentBefore(request: RequestPlan): RequestPlan[] {
    const before = this.sent.slice(0, this.sentBy.get(request)).filter((each) => each !== request);
    return before.reverse();
  }

  /** Whose token this request carried, unless it was over by then. */
  ownerOf(token: string, request: RequestPlan): User | undefined {
    const expectation = this.expected.get(request);
    const isOver = expectation !== undefined && expectation.must !== 'open' && expectation.about === 'expired-token';
    return isOver ? undefined : this.tokens.get(token)?.user;
  }

  /** The requests that were given the nonce and the token of this one. */
  givenTo(request: RequestPlan): RequestPlan[] {
    const { token = '', nonce = '' } = presentedBy(request, this.context.protocol, []);
    return [this.nonces.get(nonce)?.issue, this.tokens.issueOf(token)].flatMap((issue) => issue?.request ?? []);
  }

  /** Whether the nonce or the token of a request was given at another address. */
  isFromElsewhere(request: RequestPlan): boolean {
    return this.givenTo(request).some(({ target }) => placeOf(target) !== placeOf(request.target));
  }

  /** Whether a nonce, or a token, that was given at the address of a request opened it. */
  isOpenedByItsOwn(request: RequestPlan): boolean {
    return this.openedByTheirOwn.has(ownKey(request, this.context.protocol));
  }

  issued(nonce: string): boolean {
    return this.nonces.get(nonce) !== undefined;
  }

  /** Whether a stranger was served at this address. */
  servesStrangers(target: string): boolean {
    return this.openPlaces.has(placeOf(target)) || this.openPlaces.has(target);
  }

  /** Whether the target's clock was moved between two instants of our own. */
  isMovedBetween(fromMs: number, toMs: number): boolean {
    return this.context.time.movesBetween(fromMs, toMs).length > 0;
  }

  /** The exchanges that led to a token, for evidence: the challenge whose nonce its login carried, and the login. */
  chainTo(token: string): Exchange[] {
    const issue = this.tokens.issueOf(token);
    if (issue === undefined) return [];
    const { nonce } = presentedBy(issue.request, this.context.protocol, []);
    const entry = nonce === undefined ? undefined : this.nonces.get(nonce);
    return entry === undefined || entry.issue === issue ? [issue] : [entry.issue, issue];
  }

  /** An exchange, after those that brought what its request carries and the moves of the clock since. */
  private chainOf({ nonce, presented: { token } }: Ticket, exchange: Exchange): Chain {
    const isKnown = token !== undefined && this.tokens.get(token) !== undefined;
    const before = isKnown ? this.chainTo(token) : nonce === undefined ? [] : [nonce.issue];
    return [...before, ...movesSince(before.at(-1), exchange, this.context.time), truncateBody(exchange)];
  }

  /** How many requests that had to be granted a gateway answered in place of the target. */
  get ofGateways(): Rate {
    return this.rate(gateways);
  }

  rate(ofWhat: string): Rate {
    return this.counts.get(ofWhat) ?? { of: 0, contradicted: 0 };
  }

  private count(ofWhat: string, contradicts: boolean): void {
    const { of, contradicted } = this.rate(ofWhat);
    this.counts.set(ofWhat, { of: of + 1, contradicted: contradicted + (contradicts ? 1 : 0) });
  }

  /** Why refusals of logins may be open: to be asked when the run is over. */
  excuses(): (login: Exchange) => Excuse | undefined {
    const inLocks = this.logins.inLocks();
    return ({ request }) => (inLocks.has(request) ? 'locked' : this.logins.isOpen(request) ? 'displaced' : undefined);
  }

  /**
   * All contradictions but those with an explanation. A login may be refused because its nonce was no longer the newest, because the
   * address was locked, or, where nobody could ever log in, because the given users are none of the target's. A token that seemed made
   * up may have been issued since. A plain read must be given what it is given at other times, unless the address was locked. What is
   * peculiar to a login is not why it was refused, where that is nearly always granted, or the same login was.
   */
  contradictions(): Contradiction[] {
    const nobodyLoggedIn = this.logins.granted === 0;
    const excuseOf = this.excuses();
    const hasLocks = this.logins.inLocks().size > 0;
    const contradictions = this.found.filter(
      (each) =>
        !(each.expectation.about === 'login' && (nobodyLoggedIn || excuseOf(each.exchange) !== undefined)) &&
        !(each.expectation.about === 'unknown-token' && this.isKnownBy(each.exchange)) &&
        !(this.isRefusedOtherwise(each) && (hasLocks || !this.challengedAt.has(each.exchange.request.target))),
    );
    return contradictions.map((each) => (this.isLostLogin(each) ? { ...each, expectation: plainLogin } : each));
  }

  private isLostLogin({ expectation: { about, requirement }, exchange: { request } }: Contradiction): boolean {
    const { of, contradicted } = this.rate(this.loginsLike(requirement, request));
    return about === 'login' && (contradicted < of * leastShare || this.grantedLogins.has(this.shapeOf(request)));
  }

  /** A nonce may be bound to the method or to the address of its request. */
  private loginsLike(requirement: string, request: RequestPlan): string {
    const given = this.givenTo(request);
    const isOther = (is: (each: RequestPlan) => boolean) => String(given.some(is));
    return [requirement, isOther(({ method }) => method !== request.method), isOther(({ target }) => target !== request.target)].join(' ');
  }

  /** What logins have in common that differ in nothing but their nonces. */
  private shapeOf(request: RequestPlan): string {
    const { method, target, headers, body } = request;
    const [authorization] = headerValues(request, this.context.protocol.headers.authorization);
    const names = headers.map(([name]) => name.toLowerCase());
    const given = this.givenTo(request).map((each) => [each.method, each.target]);
    return JSON.stringify([method, target, authorization, body?.length, names, given]);
  }

  /** Whether a stranger was refused, and not by the challenge. */
  isRefusedOtherwise({ expectation, exchange }: Contradiction): boolean {
    return expectation.must === 'challenged' && !isGranted(exchange, this.context.protocol);
  }

  /** Whether a request brings a token that several logins gave out: its fate may be that of another login. */
  bringsSharedToken(request: RequestPlan): boolean {
    return headerValues(request, this.context.protocol.headers.token).some((each) => this.tokens.wasHandedOutAgain(each));
  }

  /** Where tokens are numbered, one that was made up may have been issued by the time the answer came. */
  private isKnownBy({ request }: Exchange): boolean {
    const { token } = presentedBy(request, this.context.protocol, []);
    return token !== undefined && this.tokens.has(token);
  }

  /** Of strangers a grant is told here, and of plain reads any other refusal than the challenge: what else they must get depends on circumstances that cases know. */
  private hold(expectation: Expectation, ticket: Ticket, exchange: Exchange): void {
    const { protocol, addresses } = this.context;
    const { answer } = exchange;
    const { plan } = ticket;
    // What a gateway answers now and then is no answer of the service; what it answers each time, laws and cases tell.
    if (expectation.must === 'open' || answer === undefined || isLimited(answer)) return;
    const { must, about } = expectation;
    // A grant to a stranger is wrong in every circumstance.
    if (must === 'granted' && !mayBeHeld(plan, answer, addresses)) return;
    if (must === 'granted') this.count(gateways, isOfGateway(answer));
    if (isOfGateway(answer)) return;
    const grant = isElsewhere(plan, addresses) ? grantElsewhere(answer, protocol) : grantOf(answer, protocol);
    // A challenge with a status of success looks like a resource when it has no body.
    if (grant === 'served' && exchange.request.method === 'HEAD' && answer.status === this.challengeStatus) return;
    if (about === 'valid-token' && grant === 'served' && plan.method === 'GET')
      this.served.note(answer, plan.target === `${addresses.basePath}${addresses.vocabulary}`);
    const isPlain = plan.method === 'GET' && plan.headers.length === 0 && isPlainRead(plan, addresses);
    const isRefusal = isPlain && must === 'challenged' && grant === 'nothing' && this.challengeStatus !== undefined;
    const isChallenge = answer.status === this.challengeStatus;
    if (isRefusal && isChallenge) this.challengedAt.add(plan.target);
    const contradicts = (grant === 'nothing') === (must === 'granted') || (isRefusal && !isChallenge);
    if (must === 'granted' && !contradicts && !this.isFromElsewhere(plan)) this.openedByTheirOwn.add(ownKey(plan, protocol));
    for (const each of [about, this.loginsLike(expectation.requirement, plan)]) this.count(each, contradicts);
    if (about === 'login' && !contradicts) this.grantedLogins.add(this.shapeOf(plan));
    if (contradicts && !isRefusal && about === 'stranger' && plan.headers.length === 0) this.openPlaces.add(openedBy(plan));
    const broken = grant === 'token' ? (expectation.login ?? expectation) : expectation;
    if (contradicts && this.found.length < mostKept)
      this.found.push({ expectation: broken, exchange: truncateBody(exchange), chain: this.chainOf(ticket, exchange) });
  }

  /** A login that was refused with some peculiarity, and granted with it and a nonce of the same request when it was tried again: neither is the reason. */
  noteLostLogin(exchange: Exchange, chain: Chain): void {
    const expectation = this.expectationOf(exchange);
    const isOwed = expectation.must === 'open' ? expectation.isOwedOften : expectation.must === 'granted' && expectation.about === 'login';
    if (isOwed !== true || exchange.answer === undefined || isOfGateway(exchange.answer)) return;
    const { about: login, requirement } = plainLogin;
    for (const each of [login, this.loginsLike(requirement, exchange.request)]) this.count(each, true);
    this.found.push({ expectation: plainLogin, exchange, chain });
  }

  /** How often in a row requests with credentials of the same account as these were refused, and whose they are. */
  refusedInARow(headers: readonly HeaderLine[]): { readonly account: User; readonly times: number } | undefined {
    const account = accountOf(presentedBy({ headers }, this.context.protocol, this.context.users).credentials);
    return account && { account, times: this.logins.refusedInARow(account) };
  }

  private remember(ticket: Ticket, exchange: Exchange): void {
    const { answer, ahead } = exchange;
    const { protocol } = this.context;
    // The nonce of a request just ahead may displace the one that this request carries.
    if (isPipelined(exchange.request) && ahead?.answer !== undefined && nonceOf(ahead.answer, protocol) !== undefined)
      this.nonces.issues.note(ahead);
    if (answer === undefined) return;
    const { token, credentials } = ticket.presented;
    const known = token === undefined ? undefined : this.tokens.get(token);
    if (known !== undefined && grantOf(answer, protocol) !== 'nothing') known.honoured += 1;
    const given = tokenOf(answer, protocol);
    // A token that came along and comes back is given out again only by a login.
    const isLogin = credentials?.kind === 'right' && ticket.nonce !== undefined && grantOf(answer, protocol) === 'token';
    const isIssue = given !== undefined && (given !== token || isLogin);
    const account = accountOf(credentials);
    if (credentials !== undefined && account !== undefined && !isIssue && areWrong(credentials)) this.logins.noteWrong(account);
    // A server error is no refusal: neither a nonce nor a lock is behind it.
    if (credentials !== undefined && (isIssue || answer.status < 500)) this.noteLogin(ticket, credentials, exchange, isIssue);
    if (isIssue) this.tokens.noteIssued(given, credentials?.kind === 'right' ? credentials.user : undefined, exchange);
    const nonce = nonceOf(answer, protocol);
    if (nonce !== undefined) this.nonces.noteIssued(nonce, exchange, ticket.nonce !== undefined);
  }

  private noteLogin({ nonce }: Ticket, credentials: Credentials, exchange: Exchange, isGranted: boolean): void {
    const isFresh = !areWrong(credentials) && nonce?.wasPresented === false;
    if (isFresh) this.logins.notePresented(nonce.issue, exchange, this.context.time.between(nonce.issue, exchange), isGranted);
    if (!isGranted) this.logins.noteRefused(exchange, isFresh ? 'right' : 'wrong', accountOf(credentials));
    else if (credentials.kind === 'right') this.logins.noteGranted(credentials.user, exchange);
  }
}
