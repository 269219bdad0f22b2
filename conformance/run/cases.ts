import { SharedClock } from '../clock/index.js';
import type { Law } from '../laws/index.js';
import { inParallel } from '../parallel.js';
import { type Subject, Trial, Untested, Violation } from '../subject/index.js';

/** What became of one case of a law. */
export interface Tried<T> {
  /** Its number among the cases of the law, by which it can be repeated. */
  readonly index: number;
  readonly value: T;
  readonly outcome: 'held' | Untested | Violation;
}

/** Cases of one law under way at a time; the client bounds how many requests of all laws are. */
const width = { plain: 4, clock: 4, 'wrong-credentials': 4, history: 1 } as const;
/** A law none of whose first cases could be tried is not tried further. */
const hopelessTries = 3;
/** So many violations show what there is to show. */
const enoughViolations = 12;

/** Which laws try their cases side by side: no histories. Accounts that are given wrong credentials are borrowed for it. */
export function isSideBySide(law: Law, { concurrency, clock, facts, oracle }: Subject): boolean {
  if (concurrency === 1 || facts.oneAtATime !== undefined) return false;
  if (law.phase === 'clock') return !clock.isInstant || (law.sharesClock !== undefined && !oracle.tokens.hasRepetitions);
  return law.phase !== 'history';
}

/** Tries every case of a law, side by side where that is fair. */
export async function tryCases<T>(
  law: Law<T>,
  values: readonly T[],
  subject: Subject,
  alone: boolean,
  line = new SharedClock((ms) => subject.clock.advance(ms)),
): Promise<Tried<T>[]> {
  const tried: Tried<T>[] = [];
  const isPointless = () => {
    const held = tried.some(({ outcome }) => outcome === 'held');
    const violations = tried.filter(({ outcome }) => outcome instanceof Violation).length;
    return violations >= enoughViolations || (!held && violations === 0 && tried.length >= hopelessTries);
  };
  const attempt = async (index: number, trial: Trial) => {
    if (isPointless()) return;
    const value = values[index] as T;
    tried.push({ index, value, outcome: await outcomeOf(law, value, trial) });
  };
  const beside = !alone && isSideBySide(law as Law, subject);
  if (!beside) for (const index of values.keys()) await attempt(index, new Trial(subject));
  else if (law.phase === 'clock') await together(values, subject, line, attempt);
  else {
    const many = Math.min(subject.concurrency, width[law.phase]);
    await inParallel([...values.keys()], many, (index) => attempt(index, new Trial(subject, { sharesNonces: true })));
  }
  return tried;
}

/** What goes wrong in the judge itself says nothing of the target. */
export async function outcomeOf<T>(law: Law<T>, value: T, trial: Trial): Promise<Tried<T>['outcome']> {
  try {
    await law.judge(trial, value, trial.subject).finally(() => trial.subject.onCase?.(law.id, trial.chain));
    return 'held';
  } catch (error) {
    if (error instanceof Violation)
      return error.chain === undefined ? new Violation(error.expected, error.actual, trial.chain, error.about, error.given) : error;
    return error instanceof Untested
      ? error
      : new Untested(`the check itself failed with an error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Real time passes for all anyway; a clock that is moved is moved for all at once. */
async function together<T>(
  values: readonly T[],
  subject: Subject,
  line: SharedClock,
  attempt: (index: number, trial: Trial) => Promise<void>,
): Promise<void> {
  const indexes = [...values.keys()];
  if (!subject.clock.isInstant) await Promise.all(indexes.map((index) => attempt(index, new Trial(subject))));
  else await Promise.all(indexes.map((index) => line.take((advance) => attempt(index, new Trial(subject, { moveClock: advance })))));
}
