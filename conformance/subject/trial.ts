import { basic } from '../arbitraries/index.js';
import { truncateBody } from '../evidence/index.js';
import { isLimited, isOfGateway, nonceOf, tokenOf } from '../expect/index.js';
import { seeing } from '../finding.js';
import type { User } from '../options.js';
import { inWords, isGranted, judge, type Span } from '../oracle/index.js';
import { type Answer, type ClockMove, type Exchange, type HeaderLine, headerValues, isPipelined, type RequestPlan } from '../wire/index.js';
import { Untested, Violation } from './outcome.js';
import { guardedPaths, type Nonce, type Role, type Sending, type Subject, type Token } from './subject.js';

/** So long a nonce that was taken ahead is kept. */
const keptMs = 2000;
/** How many nonces are kept is open, too: after so many requests of others one is not used any more. */
const keptRequests = 20;
/** The headers with which somebody authenticates, in the order in which they are sent. */
const credentials = ['nonce', 'authorization', 'token'] as const;
type Credential = (typeof credentials)[number];

/** How the steps are taken, where not as usual. */
interface How {
  readonly moveClock?: (ms: number) => Promise<void>;
  /** The default user; otherwise the first who can log in. */
  readonly as?: User;
  /** A nonce that a challenge to another case has just brought will do: one request less. What fails with it is tried again without. */
  readonly sharesNonces?: boolean;
}

/** One try of a law: the steps of the protocol that it takes, every exchange as evidence, and what it expects of the answers. */
export class Trial {
  readonly chain: (Exchange | ClockMove)[] = [];
  /** The request that Step B will repeat: it is challenged first, where that brings a nonce. */
  repeats: Sending | undefined;

  constructor(
    readonly subject: Subject,
    private readonly how: How = {},
  ) {}

  get protocol() {
    return this.subject.protocol;
  }

  get user(): User {
    const user = this.how.as ?? this.subject.ableUsers[0];
    if (user === undefined) throw new Untested(this.subject.facts.noLogin ?? 'no user is given');
    return user;
  }

  /** The address for whatever needs no other one. */
  get firstPath(): string {
    return guardedPaths(this.subject)[0];
  }

  async send(sending: Sending, role?: Role): Promise<Exchange> {
    const { path = this.firstPath, nameCase: _, ...given } = sending;
    const plan: RequestPlan = { method: 'GET', target: `${this.subject.basePath}${path}`, headers: [], ...given };
    const { client } = this.subject;
    const first = await client.send(plan);
    const exchange = this.isWorthAnother(first) ? await client.send(plan) : first;
    const { ahead, problem, answer } = exchange;
    if (ahead !== undefined) this.chain.push(truncateBody(ahead));
    this.chain.push(truncateBody(exchange));
    if (problem?.code === 'aborted' || problem?.code === 'unreachable') throw new Untested(problem.message);
    const token = answer && tokenOf(answer, this.protocol);
    if (token !== undefined) this.subject.redactor.token(token);
    if (role !== undefined) this.subject.onExchange(exchange, role, this.chain.slice());
    return exchange;
  }

  /** An answer that fails to come once may be the network's or a gateway's fault. What could have spent a nonce, or may be left unanswered, is not sent again. */
  private isWorthAnother({ request, answer, problem }: Exchange): boolean {
    const isLost = answer === undefined ? problem?.code === 'closed' || problem?.code === 'timeout' : isOfGateway(answer);
    if (!isLost || isPipelined(request)) return false;
    return [this.protocol.headers.nonce, 'Upgrade'].every((name) => headerValues(request, name).length === 0);
  }

  /** The sending with more lines of the protocol; an undefined one is left out. */
  private adding(sending: Sending, values: Readonly<Partial<Record<Credential, string | undefined>>>) {
    const { nameCase = (name: string) => name, headers = [] } = sending;
    const lines = credentials.flatMap((header): HeaderLine[] => {
      const value = values[header];
      return value === undefined ? [] : [[nameCase(this.protocol.headers[header]), value]];
    });
    return { ...sending, headers: [...headers, ...lines] };
  }

  /** A request without any credentials, for what is in its answer; the nonce is left to others. */
  async stranger(sending: Sending = {}): Promise<Exchange> {
    const exchange = await this.send(sending, 'challenge');
    this.spareNonceOf(exchange);
    return exchange;
  }

