import type { Role, Subject } from '../subject/index.js';
import type { Exchange } from '../wire/exchange.js';

const mostOctets = 8192;

/**
 * Tells whether an answer is like one before in all that laws about answers look at: two that are alike are judged alike, and most
 * answers of a run are like one before. Of nonces and tokens in their proper shape only the shape counts; who remembers values looks at
 * every answer.
 */
export class Likeness {
  private readonly seen = new Set<string>();
  /** Headers and bodies, of which there are few, by a number: requests, of which there are many, remember no more than that. */
  private readonly numbers = new Map<string, number>();

  /** False too when the answer is to be judged in any case. */
  isKnown({ request, answer, problem }: Exchange, role: Role, { facts, protocol }: Subject): boolean {
    if (answer === undefined || answer.body.length > mostOctets || (facts.challenge === undefined && !facts.off)) return false;
    let head = '';
    for (const [name, value] of answer.headers) head += `\n${name}:${isFresh(name, value, protocol) ? '' : value}`;
    const parts = `${this.numberOf(head)} ${this.numberOf(`\n\n${answer.body.toString('latin1')}`)}`;
    const likeness = `${role} ${request.method} ${request.target} ${answer.status} ${parts} ${problem?.message ?? ''}`;
    if (this.seen.has(likeness)) return true;
    this.seen.add(likeness);
    return false;
  }

  private numberOf(text: string): number {
    const number = this.numbers.get(text) ?? this.numbers.size;
    if (number === this.numbers.size) this.numbers.set(text, number);
    return number;
  }
}

function isFresh(name: string, value: string, { headers, challenge, exchange }: Subject['protocol']): boolean {
  if (name === headers.nonce) return challenge.noncePattern.test(value);
  return name === headers.token && exchange.tokenPattern.test(value);
}
