import { count, profileOf, spec } from '../../spec/index.js';
import { exitCode, failsStrictly, headline, junitSuites, type Outcome, type Report, skippedRequirements } from '../report/index.js';
import { kitVersion } from '../version.js';
import type { Service } from './read-file.js';

/** A service in `fleet.json`. */
export type FleetRow = ReturnType<typeof rowOf>;
/** What is kept of a report until all are there; the whole stands in its file. */
export type Result = FleetRow & { readonly row: FleetRow } & ReturnType<typeof detailsOf>;
/** One run over the services, by name. */
export type Fleet = ReturnType<typeof fleetOf>;

/** `shard`, such as 1/3, is of a part. */
export function fleetOf(results: readonly Result[], run: { seed: number; startedAt: string; shard?: string }) {
  const { catalogue, ...profile } = profileOf(spec);
  const services = [...results].sort((one, other) => (one.name < other.name ? -1 : 1));
  // Somebody else may have written it: a run of the future would be the last one of a history for ever.
  const startedAt = new Date(Math.min(Date.parse(run.startedAt) || Date.now(), Date.now())).toISOString();
  return { kit: { name: 'hydrauth', version: kitVersion() }, spec: profile, catalogue, ...run, startedAt, services };
}

type Named = Pick<Service, 'name' | 'url' | 'tags'>;

export function resultOf(service: Named, report: Report): Result {
  const row = rowOf(service, report);
  return { ...row, row, ...detailsOf(service, report) };
}

function rowOf({ name, url, tags }: Named, report: Report) {
  const { verdict, durationMs, requests } = report;
  const having = (outcome: Outcome) => report.requirements.filter((each) => each.outcome === outcome).map(({ id }) => id);
  const found = { failed: having('fail'), warned: having('warn'), untested: having('untested') };
  return { name, url, tags, verdict, exitCode: exitCode(report), durationMs, requests, ...found, report: `${name}/report.json` };
}

function detailsOf({ name }: Named, report: Report) {
  const outcomes: Readonly<Record<string, Outcome>> = Object.fromEntries(report.requirements.map(({ id, outcome }) => [id, outcome]));
  // What a pass rests upon is in the report, and would make up most of a fleet's files.
  const suites = junitSuites(report, { json: `${name}/report.json` });
  const cases = suites.flatMap((suite) =>
    suite.cases.map(({ output: _, ...each }) => ({ ...each, className: each.className.replace('hydrauth', name) })),
  );
  return { ...saidOf(report), outcomes, cases, judgedBy: `${report.profile?.digest} ${report.profile?.catalogue}` };
}

/** The verdict in a word and a sentence. It is whole where every MUST that can be tested was, in all cases, and none is a known failure. */
function saidOf(report: Report) {
  const { word, sentence } = headline(report);
  const skipped = skippedRequirements(report).length;
  const isKnown = report.requirements.some(({ outcome }) => outcome === 'known-failure');
  const isPart = report.verdict === 'conformant' && (skipped > 0 || isKnown || report.cases?.leftOut !== undefined);
  const isUntested = report.requirements.some((each) => each.outcome === 'untested' && failsStrictly(each));
  const left =
    skipped === 0 || report.verdict !== 'conformant'
      ? ''
      : ` ${count(skipped, 'requirement was', 'requirements were')} left out of the run.`;
  return { word: isPart ? 'Conformant in part' : word, sentence: `${sentence}${left}`, isWhole: !isPart && !isUntested };
}

/** From bad to good: a violation is known, and where there is no verdict nothing is. */
const badness = [1, 3, 0];

export function worstFirst(one: Result, other: Result): number {
  const worse = badness.indexOf(one.exitCode) - badness.indexOf(other.exitCode);
  return worse || other.failed.length - one.failed.length || (one.name < other.name ? -1 : 1);
}

/** The exit code of a run: the worst of all. */
export function worstCode(results: readonly Pick<Result, 'exitCode'>[]): number {
  return badness.find((code) => results.some(({ exitCode: each }) => each === code)) ?? 0;
}
