import type { ConformanceOptions } from '../run/index.js';

/** A server to try the judge on, and what the judge must say of it. */
export interface Specimen {
  readonly kind: 'reference' | 'variant' | 'fault' | 'pair';
  readonly id: string;
  readonly sentence: string;
  /** The requirements that it violates: these must be found, and no others. */
  readonly expected: readonly string[];
  /** Those among them that one member of a pair makes unobservable: they must not pass, and need not be found. */
  readonly hidden: readonly string[];
  /** Where it is off there are no three steps, and the Postman collection has nothing to show. */
  readonly auth: 'on' | 'off';
  start(): Promise<RunningSpecimen>;
}

interface RunningSpecimen {
  readonly target: Pick<ConformanceOptions, 'baseUrl' | 'collections' | 'users' | 'auth' | 'clock'>;
  close(): Promise<void>;
}
