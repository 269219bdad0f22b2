import { OptionError } from './errors.js';

/** What one client may ask of the server. Every limit is set on purpose and can be changed. */
export interface Limits {
  /** Simultaneous connections; further ones are closed at once. */
  readonly connections: number;
  /** Simultaneous connections of one address, so that nobody takes all of them; further ones are closed at once. */
  readonly connectionsPerAddress: number;
  /** Request line and header together, in octets; more is answered with 431. */
  readonly headerOctets: number;
  /** Body of a request; more is answered with 413 to those who may ask, and never kept in memory. */
  readonly bodyOctets: number;
  /** Until the header must be complete, also of the first request on a silent connection; then 408. */
  readonly headerTimeoutMs: number;
  /** Until header and body must be complete; then 408. */
  readonly requestTimeoutMs: number;
  /** How long an idle connection is kept for the next request. */
  readonly keepAliveMs: number;
  /** How long a connection may be silent in both directions while an answer is under way. */
  readonly idleMs: number;
  /** How long `close` waits for answers under way. */
  readonly closeMs: number;
}

export const defaultLimits: Limits = {
  connections: 4096,
  connectionsPerAddress: 1024,
  headerOctets: 16_384,
  bodyOctets: 65_536,
  headerTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  keepAliveMs: 15_000,
  idleMs: 60_000,
  closeMs: 2000,
};

export function validLimits(limits: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(defaultLimits, name))
      throw new OptionError(`limits.${name}`, `there is no such limit; allowed are ${Object.keys(defaultLimits).join(', ')}`);
    if (!Number.isSafeInteger(value) || value < 1)
      throw new OptionError(`limits.${name}`, `${String(value)} is not allowed; a whole number of 1 or more is`);
  }
  const all = { ...defaultLimits, ...limits };
  if (all.headerTimeoutMs > all.requestTimeoutMs) {
    throw new OptionError(
      'limits.headerTimeoutMs',
      `${all.headerTimeoutMs} is not allowed; at most requestTimeoutMs (${all.requestTimeoutMs}) is`,
    );
  }
  return all;
}
