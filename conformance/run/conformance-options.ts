import type { Spec, SpecSource } from '../../spec/index.js';
import type { BaselineEntry } from '../options.js';

/** The options of `runConformance`, as a caller writes them. */
export interface ConformanceOptions {
  /** Where the API begins, for example http://localhost:8080/api. */
  readonly baseUrl: string | URL;
  readonly collections: readonly string[];
  /** Each as `{ id, paraphrase }` or as the text `id:paraphrase`. Not needed with `auth: 'off'`. */
  readonly users?: readonly (string | { readonly id: number | string; readonly paraphrase: string })[];
  readonly auth?: 'on' | 'off';
  readonly engine?: 'all' | 'laws' | 'postman';
  /** none, wait, an http(s) URL, faketime:FILE or exec:COMMAND. */
  readonly clock?: string;
  /** Requirement ids, or their beginnings (`token`, `exchange.wrong`). */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly runs?: number;
  /** Every pair of circumstances (2, the default) or every triple (3) is tried. */
  readonly strength?: 2 | 3;
  readonly seed?: number;
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  /** The most requests a second; a target that says "too many" is asked less often by itself. */
  readonly rate?: number;
  /** The most requests (800), or the most time ('90s', '5m'): the most telling part of a run comes first, and the report says what was left out. */
  readonly budget?: number | string;
  /** Around the instant of expiry. */
  readonly toleranceMs?: number;
  /** Header lines that every request carries, for a gateway before the service, as `Name: value`. */
  readonly headers?: readonly string[];
  /** A PEM file of certificates to trust. */
  readonly ca?: string;
  readonly insecure?: boolean;
  /** The entries, or the file that holds them. */
  readonly baseline?: string | readonly BaselineEntry[];
  readonly strict?: boolean;
  /** Another spec: loaded, the file of a profile, a folder, or its documents as data. */
  readonly spec?: Spec | SpecSource | string;
  /** Repeats these checks only, each with the one case that its path leads to. */
  readonly replay?: readonly { readonly check: string; readonly path: string }[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** What has just ended, or has begun. */
  readonly what: string;
  /** Where requests are held back: how many a second go out, and about how long the rest will take. */
  readonly pace?: { readonly perSecond: number; readonly leftMs: number };
}

export const defaults = { runs: 10, strength: 2, timeoutMs: 10_000, concurrency: 16, toleranceMs: 1000, clock: 'none' } as const;
