import { setMaxListeners } from 'node:events';
import { ClockError, type ClockOptions, checkAdvance, type TargetClock } from './clock.js';

/** Real time: the clock moves by itself, and one waits for it. */
export function waitingClock({ signal }: ClockOptions): TargetClock {
  // As many wait for it as there are laws about age.
  if (signal !== undefined) setMaxListeners(0, signal);
  return {
    canMove: true,
    isInstant: false,
    seesItsMoves: true,
    description: 'real time, waited for',
    async advance(ms) {
      checkAdvance(ms);
      if (!(await passed(ms, signal))) throw new ClockError('Waiting was interrupted.');
    },
    now: async () => Date.now(),
    close: async () => undefined,
  };
}

/** A later timer would go off at once. */
const longestTimerMs = 2 ** 31 - 1;

async function passed(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  for (let left = ms; left > 0 && signal?.aborted !== true; left -= longestTimerMs) {
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(left, longestTimerMs));
      signal?.addEventListener('abort', done);
    });
  }
  return signal?.aborted !== true;
}
