import { setTimeout as pause } from 'node:timers/promises';
import { ClockError, type ClockOptions, checkAdvance, type TargetClock } from './clock.js';

/** A later timer would go off at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Real time: the clock moves by itself, and one waits for it. */
export function waitingClock({ signal }: ClockOptions): TargetClock {
  return {
    kind: 'wait',
    canMove: true,
    description: 'real time, waited for',
    async advance(ms) {
      checkAdvance(ms);
      try {
        for (let left = ms; left > 0; left -= longestTimerMs) await pause(Math.min(left, longestTimerMs), undefined, signal && { signal });
      } catch {
        throw new ClockError('Waiting was interrupted.');
      }
    },
    now: async () => Date.now(),
    close: async () => undefined,
  };
}
