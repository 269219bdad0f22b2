import type { Judgement } from '../../expect/index.js';
import type { Pm } from './pm.js';

/** Ends a check as failed. */
class Failed {
  constructor(
    readonly expected: string,
    readonly actual: string,
  ) {}
}

/** Ends a check as untested, which Postman shows as skipped. */
class Untested {
  constructor(readonly reason: string) {}
}

export function fail(expected: string, actual: string): never {
  throw new Failed(expected, actual);
}

export function untested(reason: string): never {
  throw new Untested(reason);
}

export function judged(judgement: Judgement): void {
  if (!judgement.ok) fail(judgement.expected, judgement.actual);
}

/** Runs a check and shows how it ended as a test of Postman. */
export function check({ test }: Pm, name: string, judge: () => void): void {
  const failed = (message: string) =>
    test(name, () => {
      throw new Error(message);
    });
  try {
    judge();
    test(name, () => {});
  } catch (end) {
    if (end instanceof Untested) test.skip(`${name} [untested: ${end.reason}]`);
    else if (end instanceof Failed) failed(`expected ${end.expected}; got ${end.actual}`);
    else failed(`the check broke: ${(end as Error).message}`);
  }
}
