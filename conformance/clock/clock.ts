/** The target's clock, as far as it can be read and moved from here. */
export interface TargetClock {
  readonly canMove: boolean;
  /** A move takes no real time: it is not waited for. */
  readonly isInstant: boolean;
  /** Each move is seen by the clock itself. Where it is not, only the target's answers show whether it moved. */
  readonly seesItsMoves: boolean;
  /** A plain phrase for reports; names no secret. */
  readonly description: string;
  /** Moves the clock forward. Rejects with a ClockError when it did not move. */
  advance(ms: number): Promise<void>;
  /** Milliseconds since 1970 on the target's clock; undefined when nobody can tell. */
  now(): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface ClockOptions {
  /** For one answer of a clock over HTTP, or one run of a command. */
  readonly timeoutMs?: number;
  /** Ends waiting early. */
  readonly signal?: AbortSignal;
  /** For a clock behind https. */
  readonly ca?: string;
  readonly insecure?: boolean;
  /** The environment of a command; this process's own when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The clock is not there, or does not do what it must. */
export class ClockError extends Error {
  override readonly name = 'ClockError';
  readonly code = 'HYDRAUTH_CLOCK';
}

/** The clock stands elsewhere than this run has moved it: something else moves it, too. */
export class ForeignMove extends ClockError {
  constructor(what: string, expectedMs: number, nowMs: number) {
    const iso = (ms: number) => new Date(ms).toISOString();
    super(
      `Something else moves ${what}, too: ${iso(nowMs)} was read where ${iso(expectedMs)} was due. One clock serves one run at a time.`,
    );
  }
}

export function checkAdvance(ms: number): void {
  if (!Number.isSafeInteger(ms) || ms < 0) throw new ClockError(`A clock moves forward by whole milliseconds, not by ${ms}.`);
}
