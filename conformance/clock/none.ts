import { ClockError, type TargetClock } from './clock.js';

export function noClock(): TargetClock {
  return {
    canMove: false,
    isInstant: false,
    seesItsMoves: true,
    description: 'none',
    advance: async () => {
      throw new ClockError('There is no clock to move; give one with --clock.');
    },
    now: async () => undefined,
    close: async () => undefined,
  };
}
