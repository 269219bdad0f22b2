import { ada, bob, exchanged, protocol } from '../../test/messages.js';
import type { Answer, RequestPlan } from '../../wire/index.js';
import { addressesOf, type Contradiction, Oracle, TargetTime } from '../index.js';

export const toleranceMs = 1000;
export const { lifetimeMs } = protocol.token;

/** A oracle and a clock of our own, which goes on by ten milliseconds with every request. */
export class Asking {
  nowMs = 0;
  readonly time: TargetTime;
  readonly oracle: Oracle;

  constructor({ runs = false, users = [ada, bob], basePath = '/api' } = {}) {
    this.time = new TargetTime(runs);
    this.oracle = new Oracle({
      off: false,
      protocol,
      users,
      toleranceMs,
      time: this.time,
      addresses: addressesOf(new URL(`http://localhost${basePath}`), ['things', 'people'], protocol),
    });
  }

  /** A request and its answer, with nothing between. */
  ask(plan: RequestPlan, came?: Answer): Contradiction | undefined {
    return this.begin(plan)(came);
  }

  /** A request whose answer comes later, by the function given. */
  begin(plan: RequestPlan): (came?: Answer) => Contradiction | undefined {
    this.nowMs += 10;
    const sentAtMs = this.nowMs;
    const ticket = this.oracle.begin(plan);
    return (came) => {
      this.nowMs += 1;
      const before = this.oracle.found.length;
      this.oracle.end(ticket, exchanged(plan, came, sentAtMs, this.nowMs - sentAtMs));
      return this.oracle.found[before];
    };
  }

  /** Moves the target's clock. */
  async move(ms: number): Promise<void> {
    const instant = () => ++this.nowMs;
    await this.time.move(ms, instant, async () => {});
  }

  get rows(): string[] {
    return this.oracle.contradictions().map(({ expectation }) => expectation.requirement);
  }
}
