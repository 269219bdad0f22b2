import type { User } from '../options.js';
import type { Exchange } from '../wire/index.js';
import type { Span } from './target-time.js';
import type { Ticket } from './ticket.js';

/** How far a nonce was from being the newest when it was presented: lifetime and displacement of nonces are open (rule 7). */
interface Distance {
  readonly challenges: number;
  readonly logins: number;
  readonly ageMs: number;
}

/** A nonce that is presented at once, with nothing in between, must open. */
const atOnceMs = 1000;

/** Which logins with a fresh nonce were granted and which were refused, and what the refused ones can be blamed for. */
export class LoginRecord {
  granted = 0;
  private readonly opened: Distance[] = [];
  private readonly refused = new Map<Exchange, Distance>();
  private readonly wrong = new Map<User, number>();

  noteGranted(user: User): void {
    this.granted += 1;
    this.wrong.set(user, 0);
  }

  noteWrong(account: User): void {
    this.wrong.set(account, this.wrongAttempts(account) + 1);
  }

  /** Since the account was last granted a login. An account that locks itself is open. */
  wrongAttempts(user: User): number {
    return this.wrong.get(user) ?? 0;
  }

  note({ nonce, challengesBefore, loginsBefore }: Ticket, age: Span, exchange: Exchange, opened: boolean): void {
    if (nonce === undefined) return;
    const distance = {
      challenges: challengesBefore - nonce.issueNumber,
      // What overlapped this login in time may have displaced its nonce too.
      logins: Math.max(loginsBefore, this.granted) - nonce.loginNumber,
      // In doubt for the target: what opened may have been young, and what was refused old.
      ageMs: opened ? age.leastMs : age.mostMs,
    };
    if (!opened) this.refused.set(exchange, distance);
    else if (!this.opened.some((each) => isAsFar(each, distance))) this.opened.push(distance);
  }

  /** Whether the refusal of this login says nothing: no nonce as far from the newest was seen to open. */
  isOpen(exchange: Exchange): boolean {
    const distance = this.refused.get(exchange);
    if (distance === undefined) return false;
    if (distance.challenges <= 0 && distance.logins <= 0 && distance.ageMs < atOnceMs) return false;
    return !this.opened.some((each) => isAsFar(each, distance));
  }
}

function isAsFar(one: Distance, other: Distance): boolean {
  return one.challenges >= other.challenges && one.logins >= other.logins && one.ageMs >= other.ageMs;
}
