/**
 * Newman passes from one small step to the next with `setTimeout(…, 0)`, which waits for a millisecond, some seven times a request. An
 * immediate does the same without the wait; Newman never clears these.
 */
export function quickenTimers(): void {
  const { setTimeout: wait } = globalThis;
  const quick = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    ms === 0 ? setImmediate(callback, ...args) : wait(callback, ms, ...args);
  globalThis.setTimeout = Object.assign(quick, wait) as unknown as typeof setTimeout;
}
