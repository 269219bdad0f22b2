/** What the load generator is to do. */
export interface Job {
  readonly port: number;
  readonly connections: number;
  /** Request line and header lines, each with its line end, without the empty line. */
  readonly head: string;
  /** Until so much time has passed, or so many requests were sent. */
  readonly seconds?: number;
  readonly count?: number;
  /** The status that every answer must have. */
  readonly status: string;
  /** The header whose values are to be brought home. */
  readonly collect?: string;
  /** One for each request, sent under this header. */
  readonly nonces?: { readonly header: string; readonly values: readonly string[] };
}

export interface Burst {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly collected: readonly string[];
}
