import type { Client } from '../wire/index.js';
import type { Progress } from './conformance-options.js';

/** Tells how far a run is and, where requests are held back, about how long the rest takes. */
export class ProgressTeller {
  private done = 0;

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

  ended(what: string): void {
    const { pace, requests } = this.client;
    const { perSecond } = pace;
    const leftMs = perSecond === undefined ? 0 : (1000 * Math.max(0, this.expected - requests)) / perSecond;
    this.done += 1;
    this.tell?.({ done: this.done, total: this.total, what, ...(perSecond === undefined ? {} : { pace: { perSecond, leftMs } }) });
  }
}
