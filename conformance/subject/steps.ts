import { basic } from '../arbitraries/index.js';
import { truncateBody } from '../evidence/index.js';
import { nonceOf, tokenOf } from '../expect/index.js';
import type { User } from '../options.js';
import { inWords, type Span } from '../oracle/index.js';
import { type ClockMove, type Exchange, type HeaderLine, headerValues, isPipelined, type RequestPlan } from '../wire/index.js';
import { Untested } from './outcome.js';
import { guardedPaths } from './paths.js';
import type { Role } from './role.js';
import type { Subject } from './subject.js';

export interface Nonce {
  readonly value: string;
}

export interface Token {
  readonly value: string;
  readonly user: User;
}

/** So long a nonce that was taken ahead is kept. */
const keptMs = 2000;

/** How to send: anything that differs from a plain GET of the first collection. */
export interface Sending extends Partial<RequestPlan> {
  /** A path below the base URL, with its slash; or use `target` for the whole. */
  readonly path?: string;
  /** How the names of the protocol's headers are written. */
  readonly nameCase?: (name: string) => string;
}

/** How the steps are taken, where not as usual. */
interface How {
  /** How the clock is moved, where several tries share it. */
  readonly moveClock?: (ms: number) => Promise<void>;
  /** The default user; otherwise the first who can log in. */
  readonly as?: User;
  /** A nonce that a challenge to another case has just brought will do: one request less. What fails with it is tried again without. */
  readonly sharesNonces?: boolean;
}

/** Takes the steps of the protocol and remembers every exchange as evidence. */
export class Steps {
  readonly chain: (Exchange | ClockMove)[] = [];

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
    if (exchange.ahead !== undefined) this.chain.push(truncateBody(exchange.ahead));
    this.chain.push(truncateBody(exchange));
    if (exchange.problem?.code === 'aborted' || exchange.problem?.code === 'unreachable') throw new Untested(exchange.problem.message);
    const token = exchange.answer === undefined ? undefined : tokenOf(exchange.answer, this.protocol);
    if (token !== undefined) this.subject.redactor.token(token);
    if (role !== undefined) this.subject.onExchange(exchange, role, this.chain.slice());
    return exchange;
  }

  /** An answer that fails to come once may be the network's fault. What could have spent a nonce, or may be left unanswered, is not sent again. */
  private isWorthAnother({ request, answer, problem }: Exchange): boolean {
    if (answer !== undefined || isPipelined(request) || (problem?.code !== 'closed' && problem?.code !== 'timeout')) return false;
    return [this.protocol.headers.nonce, 'Upgrade'].every((name) => headerValues(request, name).length === 0);
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
    const exchange = await this.send(sending, 'challenge');
    const nonce = exchange.answer === undefined ? undefined : nonceOf(exchange.answer, this.protocol);
    if (nonce === undefined) throw new Untested(`a challenge came without a nonce (${inWords(exchange, this.protocol)})`);
    return { value: nonce };
  }

  private spareNonce(): Nonce | undefined {
    const { spareNonces } = this.subject;
    for (let spare = spareNonces.shift(); spare !== undefined; spare = spareNonces.shift()) {
      const { exchange, nonce } = spare;
      if (performance.now() - exchange.sentAtMs > keptMs) continue;
      this.chain.push(exchange);
      return { value: nonce };
    }
    return undefined;
  }

  /** Keeps the nonce that a refused read brought for whoever shares nonces. */
  spareNonceOf(exchange: Exchange): void {
    const { facts, spareNonces, oracle } = this.subject;
    const isPlain =
      exchange.request.body === undefined && (facts.refusalsOffer === true || oracle.expectationOf(exchange).must === 'challenged');
    const nonce = exchange.answer === undefined ? undefined : nonceOf(exchange.answer, this.protocol);
    if (facts.oneAtATime === undefined && isPlain && nonce !== undefined) spareNonces.push({ nonce, exchange: truncateBody(exchange) });
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
    const whole = this.withCredentials(nonce, authorization, sending);
    const refused = oracle.refusedInARow(whole.headers);
    // At once where nothing stands against it, because some laws send requests beside each other.
    if (refused?.times !== accounts.wrongInARow) return this.send(whole, role);
    return this.loginAside(refused.account).then(() => this.send(whole, role));
  }

  private withCredentials(nonce: string | undefined, authorization: string | undefined, sending: Sending) {
    const write = sending.nameCase ?? ((name: string) => name);
    const { headers } = this.protocol;
    const lines: HeaderLine[] = [...(sending.headers ?? [])];
    if (nonce !== undefined) lines.push([write(headers.nonce), nonce]);
    if (authorization !== undefined) lines.push([write(headers.authorization), authorization]);
    return { ...sending, headers: lines };
  }

  /** Logs in where that is possible, so that refusals before it are forgotten, and leaves no trace of it in the evidence. */
  async loginAside(user: User = this.user): Promise<void> {
    const before = this.chain.length;
    await this.login(user).catch(() => undefined);
    this.chain.splice(before);
  }

  private credentialsOf({ id, paraphrase }: User): string {
    return basic(this.protocol.challenge.scheme, id, paraphrase);
  }

  /** Step B with a nonce and the right credentials. */
  exchange(nonce: Nonce, user: User = this.user, sending: Sending = {}): Promise<Exchange> {
    return this.present(nonce.value, this.credentialsOf(user), sending, 'exchange');
  }

  /** Step B with a nonce that was given just now. */
  private exchangeFresh(nonce: Nonce, user: User, sending: Sending = {}): Promise<Exchange> {
    return this.send(this.withCredentials(nonce.value, this.credentialsOf(user), sending), 'exchange');
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
    const offered = answer === undefined ? undefined : nonceOf(answer, this.protocol);
    const exchange = offered === undefined ? undefined : await this.exchangeFresh({ value: offered }, user);
    const isGiven = exchange?.answer !== undefined && tokenOf(exchange.answer, this.protocol) !== undefined;
    if (!isGiven) return this.login(user);
    this.subject.facts.refusalsOffer = true;
    return this.tokenFrom(exchange, user);
  }

  tokenFrom(exchange: Exchange, user: User): Token {
    const value = exchange.answer === undefined ? undefined : tokenOf(exchange.answer, this.protocol);
    if (value === undefined)
      throw new Untested(`user ${user.id} got no token, although other users did (${inWords(exchange, this.protocol)})`);
    return { value, user };
  }

  /** Step C: a request with a token and nothing else. */
  use(token: string | Token, sending: Sending = {}, role?: Role): Promise<Exchange> {
    const value = typeof token === 'string' ? token : token.value;
    const write = sending.nameCase ?? ((name: string) => name);
    return this.send({ ...sending, headers: [...(sending.headers ?? []), [write(this.protocol.headers.token), value]] }, role);
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
      this.subject.facts.clockFailed = (error as Error).message;
      throw new Untested(`the clock could not be moved (${(error as Error).message})`, 'call');
    });
    this.chain.push({ advancedMs: ms });
  }

  /** Milliseconds since this token was issued, at the least and at the most, at the time of an exchange. */
  ageAt(token: Token, exchange: Exchange): Span {
    return this.subject.oracle.tokens.ageOf(token.value, exchange);
  }
}
