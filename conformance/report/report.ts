import type { Engine, OpenPoint, Profile, Requirement, SourcePoint } from '../../spec/index.js';
import type { ReportExchange } from '../evidence/index.js';
import type { Finding, Observation } from '../finding.js';

export type { ReportExchange };

export type Outcome = 'pass' | 'fail' | 'warn' | 'flaky' | 'untested' | 'known-failure';
export type Verdict = 'conformant' | 'non-conformant' | 'incomplete' | 'error';

/** The report of one run: what every writer writes, free of secrets. */
export interface Report {
  /** The address of the schema that it follows; its version is part of it. */
  readonly $schema?: string;
  readonly kit: ReportKit;
  readonly spec: { readonly title: string; readonly version: string; readonly catalogue: string };
  /** The effective spec and catalogue, by digest. Reports of version 0.1 do not say. */
  readonly profile?: ReportProfile;
  readonly target: ReportTarget;
  readonly startedAt: string;
  readonly durationMs: number;
  /** How many requests were sent to the target, or by the client that was judged. */
  readonly requests: number;
  /** How many of them waited for each other: the longest chain in which each was sent after the answer to the one before. */
  readonly depth?: number;
  /** What the combinations of states and circumstances cover; absent where they were not tried, or not all of them. */
  readonly coverage?: ReportCoverage;
  /** How many cases were planned, and how many of them could be run. */
  readonly cases?: { readonly planned: number; readonly run: number; readonly couldNotRun: number; readonly leftOut?: number };
  readonly verdict: Verdict;
  /** Why there is no verdict, or why it is incomplete, as a plain sentence. */
  readonly error?: string;
  readonly requirements: readonly ReportRequirement[];
  /** Ids of the rows that --skip or --only left out. */
  readonly skipped: readonly string[];
  readonly observations: readonly ReportObservation[];
  /** Things worth knowing that no requirement speaks of (redirects seen, baseline entries that no longer apply). */
  readonly remarks: readonly string[];
  /** Requirements that the baseline lists though they now pass. They fail the run. */
  readonly staleBaseline?: readonly string[];
}

export interface ReportProfile extends Profile {
  /** The headers that carry the protocol in answers. */
  readonly headers: readonly string[];
}

interface ReportKit {
  readonly name: 'hydrauth';
  readonly version: string;
  readonly engines: readonly Engine[];
  readonly seed: number;
  readonly runs: number;
  /** Warnings and untested MUSTs fail the run. */
  readonly strict?: true;
}

export interface ReportCoverage {
  /** Pairs of values (triples with strength 3) that some combination holds. */
  readonly pairs: number;
  readonly combinations: number;
  readonly strength: number;
}

export interface ReportTarget {
  readonly url: string;
  readonly collections: readonly string[];
  /** Ids only. */
  readonly users: readonly string[];
  /** The kind of clock: none, wait, http, faketime, exec. */
  readonly clock: string;
  readonly auth: 'on' | 'off';
  /** The client that was judged, where the report is about one; the address then begins with client: or is that of the watched service. */
  readonly client?: ReportClient;
}

export interface ReportClient {
  readonly way: 'command' | 'driver' | 'function' | 'watch';
  /** The command line, or what the caller calls it. */
  readonly name: string;
  readonly command?: readonly string[];
}

export interface ReportRequirement extends Pick<Requirement, 'id' | 'level' | 'section' | 'step' | 'statement' | 'hint'> {
  /** The points of the protocol text that it comes from, in our words. Older reports do not say. */
  readonly clauses?: readonly SourcePoint[];
  readonly outcome: Outcome;
  /** Why it is untested, or the baseline's reason for a known failure. */
  readonly reason?: string;
  /** Nothing can check it over HTTP; it is untested by nature and never fails a strict run. */
  readonly uncheckable?: true;
  /** Untested, because the run judged traffic alone, which cannot show it; it does not fail a strict run. */
  readonly unseeable?: true;
  /** What a pass rests upon. */
  readonly restsOn?: string;
  /** Said when the engines do not agree. */
  readonly disagreement?: string;
  readonly checks: readonly ReportCheck[];
}

/** What is told of a finding as it is. Older reports do not say its rate where it failed every time. */
type ToldOfFinding = 'given' | 'cause' | 'example' | 'cases' | 'restsOn' | 'explains' | 'rate' | 'durationMs';

export interface ReportCheck extends Pick<Finding, 'engine' | 'outcome' | ToldOfFinding> {
  readonly id: string;
  readonly expected: string | null;
  readonly actual: string | null;
  readonly message: string | null;
  readonly exchanges: readonly ReportExchange[];
  /** A shell script that repeats the chain, with secrets as variables. */
  readonly curl: string | null;
  readonly seed: number | null;
  readonly path: string | null;
}

export interface ReportObservation extends Pick<Observation, 'answer' | 'evidence'>, Pick<OpenPoint, 'id' | 'question'> {}
