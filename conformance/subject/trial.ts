import { isLimited } from '../expect/index.js';
import { grantOf, inWords, isGranted, judge } from '../oracle/index.js';
import type { Answer, Exchange } from '../wire/index.js';
import { isMessageOf } from './message.js';
import { Untested, Violation } from './outcome.js';
import type { Role } from './role.js';
import { Steps } from './steps.js';

/** One try of a law: the steps it takes, and what it expects of their answers. */
export class Trial extends Steps {
  /** Whether an exchange gave a token. */
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

  /** Whatever the oracle says must come. */
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
    const verdict = judge({ ...expectation, must }, what, exchange, {
      protocol: this.protocol,
      challengeStatus: this.subject.facts.challengeStatus,
    });
    if (verdict.kind === 'open') throw new Untested(verdict.why);
    if (verdict.kind === 'fails') throw new Violation(verdict.expected, verdict.actual, undefined, expectation.about, verdict.given);
  }

  /** A fresh token must work before its misuse says anything. */
  expectServedAsControl(exchange: Exchange): void {
    if (exchange.answer === undefined || grantOf(exchange.answer, this.protocol) === 'nothing') {
      throw new Untested(`a new token is not accepted for the collection (see token.sufficient; ${inWords(exchange, this.protocol)})`);
    }
  }

  /** Refused with the status that this target gives to a plain read without credentials. */
  expectChallenged(exchange: Exchange, what: string): void {
    const { challengeStatus } = this.subject.facts;
    if (challengeStatus === undefined)
      throw new Untested(
        'a plain read without credentials is not refused, so there is no challenge to compare with (see challenge.status)',
      );
    this.inTime(exchange);
    const { answer } = exchange;
    if (exchange.request.method === 'HEAD' && answer?.status === challengeStatus && challengeStatus < 300)
      throw new Untested('without its body a challenge cannot be told from a resource here (see challenge.status)');
    if (answer?.status !== challengeStatus || grantOf(answer, this.protocol) !== 'nothing') {
      throw new Violation(`${what} gets the challenge (${challengeStatus})`, inWords(exchange, this.protocol));
    }
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

  /** The answer, if it is the message that its role calls for. */
  message(exchange: Exchange, role: Role): Answer {
    if (isMessageOf(role, exchange, this.subject)) return exchange.answer;
    throw new Untested(`the answer was of another kind than this check needs (${inWords(exchange, this.protocol)})`);
  }
}
