import { type Answer, headerValues, type RequestPlan } from './exchange.js';
import type { Pace } from './pace.js';
import type { Time } from './time.js';

const tooManyRequests = 429;
const unavailable = 503;
/** Where the target asks for patience but not how long; and the least, so that "0" does not become a busy loop. */
const unsaidMs = 1000;
const leastMs = 250;

/** What every request that is taken gives back of the budget: whoever takes twenty a second can ask for many waits. */
const regainedMs = 50;

/** Requests that are limited together. */
interface Lane {
  leftMs: number;
  resumeAtMs: number;
}

/** Obeys "too many requests": one wait for all requests of a run, within a budget; and another for logins, of which many services bear fewer. */
export class Patience {
  /** How many answers said "too many requests". */
  rateLimited = 0;
  private readonly logins: Lane;
  private readonly others: Lane;
  private limitsOthers = false;

  constructor(
    private readonly budgetMs: number,
    private readonly time: Time,
    private readonly pace: Pace,
  ) {
    this.logins = { leftMs: budgetMs, resumeAtMs: 0 };
    this.others = { leftMs: budgetMs, resumeAtMs: 0 };
  }

  private laneOf(plan: RequestPlan): Lane {
    return isLogin(plan) ? this.logins : this.others;
  }

  isHolding(plan: RequestPlan): boolean {
    const { resumeAtMs } = this.laneOf(plan);
    return resumeAtMs > 0 && resumeAtMs > this.time.now();
  }

  /** Holds a request back while the target wants to be left alone. */
  async hold(plan: RequestPlan, signal: AbortSignal): Promise<void> {
    const lane = this.laneOf(plan);
    for (let ms = lane.resumeAtMs - this.time.now(); ms > 0 && !signal.aborted; ms = lane.resumeAtMs - this.time.now()) {
      await this.time.pause(ms, signal);
    }
  }

  /** Whether the request behind this answer is to be sent again after a wait. Every answer is asked about, so that the pace follows them. */
  asksAgain(plan: RequestPlan, answer: Answer | undefined): boolean {
    if (answer === undefined) return false;
    const lane = this.laneOf(plan);
    if (answer.status !== tooManyRequests && answer.status !== unavailable) {
      lane.leftMs = Math.min(this.budgetMs, lane.leftMs + regainedMs);
      this.pace.taken();
      return false;
    }
    if (answer.status === tooManyRequests) this.rateLimited += 1;
    if (lane === this.others) this.limitsOthers = true;
    const waitMs = this.told(answer);
    if (waitMs === undefined) return false;
    const now = this.time.now();
    const resumeAtMs = now + Math.max(waitMs, leastMs);
    const extraMs = Math.max(0, resumeAtMs - Math.max(now, lane.resumeAtMs));
    if (extraMs > lane.leftMs) {
      if (this.limitsOthers) this.pace.drop();
      return false;
    }
    lane.leftMs -= extraMs;
    // Where logins alone are limited, other requests need neither wait nor go slower.
    for (const each of this.limitsOthers ? [this.logins, this.others] : [lane]) each.resumeAtMs = Math.max(each.resumeAtMs, resumeAtMs);
    if (this.limitsOthers) this.pace.limited(lane.resumeAtMs);
    return true;
  }

  /** Retry-After as seconds or as a date (RFC 9110, section 10.2.3), a date as seen by the target's own clock. */
  private told(answer: Answer): number | undefined {
    const [value] = headerValues(answer, 'retry-after');
    if (value === undefined) return answer.status === tooManyRequests ? unsaidMs : undefined;
    if (/^[0-9]{1,9}$/.test(value)) return Number(value) * 1000;
    const until = Date.parse(value);
    if (Number.isNaN(until)) return answer.status === tooManyRequests ? unsaidMs : undefined;
    const said = Date.parse(headerValues(answer, 'date')[0] ?? '');
    return Math.max(0, until - (Number.isNaN(said) ? this.time.wallNow() : said));
  }
}

function isLogin(plan: RequestPlan): boolean {
  return headerValues(plan, 'authorization').length > 0;
}
