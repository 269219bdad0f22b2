import type { Role, Subject } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';

const mostOctets = 8192;

/** Whether an answer is like none before, like one from another address, or like one from the same. */
export type Like = 'none' | 'another' | 'same';

/**
 * Compares answers in all that laws about answers look at: two that are alike are judged alike, and most answers of a run are like one
 * before. Of nonces and tokens in their proper shape only the shape counts; who remembers values looks at every answer.
 */
export class Likeness {
  private readonly addresses = new Set<string>();
  /** Header lines, bodies and whole answers, of which there are few, by a number: addresses, of which there are many, keep no more. */
  private readonly numbers = new Map<string, number>();
  private readonly bodies = new WeakMap<Buffer, number>();

  /** None too when the answer is to be judged in any case. */
  of({ request, answer, problem }: Exchange, role: Role, { facts, protocol }: Subject): Like {
    if (answer === undefined || answer.body.length > mostOctets || (facts.challenge === undefined && !facts.off)) return 'none';
    let head = '';
    for (const [name, value] of answer.headers) head += `\n${name}:${isFresh(name, value, protocol) ? '' : value}`;
    const parts = `${this.numberOf(head)} ${this.numberOfBody(answer.body)}`;
    const before = this.numbers.size;
    const number = this.numberOf(`${role} ${request.method} ${answer.status} ${parts} ${problem?.message ?? ''}`);
    const address = `${number} ${request.target}`;
    if (this.addresses.has(address)) return 'same';
    this.addresses.add(address);
    return number === before ? 'none' : 'another';
  }

  private numberOfBody(body: Buffer): number {
    const known = this.bodies.get(body);
    if (known !== undefined) return known;
    const number = this.numberOf(`\n\n${body.toString('latin1')}`);
    this.bodies.set(body, number);
    return number;
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
