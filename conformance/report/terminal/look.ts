import type { Paint } from './paint.js';

/** How a report is shown. */
export interface Look {
  readonly paint: Paint;
  readonly width: number;
  /** Every requirement, all exchanges, scripts and observations. */
  readonly verbose: boolean;
  /** Nothing is cut, because no person reads it directly. */
  readonly whole: boolean;
  /** The JSON report that is written beside, for a replay. */
  readonly json?: string | undefined;
  /** The page that is written beside. */
  readonly html?: string | undefined;
}
