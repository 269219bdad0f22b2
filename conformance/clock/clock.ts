import type { ClientOptions } from '../wire/index.js';

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

/** What a clock is like that says nothing else. */
export const usual = {
  ...{ canMove: true, isInstant: true, seesItsMoves: true },
  now: async () => undefined,
  close: async () => undefined,
};

/** The time is for one answer of a clock over HTTP, or one run of a command. */
export type ClockOptions = Partial<Pick<ClientOptions, 'timeoutMs' | 'signal' | 'ca' | 'insecure'>>;

/** The clock is not there, or does not do what it must. */
export class ClockError extends Error {
  override readonly name = 'ClockError';
  readonly code = 'HYDRAUTH_CLOCK';
}

/** The clock stands elsewhere than this run has moved it: something else moves it, too. */
export class ForeignMove extends ClockError {
  constructor(what: string, expectedMs: number, nowMs: number) {
    super(
      `Something else moves ${what}, too: ${iso(nowMs)} was read where ${iso(expectedMs)} was due. One clock serves one run at a time.`,
    );
  }
}

export const iso = (ms: number): string => new Date(ms).toISOString();

/** Clocks move forward, and by whole milliseconds. */
export const canAdvance = (ms: unknown): ms is number => Number.isSafeInteger(ms) && Number(ms) >= 0;

/** The members of a JSON object; none where the text is no such. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}
