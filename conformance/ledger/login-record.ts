import type { User } from '../options.js';
import type { Exchange } from '../wire/index.js';
import type { Span } from './target-time.js';
import type { Ticket } from './ticket.js';

/** What happened between the issue of a nonce and its use. How long a nonce lives, and what displaces it, is open (rule 7). */
interface Distance {
  readonly challenges: number;
  readonly logins: number;
  readonly ageMs: number;
}

/** A nonce that is presented at once, with nothing in between, must open. */
const atOnceMs = 1000;

/** Which logins with a fresh nonce were granted and which were refused, and whether a refusal may be due to the age of the nonce. */
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

  /** Wrong attempts since the last login of the account. Whether they lock it is open. */
  wrongAttempts(user: User): number {
    return this.wrong.get(user) ?? 0;
  }

  note({ nonce, challengesBefore, loginsBefore }: Ticket, age: Span, exchange: Exchange, opened: boolean): void {
    if (nonce === undefined) return;
    const distance = {
      challenges: challengesBefore - nonce.issueNumber,
      // A login that overlapped this one may have displaced its nonce, too.
      logins: Math.max(loginsBefore, this.granted) - nonce.loginNumber,
      // In favour of the target: a nonce that opened counts as young as it may have been, one that was refused as old.
      ageMs: opened ? age.leastMs : age.mostMs,
    };
    if (!opened) this.refused.set(exchange, distance);
    else if (!this.opened.some((each) => isAsFar(each, distance))) this.opened.push(distance);
  }

  /** Whether the refusal of this login is open: no nonce that had seen as much was ever accepted. */
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
