import { count, differenceOf, profileOf, type Spec } from '../../spec/index.js';
import { createRedactor, recordChain } from '../evidence/index.js';
import type { Finding } from '../finding.js';
import { answerLaws } from '../laws/index.js';
import type { BaselineEntry, User } from '../options.js';
import { placeOf, TargetTime } from '../oracle/index.js';
import { exchangeOf, type HarEntry, type HarFile, type OwnRecording } from '../recording/index.js';
import { makeReport, type Report, type VerdictInput } from '../report/index.js';
import { type Carried, explainFindings, seenOf } from '../run/index.js';
import type { Role } from '../subject/index.js';
import type { Chain } from '../wire/index.js';
import { listener } from './listener.js';
import { type Survey, sentences } from './survey.js';

export interface RecordedOptions {
  readonly spec: Spec;
  /** That of the run where it is not given. */
  readonly baseline?: readonly BaselineEntry[];
  readonly strict: boolean;
  /** What is to be said of the files. */
  readonly remarks: readonly string[];
}

/** What a recording of `hydrauth check`, or of `hydrauth check-client`, says of itself. */
export interface OwnRun extends OwnRecording {
  readonly users: readonly User[];
  readonly check?: Carried;
  readonly client?: Omit<VerdictInput, 'spec' | 'record' | 'curl' | 'redact'>;
}

/**
 * Judges the recording of a run again. What an answer shows by itself is looked at anew; what only the order of a check's steps shows, and
 * what a client did in a scenario, stays as the run found it.
 */
export async function judgeAgain(
  har: HarFile,
  surveyed: Survey,
  { spec: given, baseline, strict, remarks }: RecordedOptions,
): Promise<Report> {
  const own = har.own as OwnRun;
  const { check, client } = own;
  const spec = check === undefined ? { ...given, catalogue: given.clientCatalogue } : given;
  const ran = (check ?? client) as Omit<NonNullable<OwnRun['client']>, 'selected'>;
  const ids = spec.catalogue.rows.map(({ id }) => id);
  const anew = check && (await judgedAnew(own, check, surveyed, spec));
  // The catalogue may be older or newer than the recording.
  const kept = ran.findings.filter((each) => ids.includes(each.requirement) && anew?.isSettled(each) !== true);
  const redactor = createRedactor(spec.protocol);
  const baseUrl = new URL(check === undefined ? 'http://127.0.0.1' : own.baseUrl);
  return makeReport({
    ...ran,
    spec,
    options: { ...ran.options, ...(baseline === undefined ? {} : { baseline }), strict: strict || ran.options.strict },
    startedAt: new Date(ran.startedAt),
    findings: [...kept.map((each) => withChain(each, har)), ...(anew?.told ?? [])],
    selected: ids.filter((id) => (check === undefined ? [...(client?.selected ?? [])].includes(id) : !check.unselected.includes(id))),
    remarks: sentences(
      ...ran.remarks,
      ...(anew?.remarks ?? ['This is a recording of scenarios. Their outcomes are as the run found them.']),
      ran.options.strict && !strict && 'The run was judged with --strict, and so is its recording.',
      ...remarks,
      ...surveyed.remarks,
    ),
    record: (chain) => recordChain(chain, { baseUrl, redactor }),
    curl: () => null,
    redact: (text) => redactor.sentence(text),
  });
}

/** What the answers show now and did not show to the run, and what of its findings that ends. */
async function judgedAnew({ baseUrl, users, moves }: OwnRun, check: Carried, surveyed: Survey, spec: Spec) {
  const { protocol, catalogue } = spec;
  const { collections, toleranceMs, challengeStatus, unselected } = check;
  const known = {
    ...{ protocol, users, collections, toleranceMs, challengeStatus, baseUrl: new URL(baseUrl) },
    ...{ time: new TargetTime(check.clockRuns, moves), off: check.options.auth === 'off', isPartial: false },
    laws: answerLaws.filter(({ requirement }) => check.engines.includes('laws') && !unselected.includes(requirement)),
  };
  const { oracle, monitor, hear } = listener(surveyed, known);
  await hear(({ exchange, entry: { _hydrauth: labels } }) => ({
    plan: exchange.request,
    isHeld: () => labels?.unheld !== true,
    ends: () => labels?.['role'] as Role | undefined,
  }));
  const seen = await seenOf(monitor, oracle);
  const failsIn = ({ answers }: typeof seen, row: string) => answers[row] === 'fail';
  // What failed may stand in a body that was cut.
  const isOther = (row: string) =>
    row in seen.answers &&
    (!(row in check.seen.answers) || (failsIn(seen, row) ? !failsIn(check.seen, row) : failsIn(check.seen, row) && !surveyed.isCut));
  const contradicted = new Set(seen.contradicted.filter((row) => !check.seen.contradicted.includes(row)));
  const settled = new Set(surveyed.isCut ? [] : check.seen.contradicted.filter((row) => !seen.contradicted.includes(row)));
  const firstPlace = placeOf(`${known.baseUrl.pathname}/${collections[0]}`);
  const explaining = { catalogue, protocol, oracle, firstPlace, selected: contradicted, sinceMs: 0 };
  const told = explainFindings(await monitor.findings(), explaining).filter(({ requirement, outcome, check: id }) =>
    id === requirement ? isOther(requirement) : outcome === 'fail' && contradicted.has(requirement),
  );
  const others = [...new Set(told.map(({ requirement }) => requirement))];
  const difference = differenceOf(check.profile, profileOf(spec));
  return {
    told,
    // An answer that contradicts nothing any more is told by nobody.
    isSettled: ({ requirement, check: id }: Finding) =>
      (id === requirement && isOther(requirement)) || (id === `${requirement}/oracle` && settled.has(requirement)),
    remarks: sentences(
      `This is a recording, judged again: ${count(surveyed.takes.length, 'answer')} were looked at anew. What only the order of a check's steps shows is as the run found it.`,
      others.length > 0 && `Judged otherwise than during the run: ${others.join(', ')}.`,
      difference && `The run used another profile: ${difference}.`,
    ),
  };
}

/** The finding with its exchanges, for which the numbers of their entries stand in the file. */
function withChain(finding: Finding, har: HarFile): Finding {
  if (finding.chain === undefined) return finding;
  const links = finding.chain as unknown as readonly ({ readonly entry?: number } & Chain[number])[];
  return {
    ...finding,
    chain: links.map((link) => {
      const place = link.entry === undefined ? undefined : har.places[link.entry];
      return place === undefined ? link : exchangeOf(har.entry(place) as HarEntry, 0);
    }),
  };
}
