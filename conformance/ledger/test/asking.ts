import { ada, bob, exchanged, protocol } from '../../test/messages.js';
import type { Answer, RequestPlan } from '../../wire/index.js';
import { type Contradiction, Ledger, TargetTime } from '../index.js';

export const toleranceMs = 1000;
export const { lifetimeMs } = protocol.token;
const { nonce, token, authorization } = protocol.headers;

/** A ledger and a clock of our own, which goes on by ten milliseconds with every request. */
export class Asking {
  nowMs = 0;
  readonly time: TargetTime;
  readonly ledger: Ledger;

  constructor({ runs = false, users = [ada, bob], basePath = '/api' } = {}) {
    this.time = new TargetTime(runs);
    this.ledger = new Ledger({
      protocol,
      users,
      toleranceMs,
      time: this.time,
      addresses: {
        basePath,
        collections: ['things', 'people'],
        vocabulary: protocol.link.path,
        protocolHeaders: new Set([nonce, token, authorization].map((name) => name.toLowerCase())),
      },
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
    const ticket = this.ledger.begin(plan);
    return (came) => {
      this.nowMs += 1;
      return this.ledger.end(ticket, exchanged(plan, came, sentAtMs, this.nowMs - sentAtMs));
    };
  }

  /** Moves the target's clock. */
  async move(ms: number): Promise<void> {
    const instant = () => ++this.nowMs;
    await this.time.move(ms, instant, async () => {});
  }

  get rows(): string[] {
    return this.ledger.contradictions().map(({ claim }) => claim.requirement);
  }
}
