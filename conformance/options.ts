import type { Spec } from '../spec/index.js';
import type { HeaderLine } from './wire/index.js';

export interface User {
  /** Decimal digits, as given. */
  readonly id: string;
  readonly paraphrase: string;
}

/** The options of a run, validated. */
export interface RunOptions {
  readonly spec: Spec;
  /** Without a slash at the end. */
  readonly baseUrl: URL;
  readonly collections: readonly [string, ...string[]];
  readonly users: readonly User[];
  readonly auth: 'on' | 'off';
  readonly engines: readonly ('laws' | 'postman')[];
  /** Of an engine that was asked for and is not installed, as a sentence. */
  readonly notRun?: string;
  /** none | wait | http(s) URL | faketime:FILE | exec:COMMAND */
  readonly clock: string;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly runs: number;
  /** How many circumstances of a request are combined in every way. */
  readonly strength: 2 | 3;
  readonly seed: number;
  readonly timeoutMs: number;
  readonly concurrency: number;
  /** The most requests a second. */
  readonly rate?: number;
  /** The most that a run may send, or take. */
  readonly budget?: Budget;
  readonly toleranceMs: number;
  /** Lines that every request carries. */
  readonly headers: readonly HeaderLine[];
  readonly ca?: string;
  readonly insecure: boolean;
  readonly baseline: readonly BaselineEntry[];
  readonly strict: boolean;
}

export interface Budget {
  readonly amount: number;
  readonly unit: 'requests' | 'seconds';
}

export interface BaselineEntry {
  readonly requirement: string;
  readonly reason: string;
  /** The digest of the profile under which the failure was accepted; any where it is missing. */
  readonly profile?: string;
}
