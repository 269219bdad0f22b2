import { OptionError } from '../errors.js';

/** Where the server takes its time from. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

const units = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1000,
  /** As in `Temporal.Duration`. */
  milliseconds: 1,
  ms: 1,
};

export type Advance = { readonly [Unit in keyof typeof units]?: number };

/** A clock that stands still until it is moved, forward only. */
export interface ManualClock extends Clock {
  /** Moves the clock and returns its new time. */
  advance(by: Advance): number;
}

/** A nonce holds its time in 48 bits: from 1970 to the year 10889. */
const lastMs = 2 ** 48 - 1;

export function systemClock(): Clock {
  return { now: Date.now };
}

/** A manual clock that begins at the given instant, or at the present one. */
export function manualClock(start: Date | number | string = Date.now()): ManualClock {
  let nowMs = new Date(start).getTime();
  if (!(nowMs >= 0 && nowMs <= lastMs)) {
    throw new OptionError('manualClock', `${String(start)} is no instant from 1970 on; a Date, milliseconds or RFC 3339 text is allowed`);
  }
  return {
    now: () => nowMs,
    advance(by) {
      if (typeof by !== 'object' || by === null)
        throw new OptionError('advance', `${JSON.stringify(by)} is not allowed; an object such as { minutes: 45 } is`);
      let sumMs = 0;
      for (const [unit, count] of Object.entries(by)) {
        const size = Object.hasOwn(units, unit) ? units[unit as keyof Advance] : undefined;
        if (size === undefined) throw new OptionError('advance', `there is no unit ${unit}; allowed are ${Object.keys(units).join(', ')}`);
        if (typeof count !== 'number' || !Number.isFinite(count) || count < 0) {
          throw new OptionError('advance', `${unit} is ${String(count)}; a number of 0 or more is allowed, a clock never goes back`);
        }
        sumMs += count * size;
      }
      if (nowMs + sumMs > lastMs) throw new OptionError('advance', 'the clock would pass the year 10889, the last it can hold');
      nowMs += sumMs;
      return nowMs;
    },
  };
}

export function isManual(clock: Clock): clock is ManualClock {
  return typeof (clock as Partial<ManualClock>).advance === 'function';
}