  /** Step A, to build upon. */
  async challenge(sending: Sending = {}): Promise<Nonce> {
    if (this.subject.facts.noNonce !== undefined) throw new Untested(this.subject.facts.noNonce);
    const spare = this.how.sharesNonces === true && Object.keys(sending).length === 0 ? this.spareNonce() : undefined;
    if (spare !== undefined) return spare;
    const asked = this.repeats === undefined || this.how.sharesNonces === true ? undefined : await this.send(this.repeats);
    const exchange = asked?.answer && nonceOf(asked.answer, this.protocol) ? asked : await this.send(sending, 'challenge');
    const value = exchange.answer && nonceOf(exchange.answer, this.protocol);
    if (value === undefined) throw new Untested(`a challenge came without a nonce (${inWords(exchange, this.protocol)})`);
    return { value };
  }

  private spareNonce(): Nonce | undefined {
    const { spareNonces, client } = this.subject;
    const spare = spareNonces.pop();
    if (spare === undefined) return undefined;
    if (performance.now() - spare.exchange.sentAtMs > keptMs || client.requests - spare.requests > keptRequests) {
      // Those before it are older.
      spareNonces.length = 0;
      return undefined;
    }
    this.chain.push(spare.exchange);
    return { value: spare.nonce };
  }

  /** Keeps the nonce that a refused read brought for whoever shares nonces. */
  spareNonceOf(exchange: Exchange): void {
    const { facts, spareNonces, oracle, client } = this.subject;
    const isGood = facts.refusalsOffer === true || oracle.expectationOf(exchange).must === 'challenged';
    const nonce = exchange.answer && nonceOf(exchange.answer, this.protocol);
    if (facts.oneAtATime === undefined && isGood && nonce !== undefined)
      spareNonces.push({ nonce, exchange: truncateBody(exchange), requests: client.requests });
  }

  /** A nonce that has brought a token. */
  async spentNonce(): Promise<string> {
    const nonce = await this.challenge();
    this.tokenFrom(await this.exchange(nonce), this.user);
    return nonce.value;
  }

  /** Step A ahead of its use. How long nonces live is open, so that one which has waited long is replaced. */
  async challengeAhead(): Promise<() => Promise<Nonce>> {
    const before = this.chain.length;
    const nonce = await this.challenge();
    const takenMs = performance.now();
    return async () => {
      if (performance.now() - takenMs < keptMs) return nonce;
      this.chain.splice(before);
      return this.challenge();
    };
  }

  /**
   * A request with whatever is given as nonce and Authorization; an undefined one is left out. A right login comes before the third refusal
   * in a row, with which many services lock an account.
   */
  present(nonce: string | undefined, authorization: string | undefined, sending: Sending = {}, role?: Role): Promise<Exchange> {
    const { oracle, accounts } = this.subject;
    const whole = this.adding(sending, { nonce, authorization });
    const refused = oracle.refusedInARow(whole.headers);
    // At once where nothing stands against it, because some laws send requests beside each other.
    if (refused?.times !== accounts.wrongInARow) return this.send(whole, role);
    return this.loginAside(refused.account).then(() => this.send(whole, role));
  }

  /** Logs in where that is possible, so that refusals before it are forgotten, and leaves no trace of it in the evidence. */
  async loginAside(user: User = this.user): Promise<void> {
    const before = this.chain.length;
    await this.login(user).catch(() => undefined);
    this.chain.splice(before);
  }

  credentialsOf({ id, paraphrase }: User): string {
    return basic(this.protocol.challenge.scheme, id, paraphrase);
  }

  exchange(nonce: Nonce, user: User = this.user, sending: Sending = {}): Promise<Exchange> {
    return this.present(nonce.value, this.credentialsOf(user), sending, 'exchange');
  }

  /** Step B with a nonce that was given just now: a right login, before which none is needed. */
  exchangeFresh({ value: nonce }: Nonce, user: User, sending: Sending = {}): Promise<Exchange> {
    return this.send(this.adding(sending, { nonce, authorization: this.credentialsOf(user) }), 'exchange');
  }

  /** Steps A and B, to build upon; once more where the server fails, which the oracle tells. */
  async login(user: User = this.user, sending: Sending = {}): Promise<Token> {
    if (this.subject.facts.noLogin !== undefined) throw new Untested(this.subject.facts.noLogin);
    const before = this.chain.length;
    const once = async () => this.exchangeFresh(await this.challenge(sending), user, sending);
    const first = await once();
    if ((first.answer?.status ?? 0) < 500) return this.tokenFrom(first, user);
    this.chain.splice(before);
    return this.tokenFrom(await once(), user);
  }

  /** Logs in with the nonce that a refusal offers. Such a nonce need not work; then Step A gives another. */
  async loginAfter({ answer }: Exchange, user: User = this.user): Promise<Token> {
    const value = answer && nonceOf(answer, this.protocol);
    const exchange = value === undefined ? undefined : await this.exchangeFresh({ value }, user);
    if (exchange?.answer === undefined || tokenOf(exchange.answer, this.protocol) === undefined) return this.login(user);
    this.subject.facts.refusalsOffer = true;
    return this.tokenFrom(exchange, user);
  }

