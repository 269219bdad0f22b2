import type { Because, Finding } from '../finding.js';
import type { About, Given } from '../oracle/index.js';
import type { Chain } from '../wire/index.js';

/** The expectation was not met; the chain of the trial is the evidence. */
export class Violation extends Error {
  override readonly name = 'Violation';
  constructor(
    readonly expected: string,
    readonly actual: string,
    /** The exchanges that show it, where they are not all of the trial's. */
    readonly chain?: Chain,
    /** Whom it is about, where the row of the law does not say. */
    readonly about?: About,
    readonly given?: Given,
  ) {
    super(`expected ${expected}, got ${actual}`);
  }
}

/** What the check builds upon did not come about, so that it says nothing about the target. */
export class Untested extends Error {
  override readonly name = 'Untested';
  readonly see: Because['see'];
  constructor(
    because: string | Because,
    readonly through: NonNullable<Finding['through']> = 'target',
  ) {
    super(typeof because === 'string' ? because : because.message);
    this.see = typeof because === 'string' ? undefined : because.see;
  }
}

/** For a rejection: what could not be tested comes to nothing; anything else is a mistake of the kit. */
export function ifUntested(error: unknown): undefined {
  if (!(error instanceof Untested)) throw error;
}
