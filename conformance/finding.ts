import type { Engine } from '../spec/index.js';
import type { Chain } from './wire/exchange.js';

/** What an engine says of one requirement, from one of its checks. Severity is not here: it comes from the catalogue. */
export interface Finding {
  /** Id of a MUST or SHOULD row of the catalogue. */
  readonly requirement: string;
  /** Id of the check within its engine, stable between runs; selects it for a replay. */
  readonly check: string;
  readonly engine: Engine;
  readonly outcome: 'pass' | 'fail' | 'untested';
  /** What was expected and what came, in plain words, where it failed. */
  readonly expected?: string;
  readonly actual?: string;
  /** Why it failed or was not tested, as one plain sentence. */
  readonly message?: string;
  /** The shortest chain of exchanges that shows it. */
  readonly chain?: Chain;
  /** Repeats the check exactly. */
  readonly seed?: number;
  readonly path?: string;
  /** The shrunk example, in words. */
  readonly example?: string;
}

/** The answer found to a question that the source leaves open. Never judged. */
export interface Observation {
  /** Id of an OPEN row of the catalogue. */
  readonly requirement: string;
  readonly answer: string;
  readonly evidence: string;
}
