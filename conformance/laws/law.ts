import type fc from 'fast-check';
import type { Subject, Trial } from '../subject/index.js';

/**
 * When a law runs: beside others; alone and moving the clock; late, because it gives wrong credentials to real accounts;
 * or last, because what it shows is better told by a law of its own.
 */
export type Phase = 'plain' | 'clock' | 'wrong-credentials' | 'history';

/** What a law says: for all given values, and for every example, the judgement throws nothing. */
interface LawText<T> {
  /** Tells several laws of one requirement apart. */
  readonly name?: string;
  readonly phase?: Phase;
  /** Of a law that moves the clock: with whom its cases share the moves. Other laws log in between, which matters to some. */
  readonly sharesClock?: 'with others' | 'among its cases';
  /** A failure may have causes that other laws tell apart. */
  readonly isDoubtful?: boolean;
  /** Tried only where so many random cases are asked for. */
  readonly leastRuns?: number;
  /** Tried when all others of its phase are done. */
  readonly afterOthers?: boolean;
  /** Cases that are always tried, before the random ones. */
  examples?(subject: Subject): readonly T[];
  /** `replayPath` is the path through the steps of a history, which repeating it takes besides the path to the case. */
  given(subject: Subject, replayPath?: string): fc.Arbitrary<T>;
  /** How many random cases, of the runs asked for; all by default. */
  randomCases?(runs: number, subject: Subject): number;
  /** The case in words, where what is expected does not say it: "user 2, header names in capitals". */
  words?(value: T, subject: Subject): string;
  judge(trial: Trial, value: T, subject: Subject): Promise<void>;
}

/** A property of the target, tied to one requirement of the catalogue. */
export interface Law<T = unknown> extends LawText<T> {
  /** The check's id: its requirement's, and a name where a requirement has several laws. */
  readonly id: string;
  readonly requirement: string;
  readonly phase: Phase;
}

export function law<T>(requirement: string, text: LawText<T>): Law<T> {
  const id = text.name === undefined ? requirement : `${requirement}/${text.name}`;
  return { ...text, id, requirement, phase: text.phase ?? 'plain' };
}
