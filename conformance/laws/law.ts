import fc from 'fast-check';
import { truncateBodies } from '../evidence/index.js';
import type { Finding } from '../finding.js';
import { type Subject, Trial, Untested, Violation } from '../subject/index.js';
import { seedOf } from './seed.js';
import { isSwept, sweep } from './sweep.js';

/**
 * When a law runs: beside others; alone and moving the clock; late, because it gives wrong credentials to real accounts;
 * or last, because what it shows is better told by a law of its own.
 */
export type Phase = 'plain' | 'clock' | 'wrong-credentials' | 'history';

export interface How {
  readonly runs: number;
  readonly seed: number;
  /** Repeats one case only: the path that a failure reported. */
  readonly path?: string;
  /** One case after another. */
  readonly alone?: boolean;
}

/** A property of the target, tied to one requirement of the catalogue. */
export interface Law {
  /** The check's id: its requirement's, and a name where a requirement has several laws. */
  readonly id: string;
  readonly requirement: string;
  readonly phase: Phase;
  check(subject: Subject, how: How): Promise<Finding>;
}

/** What a law says: for all given values, and for every example, the judgement throws nothing. */
export interface LawText<T> {
  /** Tells several laws of one requirement apart. */
  readonly name?: string;
  readonly phase?: Phase;
  /** Of those that move the clock: its cases log in before the first move only, so that they can share the moves. */
  readonly sharesClock?: boolean;
  /** Of those that give wrong credentials: they are those of no account, so that two can be given at a time. */
  readonly usesUnknownAccounts?: boolean;
  /** Cases that are always tried, before the random ones. */
  examples?(subject: Subject): readonly T[];
  /** A history needs, to be repeated, the path through its steps besides the path to the case. */
  given(subject: Subject, replayPath?: string): fc.Arbitrary<T>;
  /** How many random cases, of the runs asked for; all by default. */
  randomCases?(runs: number, subject: Subject): number;
  judge(trial: Trial, value: T, subject: Subject): Promise<void>;
}

/** Tries after a failure, to shrink it: enough for a short chain, and no longer than a slow target allows. */
const shrinkTries = 40;
const shrinkMs = 4000;
const hopelessTries = 3;

export function law<T>(requirement: string, text: LawText<T>): Law {
  const id = text.name === undefined ? requirement : `${requirement}/${text.name}`;
  return { id, requirement, phase: text.phase ?? 'plain', check: (subject, how) => checkLaw(id, requirement, text, subject, how) };
}

async function checkLaw<T>(id: string, requirement: string, text: LawText<T>, subject: Subject, how: How): Promise<Finding> {
  const examples = (text.examples?.(subject) ?? []).map((example): [T] => [example]);
  const random = text.randomCases?.(how.runs, subject) ?? how.runs;
  const reasons: string[] = [];
  let tested = 0;
  let triesAfterFailure = -1;
  let failedAtMs = 0;
  const [path, replayPath] = how.path?.split('#') ?? [];
  const property = fc.asyncProperty(text.given(subject, replayPath), async (value) => {
    if (tested === 0 && reasons.length >= hopelessTries) return;
    if (triesAfterFailure >= 0 && (++triesAfterFailure > shrinkTries || performance.now() - failedAtMs > shrinkMs)) return;
    const trial = new Trial(subject);
    try {
      await text.judge(trial, value, subject);
      tested += 1;
    } catch (error) {
      if (error instanceof Untested) {
        reasons.push(error.message);
        return;
      }
      if (triesAfterFailure < 0) failedAtMs = performance.now();
      triesAfterFailure = Math.max(triesAfterFailure, 0);
      throw error instanceof Violation && error.chain === undefined ? new Violation(error.expected, error.actual, trial.chain) : error;
    }
  });
  const finding = { requirement, check: id, engine: 'laws', seed: how.seed } as const;
  const cases = { seed: seedOf(how.seed, id), numRuns: Math.max(1, examples.length + random), examples };
  const phase = text.phase ?? 'plain';
  let besideOthers: Violation | undefined;
  if (path === undefined && how.alone !== true && isSwept(phase, subject, text)) {
    const values = fc.sample(property, cases).map(([value]) => value);
    const swept = await sweep(values, phase, subject, (trial, value) => text.judge(trial, value, subject));
    if (swept.violation === undefined && swept.tested > 0) return { ...finding, outcome: 'pass' };
    besideOthers = swept.violation;
  }
  const details = await fc.check(property, { ...cases, ...(path === undefined ? {} : { path }) });
  const error: unknown = details.failed ? details.errorInstance : undefined;
  if (error instanceof Violation) {
    const example = fc.stringify(details.counterexample);
    const repeated = details.counterexamplePath === null ? {} : { path: details.counterexamplePath + replayOf(example) };
    return { ...finding, ...failure(error), ...repeated, example };
  }
  if (error !== undefined)
    return {
      ...finding,
      outcome: 'untested',
      message: `the check itself broke off: ${error instanceof Error ? error.message : String(error)}`,
    };
  // It did happen. Among laws that run beside each other it is tried once more; where nobody else will, it is left open.
  if (besideOthers !== undefined && phase === 'plain') return { ...finding, ...failure(besideOthers) };
  if (besideOthers !== undefined)
    return {
      ...finding,
      outcome: 'untested',
      message: `it failed once while its cases ran beside each other, but not one by one (${besideOthers.message})`,
    };
  return tested > 0
    ? { ...finding, outcome: 'pass' }
    : { ...finding, outcome: 'untested', message: mostCommon(reasons) ?? 'nothing could be tried' };
}

function failure({ expected, actual, chain }: Violation) {
  return { outcome: 'fail', expected, actual, message: told(expected, actual), chain: truncateBodies(chain ?? []) } as const;
}

/** What failed, as one sentence each. */
export function told(expected: string, actual: string): string {
  return `Expected: ${expected}. Got: ${actual}.`;
}

function replayOf(example: string): string {
  const found = /replayPath="([^"]*)"/.exec(example)?.[1];
  return found === undefined ? '' : `#${found}`;
}

function mostCommon(reasons: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
}
