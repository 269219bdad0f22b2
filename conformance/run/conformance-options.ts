import type { Spec, SpecSource } from '../../spec/index.js';
import type { BaselineEntry, OptionsIn } from '../options.js';

type InTable = Omit<OptionsIn<'check' | 'runConformance'>, 'collections' | 'users' | 'strength' | 'budget' | 'baseline' | 'spec'>;

/** The options of `runConformance`, as a caller writes them: those of `hydrauth check`, and more. */
export interface ConformanceOptions extends InTable {
  /** Where the API begins, for example http://localhost:8080/api. */
  readonly baseUrl: string | URL;
  readonly collections: readonly string[];
  /** Each as `{ id, paraphrase }` or as the text `id:paraphrase`. Not needed with `auth: 'off'`. */
  readonly users?: readonly (string | { readonly id: number | string; readonly paraphrase: string })[];
  /** Every pair of circumstances (2, the default) or every triple (3) is tried. */
  readonly strength?: 2 | 3;
  /** The most requests (800), or the most time ('90s', '5m'): the most telling part of a run comes first, and the report says what was left out. */
  readonly budget?: number | string;
  /** The entries, or the file that holds them. */
  readonly baseline?: string | readonly BaselineEntry[];
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
  /** What has just ended, or has begun, in words. */
  readonly what: string;
  /** A violated MUST requirement that was just found, as a sentence. */
  readonly found?: string;
  /** About how much of the run is done, from 0 to 1, at the time when it is read. Done and total count checks, which differ in length. */
  readonly share?: number;
  /** Where requests are held back: how many a second go out, and about how long the rest will take. */
  readonly pace?: { readonly perSecond: number; readonly leftMs: number };
}
