import type { Spec } from '../../spec/index.js';
import type { BaselineEntry } from '../options.js';

export interface RecordedOptions {
  readonly spec: Spec;
  /** Where the service is; found in the traffic where it is not given. */
  readonly baseUrl?: URL;
  /** That of the run where it is not given. */
  readonly baseline?: readonly BaselineEntry[];
  readonly strict: boolean;
}
