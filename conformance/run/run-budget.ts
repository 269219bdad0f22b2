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

/** The reason with which the signal is aborted. */
class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

export interface LateRequests {
  readonly times: number;
  readonly plainest: RequestPlan;
}

/** How much of a bad target a run endures. */
export interface RunBudget {
  /** Why nothing more is sent; undefined while there is a point in it. */
  readonly over: string | undefined;
  /** Aborted with that reason at the same moment. */
  readonly signal: AbortSignal;
  /** How many connections were closed without an answer. */
  readonly dropped: number;
  /** Requests that got no whole answer in time; undefined where there was none. */
  readonly late: LateRequests | undefined;
  note(exchange: Exchange): void;
  close(): void;
}

/** How many times as many combinations triples take as pairs. */
const triplesToPairs = 6;

export function runBudget(
  { timeoutMs, runs, strength }: { timeoutMs: number; runs: number; strength?: 2 | 3 },
  isBounded: boolean,
  /** The time that a pace, chosen or found out, has cost so far; the target is not to blame for it. */
  heldMs: () => number = () => 0,
): RunBudget {
  const ended = new AbortController();
  let over: string | undefined;
  let row = 0;
  let late: LateRequests | undefined;
  let tooLarge = 0;
  let dropped = 0;
  let [answers, prompt] = [0, 0];
  const end = (reason: string) => {
    if (over !== undefined) return;
    over = reason;
    ended.abort(new GivenUp(reason));
  };
  const cases = Math.max(1, runs / defaultRuns) * (strength === 3 ? triplesToPairs : 1);
  const budgetMs = budgetInTimeouts * Math.max(timeoutMs, leastTimeoutMs) * cases;
  const tooSlow = (limitMs: number) =>
    `the target is too slow for this --timeout: the run reached its limit of ${Math.round(limitMs / 1000)} s`;
  let limitMs = budgetMs;
  let grantedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number) => {
    timer = setTimeout(
      () => {
        const moreMs = heldMs() - grantedMs;
        grantedMs += moreMs;
        if (moreMs >= leastMoreMs) wait(moreMs);
        else if (limitMs > budgetMs || late !== undefined || 2 * prompt <= answers) end(tooSlow(limitMs));
        else {
          limitMs = timesLongerIfPrompt * budgetMs;
          wait(limitMs - budgetMs);
        }
      },
      Math.min(ms, longestTimerMs),
    );
  };
  if (isBounded) wait(budgetMs);
  return {
    get over() {
      return over;
    },
    get dropped() {
      return dropped;
    },
    get late() {
      return late;
    },
    signal: ended.signal,
    note(exchange) {
      const { request, answer, problem, durationMs } = exchange;
      if (problem?.code === 'aborted') return;
      if (isHungUp(exchange) && !isPipelined(request)) dropped += 1;
      if (answer !== undefined) answers += 1;
      if ((answer?.body.length ?? 0) > largeOctets) setFlagsFromString(clearSooner);
      const isPrompt = durationMs <= promptPart * timeoutMs;
      if (answer !== undefined && isPrompt) prompt += 1;
      const message = problem?.message ?? 'no answer';
      const timedOut = problem !== undefined && durationMs >= timeoutMs;
      if (problem?.code === 'too-large' && ++tooLarge >= tooLargeInAll) end(`${tooLarge} answers were too large to be read (${message})`);
      if (!timedOut && (answer !== undefined || problem?.code === 'malformed')) {
        row = 0;
        return;
      }
      row += isHungUp(exchange) && isPrompt ? 1 : closedForOne;
      if (timedOut) late = withLate(late, request);
      // A process that ends takes its connections with it; nothing was dropped.
      const isGone = row >= inARow * closedForOne;
      if (isGone && problem?.code === 'unreachable') dropped = 0;
      if (isGone) end(`the target stopped answering (${message})`);
      else if (late !== undefined && late.times >= inAll) end(`${late.times} requests got no whole answer in time (${message})`);
    },
    close: () => clearTimeout(timer),
  };
}

function withLate(before: LateRequests | undefined, request: RequestPlan): LateRequests {
  if (before === undefined) return { times: 1, plainest: request };
  const isPlainer = request.headers.length < before.plainest.headers.length;
  return { times: before.times + 1, plainest: isPlainer ? request : before.plainest };
}
