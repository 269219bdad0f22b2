import { truncateBody } from '../evidence/index.js';
import type { User } from '../options.js';
import type { Exchange } from '../wire/index.js';
import type { Span, TargetTime } from './target-time.js';

export interface TokenEntry {
  readonly user: User | undefined;
  /** Every exchange that gave it, the first one first; one, unless the target hands tokens out again. */
  readonly issues: Exchange[];
  honoured: number;
}

/** Every token that the target gave, to whom, and how often it was honoured. */
export class TokenRecord {
  private readonly entries = new Map<string, TokenEntry>();
  private readonly inAnyCase = new Set<string>();
  /** Whether some token was handed out twice. */
  hasRepetitions = false;

  constructor(private readonly time: TargetTime) {}

  get count(): number {
    return this.entries.size;
  }

  get(token: string): TokenEntry | undefined {
    return this.entries.get(token);
  }

  noteIssued(token: string, user: User | undefined, exchange: Exchange): void {
    const entry = this.entries.get(token);
    if (entry === undefined) this.entries.set(token, { user, issues: [truncateBody(exchange)], honoured: 0 });
    else {
      entry.issues.push(truncateBody(exchange));
      this.hasRepetitions = true;
    }
    this.inAnyCase.add(token.toLowerCase());
  }

  /** Whether some answer gave this token, in any letter case. */
  has(token: string): boolean {
    return this.inAnyCase.has(token.toLowerCase());
  }

  /** The first exchange that gave this token. */
  issueOf(token: string): Exchange | undefined {
    return this.entries.get(token)?.issues[0];
  }

  wasHandedOutAgain(token: string): boolean {
    return (this.entries.get(token)?.issues.length ?? 0) > 1;
  }

  /** How often a token was seen to open something. */
  usesOf(token: string): number {
    return this.entries.get(token)?.honoured ?? 0;
  }

  /** The first token that each user got, of those since whose issue the clock was moved by no more than this. */
  firsts(mostMs: number): { readonly value: string; readonly user: User }[] {
    const movedMs = ([issue]: readonly Exchange[]) =>
      this.time.movesBetween(issue?.sentAtMs ?? 0, Infinity).reduce((sum, ms) => sum + ms, 0);
    const firsts = new Map<User, string>();
    for (const [value, { user, issues }] of this.entries)
      if (user !== undefined && !firsts.has(user) && movedMs(issues) <= mostMs) firsts.set(user, value);
    return [...firsts].map(([user, value]) => ({ user, value }));
  }

  /** Its age at the time of an exchange: at the least since it was given last, at the most since it was given first. */
  ageOf(token: string, exchange: Exchange): Span {
    const { issues } = this.entries.get(token) as TokenEntry;
    const first = this.time.between(issues[0] as Exchange, exchange);
    const last = this.time.between(issues.at(-1) as Exchange, exchange);
    return { leastMs: last.leastMs, mostMs: first.mostMs };
  }
}
