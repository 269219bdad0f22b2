import { SharedClock } from '../clock/index.js';
import { type Subject, Trial, Untested, Violation } from '../subject/index.js';
import type { LawText, Phase } from './law.js';

/** What trying all cases beside each other came to; a violation is then looked into case by case. */
export interface Swept {
  readonly tested: number;
  readonly reasons: readonly string[];
  readonly violation?: Violation;
}

/** Cases of one law under way at a time, at the least; the client bounds how many requests of all laws are. */
const width = { plain: 4, clock: 4, 'wrong-credentials': 2, history: 1 } as const satisfies Record<Phase, number>;
const hopelessTries = 3;

/** Which laws try their cases beside each other: neither wrong credentials of an account, which may take few, nor histories. */
export function isSwept(
  phase: Phase,
  { concurrency, clock, facts }: Subject,
  { sharesClock, usesUnknownAccounts }: Pick<LawText<never>, 'sharesClock' | 'usesUnknownAccounts'>,
): boolean {
  if (concurrency === 1 || facts.oneAtATime !== undefined) return false;
  if (phase === 'clock') return sharesClock === true || clock.kind === 'wait';
  return phase === 'plain' || usesUnknownAccounts === true;
}

/** Tries the cases of a law beside each other, which takes fewer round trips than one after another. */
export async function sweep<T>(
  cases: readonly T[],
  phase: Phase,
  subject: Subject,
  judge: (trial: Trial, value: T) => Promise<void>,
): Promise<Swept> {
  const reasons: string[] = [];
  const untested: T[] = [];
  let tested = 0;
  let violation: Violation | undefined;
  const attempt = async (trial: Trial, value: T) => {
    if (violation !== undefined || (tested === 0 && reasons.length >= hopelessTries)) return;
    try {
      await judge(trial, value);
      tested += 1;
    } catch (error) {
      if (error instanceof Violation) violation ??= new Violation(error.expected, error.actual, error.chain ?? trial.chain);
      else if (error instanceof Untested) reasons.push(error.message);
      else throw error;
      untested.push(value);
    }
  };
  if (phase === 'clock') await together(cases, subject, attempt);
  else await someAtATime(cases, () => widthNow(phase, subject), subject, attempt);
  // Beside others it may have taken too long to be sure of an age.
  const again = phase === 'clock' && tested > 0 ? untested.splice(0) : [];
  for (const value of again) await attempt(new Trial(subject), value);
  return { tested, reasons, ...(violation === undefined ? {} : { violation }) };
}

type Attempt<T> = (trial: Trial, value: T) => Promise<void>;

/** Laws whose cases are being tried beside each other, by target. */
const underWay = new WeakMap<Subject, number>();

/** The last laws of a phase, which nobody waits beside, take the room that the others have left. */
function widthNow(phase: Phase, subject: Subject): number {
  const { concurrency } = subject;
  const room = phase === 'plain' ? Math.floor(concurrency / (underWay.get(subject) ?? 1)) : 0;
  return Math.min(concurrency, Math.max(width[phase], room));
}

async function someAtATime<T>(cases: readonly T[], many: () => number, subject: Subject, attempt: Attempt<T>): Promise<void> {
  const count = (by: number) => underWay.set(subject, (underWay.get(subject) ?? 0) + by);
  let next = 0;
  let working = 0;
  count(1);
  await new Promise<void>((resolve, reject) => {
    const more = () => {
      for (; next < cases.length && working < many(); working += 1) void attempt(new Trial(subject), cases[next++] as T).then(done, reject);
      if (working === 0) resolve();
    };
    const done = () => {
      working -= 1;
      more();
    };
    more();
  }).finally(() => count(-1));
}

/** Real time passes for all anyway; a clock that is moved is moved for all at once. */
async function together<T>(cases: readonly T[], subject: Subject, attempt: Attempt<T>): Promise<void> {
  const { clock } = subject;
  if (clock.kind === 'wait') await Promise.all(cases.map((value) => attempt(new Trial(subject), value)));
  else {
    const shared = new SharedClock((ms) => clock.advance(ms));
    await Promise.all(cases.map((value) => shared.take((advance) => attempt(new Trial(subject, advance), value))));
  }
}
