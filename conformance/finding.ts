import { type Engine, present } from '../spec/index.js';
import { type Chain, type Exchange, isClockMove } from './wire/index.js';

/**
 * What an engine says of one requirement, from one of its checks. Severity is not here: it comes from the catalogue.
 * A check that fails in several ways gives a finding for each, the worst first; reports keep that order.
 */
export interface Finding {
  /** Id of a MUST or SHOULD row of the catalogue. */
  readonly requirement: string;
  /** Id of the check within its engine, stable between runs; selects it for a replay. */
  readonly check: string;
  readonly engine: Engine;
  /** Flaky: it failed once, gave nobody anything, and held every time it was tried again. */
  readonly outcome: 'pass' | 'fail' | 'flaky' | 'untested';
  /** Of a pass: what it rests upon, such as "37 cases, 12 controls granted". */
  readonly restsOn?: string;
  /** How many cases the check planned, and how many of them could be run. Where it gives several findings, the first has it. */
  readonly cases?: { readonly planned: number; readonly run: number };
  /** Why it is untested: the target stood in the way, the call left something out (no clock, not selected), or the budget was spent. */
  readonly through?: 'target' | 'call' | 'budget';
  /** Of a failure: contradictions seen elsewhere in the run that it explains. */
  readonly explains?: readonly { readonly what: string; readonly count: number }[];
  /** How many of these are answers of their own; the others may be the same answer as somebody else saw it. */
  readonly besides?: number | undefined;
  /** Of a failure, and of what is flaky: how often its check was tried in the run (answers that it judged, cases, scenarios), and how often that failed. */
  readonly rate?: { readonly failed: number; readonly of: number };
  /** Of what failed once: how often it was tried again, and held each time. */
  readonly heldAgain?: number;
  /** What was expected and what came, in plain words, where it failed. */
  readonly expected?: string;
  readonly actual?: string;
  /** Of a failure: what somebody was given who must be refused. */
  readonly given?: 'token' | 'resource';
  /** Of a failure that another request brings about: that request, in words. */
  readonly cause?: string;
  /** Of what failed and is told under another row: that row. */
  readonly toldBy?: string;
  /** Why it failed or was not tested, as one plain sentence. */
  readonly message?: string;
  /** Of what was not tested: the rows that its message points to, and the message where none of them was tested either. */
  readonly see?: { readonly rows: readonly string[]; readonly otherwise: string };
  /** The shortest chain of exchanges that shows it. */
  readonly chain?: Chain;
  /** Repeats the check exactly. */
  readonly seed?: number;
  readonly path?: string;
  /** The shrunk example, in words made for it; absent where what was expected says it already. */
  readonly example?: string;
  /** How long the check took. Where it gives several findings, the first has it. */
  readonly durationMs?: number;
  /**
   * Of a failure that another failure may explain: it was seen only beside other requests (in the collection: beside the laws), or
   * it did not fail again, or more than one thing could be its cause.
   */
  readonly doubt?: 'beside others' | 'not again' | 'other causes' | 'beside the laws';
  /** Whom it is about, where its row does not say. */
  readonly about?: string;
  /** Of a failure: it needs everything that is peculiar in its last request, and so explains nothing that was seen without that. */
  readonly isShrunk?: boolean;
  /** Of a failure: what its last request carries worked plainly just before, so that no other request is the reason. */
  readonly isControlled?: boolean;
}

export { present };

/** How often what failed is tried alone before the failure is put down to chance. */
export const triesAlone = 5;

/** So many ways of failing show what there is to show of one requirement. */
export const mostKinds = 5;

/** For sorting failures, the worst first: one without doubt, then a token given wrongly, then a resource, then a refusal. */
export function severityOf({ given, doubt }: Pick<Finding, 'given' | 'doubt'>): number {
  return (doubt === undefined ? 3 : 0) + (given === 'token' ? 2 : given === 'resource' ? 1 : 0);
}

/** The answer found to a question that the source leaves open. Never judged. */
export interface Observation {
  /** Id of an OPEN row of the catalogue. */
  readonly requirement: string;
  readonly answer: string;
  readonly evidence: string;
}

/** What failed, as one sentence each. */
export function told(expected: string, actual: string): string {
  return `Expected: ${sentence(expected)} Got: ${sentence(actual)}`;
}

/** The text with a full stop, unless it ends a sentence already, be it with the words of the target. */
export function sentence(text: string): string {
  return /[.!?…][\u2063)"]*$/.test(text) ? text : `${text}.`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a law, or the oracle, found wrong. */
export function failure(requirement: string, check: string, expected: string, actual: string, more: Partial<Finding>): Finding {
  return { requirement, check, engine: 'laws', outcome: 'fail', expected, actual, message: told(expected, actual), ...more };
}

/** Why something was not tested. */
export type Because = { readonly message: string; readonly see?: Finding['see'] | undefined };

/** The same where other rows tell more of it; and what came. */
export function seeing(text: string, rows: readonly string[], came?: string): Because {
  const [more, alone] = came === undefined ? ['', ''] : [`; ${came}`, ` (${came})`];
  return { message: `${text} (see ${rows.join(' and ')}${more})`, see: { rows, otherwise: `${text}${alone}` } };
}

type Told = Pick<Finding, 'requirement' | 'check' | 'engine'>;

/** The finding as one that says nothing, and why. */
export function untested({ requirement, check, engine }: Told, because: string | Because, through?: Finding['through']): Finding {
  const { message, see }: Because = typeof because === 'string' ? { message: because } : because;
  return { requirement, check, engine, outcome: 'untested', message, ...present({ see, through }) };
}

/** The exchange with which a chain ends; undefined where it ends otherwise. */
export function lastOf(chain: Chain = []): Exchange | undefined {
  const last = chain.at(-1);
  return last === undefined || isClockMove(last) ? undefined : last;
}

/** Something that was seen and is told elsewhere. */
export function toldElsewhere(finding: Finding, row: string): Finding {
  const message = `the failure is reported under ${row === finding.requirement ? 'another check of this requirement' : row}`;
  return { ...untested(finding, message, 'target'), toldBy: row, ...present({ cases: finding.cases }) };
}
