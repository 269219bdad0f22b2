import type { Finding } from '../../finding.js';

interface Variables {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
}

/** The part of Postman's `pm` that the scripts of the collection use. */
export interface Pm {
  readonly variables: Variables;
  readonly collectionVariables: Variables;
  readonly request: { method: string; url: { toString(): string }; headers: { get(name: string): string | undefined } };
  /** Absent before the request; without a code when no answer came. `octets` is their number where the stream may be another. */
  readonly response?: {
    code?: number;
    headers: { all(): readonly { key: string; value: unknown }[] };
    stream?: Uint8Array;
    octets?: number;
  };
  readonly execution: { skipRequest(): void };
  readonly test: { (name: string, run: () => void): void; skip(name: string): void };
}

export type Given = NonNullable<Finding['given']>;

/** What the target's clock said, and when it was read. */
export interface ClockReading {
  readonly beganMs: number;
  readonly nowMs: number;
  readonly readMs: number;
}

/** How a check ended; the kit reads this, and people read the tests of Postman. */
export type Ended =
  | { readonly outcome: 'pass' }
  | { readonly outcome: 'fail'; readonly expected: string; readonly actual: string; readonly given?: Given }
  | { readonly outcome: 'untested'; readonly reason: string };

export type CheckResult = { readonly check: string } & Ended;
