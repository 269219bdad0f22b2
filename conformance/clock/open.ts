import { setMaxListeners } from 'node:events';
import timers from 'node:timers/promises';
import { OptionError } from '../../spec/index.js';
import { ClockError, type ClockOptions, canAdvance, type TargetClock, usual } from './clock.js';
import { execClock } from './exec.js';
import { faketimeClock } from './faketime.js';
import { httpClock } from './http.js';

const clockSettings = 'none, wait, faketime:FILE, exec:COMMAND or an http(s) URL';

/** Whether this clock moves only by waiting, so that a run takes as long as a token lives. */
export const isWaitedFor = (setting: string | undefined): boolean => setting === 'wait';

/** Makes sure that the clock is there before anything relies on it: rejects with a ClockError where it is not. */
export async function openClock(setting: string, options: ClockOptions = {}): Promise<TargetClock> {
  const clock = await opened(setting, options);
  return {
    ...clock,
    async advance(ms) {
      if (!canAdvance(ms)) throw new ClockError(`A clock moves forward by whole milliseconds, not by ${ms}.`);
      await clock.advance(ms);
    },
  };
}

async function opened(setting: string, options: ClockOptions): Promise<TargetClock> {
  if (setting === 'none') return noClock();
  if (isWaitedFor(setting)) return waitingClock(options);
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(setting) ?? [];
  if (scheme === 'faketime' && rest.trim() !== '') return faketimeClock(rest);
  if (scheme === 'exec' && rest.trim() !== '') return execClock(rest, options);
  if (/^https?$/.test(scheme) && URL.canParse(setting)) return httpClock(setting, options);
  throw new OptionError('clock', `${JSON.stringify(setting)} is no clock; ${clockSettings} is allowed`);
}

export function noClock(): TargetClock {
  const advance = () => Promise.reject(new ClockError('There is no clock to move; give one with --clock.'));
  return { ...usual, canMove: false, isInstant: false, description: 'none', advance };
}

/** A later timer would go off at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Real time: the clock moves by itself, and one waits for it. */
function waitingClock({ signal }: ClockOptions): TargetClock {
  // As many wait for it as there are laws about age.
  if (signal !== undefined) setMaxListeners(0, signal);
  const advance = async (ms: number) => {
    for (let left = ms; left > 0; left -= longestTimerMs)
      await timers.setTimeout(Math.min(left, longestTimerMs), undefined, { signal }).catch(() => {
        throw new ClockError('Waiting was interrupted.');
      });
  };
  return { ...usual, isInstant: false, description: 'real time, waited for', advance, now: async () => Date.now() };
}
