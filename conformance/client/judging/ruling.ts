import type { ReadRequest } from '../contract.js';
import type { Site } from '../stage/index.js';
import type { LoggedRequest, Traffic } from '../traffic/index.js';

/** What a scenario showed. */
export interface Seen extends Traffic {
  readonly site: Site;
  /** Every request of the scenario that goes to the service was served. */
  readonly completed: boolean;
  /** The client sent more requests than anybody needs, and was stopped. */
  readonly overrun: boolean;
  /** What the client said in the end; unknown of one that says failure whatever happens. */
  readonly said: 'success' | 'failure' | 'unknown';
  /** What the client was asked, in this order. */
  readonly asked: readonly ReadRequest[];
}

export interface Violation {
  readonly expected: string;
  readonly actual: string;
  readonly at?: LoggedRequest | undefined;
  /** It may follow from another violation, and is not told where one was seen in the same scenario. */
  readonly mayFollow?: true;
}

/** What was seen of one row: how often it could have been violated, and where it was. */
export interface Ruling {
  readonly tried: number;
  readonly violations: readonly Violation[];
  /** Of a pass: what it rests upon, where the number of requests does not say it. */
  readonly restsOn?: string;
  /** Where nothing was tried: why. */
  readonly because?: string;
  /** Nothing that this engine sees can show it, so that it does not count against a verdict. */
  readonly unseeable?: true;
}

export const untested = (because?: string): Ruling => ({ tried: 0, violations: [], ...(because === undefined ? {} : { because }) });
export const unseeable = (because: string): Ruling => ({ ...untested(because), unseeable: true });
export const passed = (restsOn: string): Ruling => ({ tried: 1, violations: [], restsOn });
export const failed = (expected: string, actual: string, at?: LoggedRequest, mayFollow?: true): Ruling => ({
  tried: 1,
  violations: [{ expected, actual, at, ...(mayFollow === undefined ? {} : { mayFollow }) }],
});
