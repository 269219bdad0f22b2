import type { Profile } from '../../spec/index.js';
import type { Oracle } from '../oracle/index.js';
import type { VerdictInput } from '../report/index.js';
import type { AnswerMonitor } from './answer-monitor.js';

/** What answers alone showed, whoever asked and in whichever order. */
export interface SeenOfAnswers {
  /** Of each law about answers, by its row. */
  readonly answers: Readonly<Record<string, string>>;
  /** The rows that some answer contradicts. */
  readonly contradicted: readonly string[];
}

/** What goes with the recording of a run: all that its report was made of, and what is needed to look at the answers again. */
export interface Carried extends Omit<VerdictInput, 'spec' | 'record' | 'curl' | 'redact' | 'selected'> {
  readonly profile: Profile;
  /** Rows that the run was not to judge. */
  readonly unselected: readonly string[];
  readonly collections: readonly string[];
  readonly toleranceMs: number;
  /** The target's clock is real time, and nothing moves it. */
  readonly clockRuns: boolean;
  readonly challengeStatus: number | undefined;
  readonly seen: SeenOfAnswers;
}

export async function seenOf(monitor: AnswerMonitor, oracle: Oracle): Promise<SeenOfAnswers> {
  const answers = Object.fromEntries((await monitor.findings()).map(({ requirement, outcome }) => [requirement, outcome]));
  return { answers, contradicted: [...new Set(oracle.contradictions().map(({ expectation }) => expectation.requirement))] };
}
