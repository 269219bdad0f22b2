import { basic } from '../arbitraries/index.js';
import type { User } from '../options.js';
import type { Answer, ClockMove, Exchange, HeaderLine, RequestPlan } from '../wire/exchange.js';
import { light } from '../wire/index.js';
import { firstIssueOf, noteIssue } from './issued.js';
import { isMessageOf, type Role } from './role.js';
import type { Subject } from './subject.js';
import { giftOf, inWords, isLimited, nonceOf, tokenOf } from './verdicts.js';

/** The expectation was not met; the chain of the trial is the evidence. */
export class Violation extends Error {
  override readonly name = 'Violation';
  constructor(
    readonly expected: string,
    readonly actual: string,
    /** The exchanges that show it, where they are not all of the trial's. */
    readonly chain?: readonly (Exchange | ClockMove)[],
  ) {
    super(`expected ${expected}, got ${actual}`);
  }
}

/** What the check builds upon did not come about, so that it says nothing about the target. */
export class Untested extends Error {
  override readonly name = 'Untested';
}

export interface Nonce {
  readonly value: string;
}

export interface Token {
  readonly value: string;
  readonly user: User;
  /** Between these instants of our own monotonic clock it was issued. */
  readonly issuedAfterMs: number;
  readonly issuedBeforeMs: number;
}

/** How to send: anything that differs from a plain GET of the first collection. */
export interface Sending {
  readonly method?: string;
  /** A path below the base URL, with its slash; or use `target` for the whole. */
  readonly path?: string;
  readonly target?: string;
  readonly headers?: readonly HeaderLine[];
  readonly body?: string;
  readonly freshConnection?: boolean;
  /** How the names of the protocol's headers are written. */
  readonly nameCase?: (name: string) => string;
}

/** One try of a law: it takes the steps of the protocol and remembers every exchange as evidence. */
export class Trial {
  readonly chain: (Exchange | ClockMove)[] = [];
  private movedMs = 0;

  constructor(readonly subject: Subject) {}

  get protocol() {
    return this.subject.protocol;
  }

  get user(): User {
    const [user] = this.subject.ableUsers;
    if (user === undefined) throw new Untested(this.subject.facts.noLogin ?? 'no user is given');
    return user;
  }

  get firstPath(): string {
    return `/${this.subject.collections[0]}`;
  }

  async send(sending: Sending, role?: Role): Promise<Exchange> {
    const plan: RequestPlan = {
      method: sending.method ?? 'GET',
      target: sending.target ?? `${this.subject.basePath}${sending.path ?? this.firstPath}`,
      headers: sending.headers ?? [],
      ...(sending.body === undefined ? {} : { body: sending.body }),
      ...(sending.freshConnection === undefined ? {} : { freshConnection: sending.freshConnection }),
    };
    const exchange = await this.insist(plan);
    this.chain.push(light(exchange));
    if (exchange.problem?.code === 'aborted' || exchange.problem?.code === 'unreachable') throw new Untested(exchange.problem.message);
    const token = exchange.answer === undefined ? undefined : tokenOf(exchange.answer, this.protocol);
    if (token !== undefined) {
      this.subject.redactor.secret(token, 'token');
      noteIssue(this.subject, token, exchange);
    }
    if (role !== undefined) this.subject.onExchange(exchange, role, this.chain.slice());
    return exchange;
  }

  /** An answer that fails to come once may be the network's fault. What could have spent a nonce is not sent again. */
  private async insist(plan: RequestPlan): Promise<Exchange> {
    const { client, protocol } = this.subject;
    const first = await client.send(plan);
    const lost = first.answer === undefined && (first.problem?.code === 'closed' || first.problem?.code === 'timeout');
    const nonce = protocol.headers.nonce.toLowerCase();
    return lost && !plan.headers.some(([name]) => name.toLowerCase() === nonce) ? client.send(plan) : first;
  }

  /** A request without any credentials. */
  stranger(sending: Sending = {}): Promise<Exchange> {
    return this.send(sending, 'challenge');
  }

  /** Step A, to build upon. */
  async challenge(sending: Sending = {}): Promise<Nonce> {
    if (this.subject.facts.noNonce !== undefined) throw new Untested(this.subject.facts.noNonce);
    const exchange = await this.stranger(sending);
    const nonce = exchange.answer === undefined ? undefined : nonceOf(exchange.answer, this.protocol);
    if (nonce === undefined) throw new Untested(`a challenge came without a nonce (${inWords(exchange, this.protocol)})`);
    return { value: nonce };
  }

  /** A request with whatever is given as nonce and Authorization; an undefined one is left out. */
  present(nonce: string | undefined, authorization: string | undefined, sending: Sending = {}, role?: Role): Promise<Exchange> {
    const write = sending.nameCase ?? ((name: string) => name);
    const { headers } = this.protocol;
    const lines: HeaderLine[] = [...(sending.headers ?? [])];
    if (nonce !== undefined) lines.push([write(headers.nonce), nonce]);
    if (authorization !== undefined) lines.push([write(headers.authorization), authorization]);
    return this.send({ ...sending, headers: lines }, role);
  }

  /** Step B with a fresh nonce and the right credentials. */
  exchange(nonce: Nonce, user: User = this.user, sending: Sending = {}): Promise<Exchange> {
    return this.present(nonce.value, basic(this.protocol.challenge.scheme, user.id, user.paraphrase), sending, 'exchange');
  }

