import { profileOf, spec } from '../../spec/index.js';
import { type Case, exitCode, junitCases, type Outcome, type Report, type Verdict, verdictSentence } from '../report/index.js';
import { kitVersion } from '../version.js';
import type { Service } from './read-file.js';

/** What `fleet.json` says of a service. */
export interface FleetRow {
  readonly name: string;
  readonly url: string;
  readonly tags: readonly string[];
  readonly verdict: Verdict;
  readonly exitCode: 0 | 1 | 3;
  readonly durationMs: number;
  readonly requests: number;
  readonly failed: readonly string[];
  readonly warned: readonly string[];
  readonly untested: readonly string[];
  /** Its file, from the folder of the run. */
  readonly report: string;
}

/** The letters of outcomes, the worst first, as in the comparison of reports. */
export const letters: Readonly<Record<Outcome, string>> = {
  fail: 'F',
  warn: 'W',
  flaky: 'Y',
  'known-failure': 'K',
  untested: 'U',
  pass: 'P',
};

/** What is kept of a report until all are there; the whole stands in its file. */
export interface Result extends FleetRow {
  /** The verdict as a sentence. */
  readonly sentence: string;
  readonly outcomes: Readonly<Record<string, Outcome>>;
  /** Digests of the profile and the catalogue that it was judged by. */
  readonly judgedBy: string;
  readonly cases: readonly Case[];
}

/** One run over the services, by name. */
export interface Fleet {
  readonly kit: { readonly name: 'hydrauth'; readonly version: string };
  readonly spec: { readonly title: string; readonly version: string; readonly digest: string };
  /** The digest of the catalogue. */
  readonly catalogue: string;
  readonly seed: number;
  readonly startedAt: string;
  /** Such as 1/3, where this is a part. */
  readonly shard?: string;
  readonly services: readonly Result[];
}

export function fleetOf(results: readonly Result[], run: Pick<Fleet, 'seed' | 'startedAt' | 'shard'>): Fleet {
  const { catalogue, ...profile } = profileOf(spec);
  const services = [...results].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { kit: { name: 'hydrauth', version: kitVersion() }, spec: profile, catalogue, ...run, services };
}

export function resultOf({ name, url, tags }: Pick<Service, 'name' | 'url' | 'tags'>, report: Report): Result {
  const { verdict, durationMs, requests, requirements, profile } = report;
  const having = (outcome: Outcome) => requirements.filter((each) => each.outcome === outcome).map(({ id }) => id);
  const file = `${name}/report.json`;
  return {
    ...{ name, url, tags, verdict, exitCode: exitCode(report), durationMs, requests },
    ...{ failed: having('fail'), warned: having('warn'), untested: having('untested'), report: file },
    sentence: verdictSentence(report),
    outcomes: Object.fromEntries(requirements.map(({ id, outcome }) => [id, outcome])),
    judgedBy: `${profile?.digest} ${profile?.catalogue}`,
    // What a pass rests upon is in the report, and would make up most of a fleet's files.
    cases: junitCases(report, { json: file }).map(({ output: _, ...each }) => ({
      ...each,
      className: each.className.replace('hydrauth', name),
    })),
  };
}

/** From bad to good: a violation is known, and where there is no verdict nothing is. */
const badness = [1, 3, 0] as const;

export const worstFirst = (one: Result, other: Result): number =>
  badness.indexOf(one.exitCode) - badness.indexOf(other.exitCode) ||
  other.failed.length - one.failed.length ||
  (one.name < other.name ? -1 : 1);

/** The exit code of the run: the worst of all. */
export function worstCode(results: readonly Result[]): 0 | 1 | 3 {
  return badness.find((code) => results.some(({ exitCode: each }) => each === code)) ?? 0;
}
