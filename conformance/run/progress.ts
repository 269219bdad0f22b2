import type { Client } from '../wire/index.js';
import type { Progress } from './conformance-options.js';

/** The collection takes about as long as so many requests of the laws. */
export const collectionWeight = 200;

/** Tells how far a run is and, where requests are held back, about how long the rest takes. */
export class ProgressTeller {
  private done = 0;
  private aside = 0;
  private what = '';

  constructor(
    private readonly client: Pick<Client, 'pace' | 'requests'>,
    private readonly total: number,
    /** About so many requests in all. */
    private expected: number,
    private readonly tell: ((progress: Progress) => void) | undefined,
  ) {}

  expectMore(requests: number): void {
    this.expected += requests;
  }

  /** `aside` says how many requests it is worth that its own client sent. */
  ended(what: string, aside = 0): void {
    this.done += 1;
    this.aside += aside;
    this.trying(what);
  }

  /** What is violated, as soon as it is known. */
  found(violation: string): void {
    this.trying(this.what, violation);
  }

  trying(what: string, found?: string): void {
    this.what = what;
    const { client, expected, done, total } = this;
    const counted = () => client.requests + this.aside;
    const { perSecond } = client.pace;
    const leftMs = perSecond === undefined ? 0 : (1000 * Math.max(0, expected - counted())) / perSecond;
    this.tell?.({
      done,
      total,
      what,
      ...(found === undefined ? {} : { found }),
      get share() {
        return Math.min(0.99, counted() / Math.max(1, expected));
      },
      ...(perSecond === undefined ? {} : { pace: { perSecond, leftMs } }),
    });
  }
}
