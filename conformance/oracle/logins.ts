import type { User } from '../options.js';
import type { Exchange, RequestPlan } from '../wire/index.js';
import { Occasions } from './nonces.js';
import type { Span } from './target-time.js';

/** What happened between the issue of a nonce and its use. How long a nonce lives, and what displaces it, is open (rule 7). */
interface Distance {
  readonly challenges: number;
  readonly logins: number;
  readonly ageMs: number;
}

/** What may be behind the refusal of a login, and is open: other nonces, or refused logins before it. */
export type Excuse = 'displaced' | 'locked';

interface Attempt {
  readonly request: RequestPlan;
  /** Right ones that were refused, and wrong ones. */
  readonly kind: 'granted' | 'right' | 'wrong';
  readonly atMs: number;
}

/** A nonce that is presented within this time is not too old. */
const atOnceMs = 1000;
/** With nothing in between a nonce must open. */
const atOnce: Distance = { challenges: 0, logins: 0, ageMs: 0 };
/** After so many refused logins services begin to lock an address. */
const lockingAttempts = 3;
/** So many right logins are refused in a row where an address is locked. */
const lockedLogins = 3;

/** Which logins were granted and which were refused, and whether a refusal may be due to the nonce or to what was refused before. */
export class LoginRecord {
  private readonly grants = new Occasions();
  private readonly opened: Distance[] = [];
  private readonly refused = new Map<RequestPlan, { readonly issue: Exchange; readonly exchange: Exchange; readonly age: Span }>();
  private readonly wrong = new Map<User, number>();
  private readonly inARow = new Map<User, number>();
  private readonly loggedIn = new Set<User>();
  private readonly attempts: Attempt[] = [];

  /** `challenges`: the answers that gave a nonce. */
  constructor(private readonly challenges: Occasions) {}

  get granted(): number {
    return this.grants.count;
  }

  /** Whether the user has logged in, so that it is known how the paraphrase is written. */
  hasLoggedIn(user: User): boolean {
    return this.loggedIn.has(user);
  }

  noteGranted(user: User, exchange: Exchange): void {
    this.grants.note(exchange);
    this.wrong.set(user, 0);
    this.inARow.set(user, 0);
    this.loggedIn.add(user);
    this.noteAttempt(exchange, 'granted');
  }

  noteWrong(account: User): void {
    this.wrong.set(account, this.wrongAttempts(account) + 1);
  }

  /** Whether a lock of the account is open: after wrong credentials, or many refusals of any kind, since its last login. */
  mayBeLocked(user: User): boolean {
    return this.wrongAttempts(user) > 0 || this.refusedInARow(user) >= lockingAttempts;
  }

  /** Attempts with wrong credentials since the last login of the account. */
  wrongAttempts(user: User): number {
    return this.wrong.get(user) ?? 0;
  }

  /** To be called for every request with credentials that was given nothing. */
  noteRefused(exchange: Exchange, kind: 'right' | 'wrong', account: User | undefined): void {
    this.noteAttempt(exchange, kind);
    if (account !== undefined) this.inARow.set(account, this.refusedInARow(account) + 1);
  }

  /** Requests with its credentials, right or wrong, that were refused since the last login of the account. */
  refusedInARow(account: User): number {
    return this.inARow.get(account) ?? 0;
  }

  private noteAttempt({ request, sentAtMs, durationMs }: Exchange, kind: Attempt['kind']): void {
    this.attempts.push({ request, kind, atMs: sentAtMs + durationMs });
  }

  /** The logins that were refused where the address may have been locked after wrong ones. Whether services do that is open. */
  inLocks(): Set<RequestPlan> {
    const locked = new Set<RequestPlan>();
    let wrong = 0;
    let right: RequestPlan[] = [];
    for (const { kind, request } of this.attempts.toSorted((one, other) => one.atMs - other.atMs)) {
      if (kind === 'granted') [wrong, right] = [0, []];
      else if (kind === 'wrong') wrong += 1;
      else if (wrong >= lockingAttempts) right.push(request);
      if (right.length >= lockedLogins) for (const each of right) locked.add(each);
    }
    return locked;
  }

  /** In favour of the target, a nonce that opened has seen as little as it may have seen, one that was refused as much. */
  notePresented(issue: Exchange, exchange: Exchange, age: Span, opened: boolean): void {
    if (!opened) {
      this.refused.set(exchange.request, { issue, exchange, age });
      return;
    }
    const distance = {
      challenges: this.challenges.fewestBetween(issue, exchange),
      logins: this.grants.fewestBetween(issue, exchange),
      ageMs: age.leastMs,
    };
    if (!this.opened.some((each) => isAsFar(each, distance))) this.opened.push(distance);
  }

  /** Whether the refusal of this login is open: no nonce that had seen as much was ever accepted. */
  isOpen(login: RequestPlan): boolean {
    const seen = this.refused.get(login);
    if (seen === undefined) return false;
    const { issue, exchange, age } = seen;
    const distance = {
      challenges: this.challenges.mostBetween(issue, exchange),
      logins: this.grants.mostBetween(issue, exchange),
      ageMs: age.mostMs < atOnceMs ? 0 : age.mostMs,
    };
    return ![atOnce, ...this.opened].some((each) => isAsFar(each, distance));
  }
}

function isAsFar(one: Distance, other: Distance): boolean {
  return one.challenges >= other.challenges && one.logins >= other.logins && one.ageMs >= other.ageMs;
}