  tokenFrom(exchange: Exchange, user: User): Token {
    const value = exchange.answer && tokenOf(exchange.answer, this.protocol);
    if (value === undefined)
      throw new Untested(`user ${user.id} got no token, although other users did (${inWords(exchange, this.protocol)})`);
    return { value, user };
  }

  /** Step C: a request with a token and nothing else. */
  use(token: string | Token, sending: Sending = {}, role?: Role): Promise<Exchange> {
    return this.send(this.adding(sending, { token: typeof token === 'string' ? token : token.value }), role);
  }

  /** The value of the token that checks share, with the exchanges that brought it as evidence. */
  async sharedToken(): Promise<string> {
    const { value, chain } = await this.subject.sharedToken();
    this.chain.push(...chain);
    return value;
  }

  async advance(ms: number): Promise<void> {
    if (ms <= 0) return;
    await (this.how.moveClock ?? this.subject.clock.advance)(ms).catch((error: unknown) => {
      if (error instanceof Untested) throw error;
      this.subject.facts.clockFailed = (error as Error).message;
      throw new Untested(`the clock could not be moved (${(error as Error).message})`, 'call');
    });
    this.chain.push({ advancedMs: ms });
  }

  /** Milliseconds since this token was issued, at the least and at the most, at the time of an exchange. */
  ageAt(token: Token, exchange: Exchange): Span {
    return this.subject.oracle.tokens.ageOf(token.value, exchange);
  }

  granted(exchange: Exchange): boolean {
    this.inTime(exchange);
    return isGranted(exchange, this.protocol);
  }

  expectServed(exchange: Exchange, what: string): void {
    this.hold('granted', exchange, what);
  }

  /** A connection that is closed without an answer gives nothing either; exchange.no-server-error tells it. */
  expectRefused(exchange: Exchange, what: string): void {
    this.hold('refused', exchange, what);
  }

  expectRight(exchange: Exchange, what: string): void {
    const { must } = this.subject.oracle.expectationOf(exchange);
    if (must !== 'open') this.hold(must === 'granted' ? 'granted' : 'refused', exchange, what);
  }

  /** The oracle judges. Where it says something else than a law means, because of an age or of what went before, the answer says nothing. */
  private hold(must: 'granted' | 'refused', exchange: Exchange, what: string): void {
    const expectation = this.subject.oracle.expectationOf(exchange);
    if (expectation.must === 'open') throw new Untested(expectation.why);
    if ((expectation.must === 'granted') !== (must === 'granted')) throw new Untested(`by then it was ${expectation.what}`);
    // An answer that cannot be read serves nobody; one that is late says nothing.
    if (must === 'granted' && exchange.answer === undefined && exchange.problem?.code !== 'timeout')
      throw new Violation(`${what} is served`, inWords(exchange, this.protocol), undefined, expectation.about);
    const { challengeStatus } = this.subject.facts;
    const verdict = judge({ ...expectation, must }, what, exchange, { protocol: this.protocol, challengeStatus });
    if (verdict.kind === 'open') throw new Untested(verdict.why);
    if (verdict.kind === 'fails') throw new Violation(verdict.expected, verdict.actual, undefined, expectation.about, verdict.given);
  }

  /** A fresh token must work before its misuse says anything. */
  expectServedAsControl(exchange: Exchange): void {
    if (!isGranted(exchange, this.protocol))
      throw new Untested(seeing('a new token is not accepted for the collection', ['token.sufficient'], inWords(exchange, this.protocol)));
  }

  /** Refused with the status that this target gives to a plain read without credentials. */
  expectChallenged(exchange: Exchange, what: string): void {
    const { challengeStatus } = this.subject.facts;
    if (challengeStatus === undefined)
      throw new Untested(
        seeing('a plain read without credentials is not refused, so there is no challenge to compare with', ['challenge.status']),
      );
    this.inTime(exchange);
    if (exchange.answer?.status !== challengeStatus || isGranted(exchange, this.protocol))
      throw new Violation(`${what} gets the challenge (${challengeStatus})`, inWords(exchange, this.protocol));
  }

  /** An answer that is late, or one that asks for patience, says nothing else; a connection that is closed without one does. */
  inTime(exchange: Exchange): void {
    const { answer, problem } = exchange;
    if (answer === undefined && problem?.code === 'timeout') throw new Untested(inWords(exchange, this.protocol));
    if (answer !== undefined && isLimited(answer))
      throw new Untested(`the server limits the rate of requests (${inWords(exchange, this.protocol)})`);
  }

  answered(exchange: Exchange): Answer {
    if (exchange.answer === undefined) throw new Untested(inWords(exchange, this.protocol));
    return exchange.answer;
  }
}
