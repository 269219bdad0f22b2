/** Real time, or what a test puts in its place. */
export interface Time {
  /** Monotonic milliseconds. */
  now(): number;
  /** Milliseconds since 1970. */
  wallNow(): number;
  /** Ends early when the signal does. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

export const realTime: Time = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  pause: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
    }),
};
