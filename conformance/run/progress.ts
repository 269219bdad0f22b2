import { present } from '../finding.js';
import type { Client } from '../wire/index.js';

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** What has just ended, or has begun, in words. */
  readonly what: string;
  /** A violated MUST requirement that was just found, as a sentence. */
  readonly found?: string;
  /** About how much of the run is done, from 0 to 1, at the time when it is read. Done and total count checks, which differ in length. */
  readonly share?: number;
  /** Where requests are held back: how many a second go out, and about how long the rest will take. */
  readonly pace?: { readonly perSecond: number; readonly leftMs: number };
}

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
    public expected: number,
    private readonly tell: ((progress: Progress) => void) | undefined,
  ) {}

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
    const pace = perSecond === undefined ? undefined : { perSecond, leftMs: (1000 * Math.max(0, expected - counted())) / perSecond };
    this.tell?.({
      ...{ done, total, what, ...present({ found, pace }) },
      get share() {
        return Math.min(0.99, counted() / Math.max(1, expected));
      },
    });
  }
}