  /** Steps A and B, to build upon. */
  async login(user: User = this.user, sending: Sending = {}): Promise<Token> {
    if (this.subject.facts.noLogin !== undefined) throw new Untested(this.subject.facts.noLogin);
    const nonce = await this.challenge(sending);
    return this.tokenFrom(await this.exchange(nonce, user, sending), user);
  }

  tokenFrom(exchange: Exchange, user: User): Token {
    const value = exchange.answer === undefined ? undefined : tokenOf(exchange.answer, this.protocol);
    if (value === undefined) throw new Untested(`user ${user.id} got no token although others did (${inWords(exchange, this.protocol)})`);
    // What is known of a token that several exchanges gave is no longer known of one of them.
    if (firstIssueOf(this.subject, value)?.request !== exchange.request)
      throw new Untested('a token was handed out twice (see exchange.token-unique)');
    return {
      value,
      user,
      issuedAfterMs: this.movedMs + exchange.sentAtMs,
      issuedBeforeMs: this.movedMs + exchange.sentAtMs + exchange.durationMs,
    };
  }

  /** Step C: a request with a token and nothing else. */
  use(token: string | Token, sending: Sending = {}, role?: Role): Promise<Exchange> {
    const value = typeof token === 'string' ? token : token.value;
    const write = sending.nameCase ?? ((name: string) => name);
    return this.send({ ...sending, headers: [...(sending.headers ?? []), [write(this.protocol.headers.token), value]] }, role);
  }

  async advance(ms: number): Promise<void> {
    if (ms <= 0) return;
    await this.subject.clock.advance(ms).catch((error: unknown) => {
      throw new Untested(`the clock could not be moved (${(error as Error).message})`);
    });
    this.movedMs += this.subject.clock.kind === 'wait' ? 0 : ms;
    this.chain.push({ advancedMs: ms });
  }

  /** Milliseconds since this token was issued, at the least and at the most, at the time of an exchange. */
  ageAt(token: Token, exchange: Exchange): { leastMs: number; mostMs: number } {
    const sent = this.movedMs + exchange.sentAtMs;
    const running = sent - token.issuedBeforeMs;
    // A clock under test control may stand still between moves, or run on: the age lies between the two.
    const leastMs = this.subject.clock.kind === 'wait' ? running : Math.min(running, this.movedSince(token));
    return { leastMs, mostMs: sent + exchange.durationMs - token.issuedAfterMs };
  }

  private movedSince(token: Token): number {
    let moved = 0;
    let seen = false;
    for (const link of this.chain) {
      if ('advancedMs' in link) moved += seen ? link.advancedMs : 0;
      else if (link.answer !== undefined && tokenOf(link.answer, this.protocol) === token.value) seen = true;
    }
    return moved;
  }

  expectServed(exchange: Exchange, what: string): void {
    const { answer } = exchange;
    if (answer !== undefined && isLimited(answer)) throw new Untested(`the target limits rates (${inWords(exchange, this.protocol)})`);
    if (answer === undefined || answer.status < 200 || answer.status > 299 || giftOf(answer, this.protocol) === 'nothing') {
      throw new Violation(`${what} is served`, inWords(exchange, this.protocol));
    }
  }

  /** A fresh token must work before its misuse says anything. */
  expectServedAsControl(exchange: Exchange): void {
    if (exchange.answer === undefined || giftOf(exchange.answer, this.protocol) === 'nothing') {
      throw new Untested(`a fresh token does not open the collection (see token.sufficient; ${inWords(exchange, this.protocol)})`);
    }
  }

  /** Refused: no token and nothing served. No answer at all says nothing. */
  expectRefused(exchange: Exchange, what: string): Answer {
    const answer = this.answered(exchange);
    if (isLimited(answer)) throw new Untested(`the target limits rates or attempts (${inWords(exchange, this.protocol)})`);
    if (giftOf(answer, this.protocol) !== 'nothing')
      throw new Violation(`${what} is refused, with no token and no resource`, inWords(exchange, this.protocol));
    return answer;
  }

  /** Refused with the status that this target gives to a plain read without credentials. */
  expectChallenged(exchange: Exchange, what: string): void {
    const { challengeStatus } = this.subject.facts;
    if (challengeStatus === undefined)
      throw new Untested('a plain read is not refused, so there is no challenge to compare with (see challenge.status)');
    const { answer } = exchange;
    if (answer !== undefined && isLimited(answer)) throw new Untested(`the target limits rates (${inWords(exchange, this.protocol)})`);
    if (exchange.request.method === 'HEAD' && answer?.status === challengeStatus && challengeStatus < 300)
      throw new Untested('a challenge without its body looks like a resource here (see challenge.status)');
    if (answer?.status !== challengeStatus || giftOf(answer, this.protocol) !== 'nothing') {
      throw new Violation(`${what} gets the challenge (${challengeStatus})`, inWords(exchange, this.protocol));
    }
  }

  answered(exchange: Exchange): Answer {
    if (exchange.answer === undefined) throw new Untested(inWords(exchange, this.protocol));
    return exchange.answer;
  }

  /** The answer, if it is the message that its role calls for. */
  message(exchange: Exchange, role: Role): Answer {
    if (isMessageOf(role, exchange, this.subject)) return exchange.answer;
    throw new Untested(`the answer was not the one to look at (${inWords(exchange, this.protocol)})`);
  }
}
