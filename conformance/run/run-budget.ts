import { setFlagsFromString } from 'node:v8';
import { defaultRuns } from '../options.js';
import { type Exchange, isHungUp, isPipelined, type RequestPlan } from '../wire/index.js';

/** Answers that never came, one after another, before the target is given up. */
const inARow = 12;
/** A connection that is closed at once costs no time, and may be all that a service does with certain requests: so many count as one. */
const closedForOne = 20;
/** The same in all: a target that answers in between can cost no more time than this. */
const inAll = 30;
/** Answers of more octets than are read: each costs time and memory, and shows nothing new. */
const tooLargeInAll = 100;
/** A run of the usual length asks for no longer than this many time-outs of one request, whatever the target does; two more are left to conclude. */
const budgetInTimeouts = 18;
/** Answers of this size leave so much behind that V8 would let the heap grow to a multiple of what is in use. */
const largeOctets = 200_000;
const clearSooner = '--heap-growing-percent=20';
/** An answer within this part of the time-out is prompt; a target most of whose answers are, and none of which ran out of time, is far away, and may take longer. */
const promptPart = 1 / 20;
const timesLongerIfPrompt = 4;
/** The judge needs time of its own, however short the time-out. */
const leastTimeoutMs = 2000;
const longestTimerMs = 2 ** 31 - 1;
const leastMoreMs = 100;

/** How many times as many combinations triples take as pairs. */
const triplesToPairs = 6;

class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** How much of a bad target a run endures. */
export class RunBudget {
  /** Why nothing more is sent; undefined while there is a point in it. */
  over: string | undefined;
  dropped = 0;
  /** Requests that got no whole answer in time; undefined where there was none. */
  late: { readonly times: number; readonly plainest: RequestPlan } | undefined;
  private readonly ended = new AbortController();
  private readonly timeoutMs: number;
  private row = 0;
  private tooLarge = 0;
  private answers = 0;
  private prompt = 0;
  private grantedMs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    { timeoutMs, runs, strength }: { timeoutMs: number; runs: number; strength?: 2 | 3 },
    isBounded: boolean,
    /** The time that a pace, chosen or found out, has cost so far; the target is not to blame for it. */
    private readonly heldMs: () => number = () => 0,
  ) {
    this.timeoutMs = timeoutMs;
    const cases = Math.max(1, runs / defaultRuns) * (strength === 3 ? triplesToPairs : 1);
    const budgetMs = budgetInTimeouts * Math.max(timeoutMs, leastTimeoutMs) * cases;
    if (isBounded) this.wait(budgetMs, budgetMs, timesLongerIfPrompt * budgetMs);
  }

  /** Aborted, with the reason, when the target is given up. */
  get signal(): AbortSignal {
    return this.ended.signal;
  }

  private wait(ms: number, limitMs: number, ifPromptMs: number): void {
    const end = () => {
      const moreMs = this.heldMs() - this.grantedMs;
      this.grantedMs += moreMs;
      if (moreMs >= leastMoreMs) this.wait(moreMs, limitMs, ifPromptMs);
      else if (limitMs === ifPromptMs || this.late !== undefined || 2 * this.prompt <= this.answers)
        this.end(`the target is too slow for this --timeout: the run reached its limit of ${Math.round(limitMs / 1000)} s`);
      else this.wait(ifPromptMs - limitMs, ifPromptMs, ifPromptMs);
    };
    this.timer = setTimeout(end, Math.min(ms, longestTimerMs));
  }

  private end(reason: string): void {
    if (this.over !== undefined) return;
    this.over = reason;
    this.ended.abort(new GivenUp(reason));
  }

  note(exchange: Exchange): void {
    const { request, answer, problem, durationMs } = exchange;
    if (problem?.code === 'aborted') return;
    if (isHungUp(exchange) && !isPipelined(request)) this.dropped += 1;
    if ((answer?.body.length ?? 0) > largeOctets) setFlagsFromString(clearSooner);
    const isPrompt = durationMs <= promptPart * this.timeoutMs;
    if (answer !== undefined) this.answers += 1;
    if (answer !== undefined && isPrompt) this.prompt += 1;
    const message = problem?.message ?? 'no answer';
    const timedOut = problem !== undefined && durationMs >= this.timeoutMs;
    if (problem?.code === 'too-large' && ++this.tooLarge >= tooLargeInAll)
      this.end(`${this.tooLarge} answers were too large to be read (${message})`);
    if (!timedOut && (answer !== undefined || problem?.code === 'malformed')) {
      this.row = 0;
      return;
    }
    // One that is closed late costs the time that it took, also where this process was too busy to see it at once.
    this.row += isHungUp(exchange) ? Math.max(1, (closedForOne * durationMs) / this.timeoutMs) : closedForOne;
    if (timedOut) {
      const { times, plainest } = this.late ?? { times: 0, plainest: request };
      this.late = { times: times + 1, plainest: request.headers.length < plainest.headers.length ? request : plainest };
    }
    // A process that ends takes its connections with it; nothing was dropped.
    const isGone = this.row >= inARow * closedForOne;
    if (isGone && problem?.code === 'unreachable') this.dropped = 0;
    if (isGone) this.end(`the target stopped answering (${message})`);
    else if (this.late !== undefined && this.late.times >= inAll)
      this.end(`${this.late.times} requests got no whole answer in time (${message})`);
  }

  close(): void {
    clearTimeout(this.timer);
  }
}
