import { OptionError } from '../../spec/index.js';
import type { ClockOptions, TargetClock } from './clock.js';
import { execClock } from './exec.js';
import { faketimeClock } from './faketime.js';
import { httpClock } from './http.js';
import { noClock } from './none.js';
import { waitingClock } from './wait.js';

const clockSettings = 'none, wait, faketime:FILE, exec:COMMAND or an http(s) URL';

/** Whether this clock moves only by waiting, so that a run takes as long as a token lives. */
export const isWaitedFor = (setting: string | undefined): boolean => setting === 'wait';

/** Makes sure that the clock is there before anything relies on it: rejects with a ClockError where it is not. */
export async function openClock(setting: string, options: ClockOptions = {}): Promise<TargetClock> {
  if (setting === 'none') return noClock();
  if (isWaitedFor(setting)) return waitingClock(options);
  const [, scheme, rest] = /^([a-z]+):(.*)$/s.exec(setting) ?? [];
  if (scheme === 'faketime' && rest !== undefined && rest.trim() !== '') return faketimeClock(rest);
  if (scheme === 'exec' && rest !== undefined && rest.trim() !== '') return execClock(rest, options);
  if ((scheme === 'http' || scheme === 'https') && URL.canParse(setting)) return httpClock(setting, options);
  throw new OptionError('clock', `${JSON.stringify(setting)} is no clock; ${clockSettings} is allowed`);
}
