import type { Judgement } from '../../expect/index.js';
import type { Pm } from './pm.js';

/** Ends a check as failed. */
export function fail(expected: string, actual: string): never {
  throw { expected, actual };
}

/** Ends a check as untested, which Postman shows as skipped. */
export function untested(reason: string): never {
  throw { reason };
}

export function judged(judgement: Judgement): void {
  if (!judgement.ok) fail(judgement.expected, judgement.actual);
}

/** Runs a check and shows how it ended as a test of Postman. */
export function check({ test }: Pm, name: string, judge: () => void): void {
  try {
    judge();
    test(name, () => {});
  } catch (thrown) {
    const { reason, expected, actual, message } = thrown as { reason?: string; expected?: string; actual?: string; message?: string };
    const failure = expected === undefined ? `the check broke: ${message}` : `expected ${expected}; got ${actual}`;
    if (reason !== undefined) test.skip(`${name} [untested: ${reason}]`);
    else
      test(name, () => {
        throw new Error(failure);
      });
  }
}
