import { count, differenceOf, profileOf, type Spec } from '../../spec/index.js';
import { createRedactor, recordChain } from '../evidence/index.js';
import type { Finding } from '../finding.js';
import { answerLaws } from '../laws/index.js';
import type { BaselineEntry, User } from '../options.js';
import { addressesOf, Oracle, placeOf, TargetTime } from '../oracle/index.js';
import { exchangeOf, type HarEntry, type HarFile, type OwnMove, pathOf } from '../recording/index.js';
import { makeReport, type Report, type VerdictInput } from '../report/index.js';
import { type Carried, explainFindings, seenOf } from '../run/index.js';
import type { Looked, Role } from '../subject/index.js';
import type { Chain, Exchange } from '../wire/index.js';
import { inOrder, monitorOf } from './takes.js';

export interface RecordedOptions {
  readonly spec: Spec;
  /** That of the run where it is not given. */
  readonly baseline?: readonly BaselineEntry[];
  readonly strict: boolean;
}

/** What a recording of `hydrauth check` says of itself. */
export interface OwnRecording {
  /** Of `hydrauth check-client`. */
  readonly client?: Omit<VerdictInput, 'spec' | 'record' | 'curl' | 'redact'>;
  readonly baseUrl: string;
  readonly users: readonly User[];
  readonly moves: readonly OwnMove[];
  readonly leftOut?: number;
  readonly check?: Carried;
  /** How many entries were written. */
  readonly recorded?: number;
}
type OwnRun = OwnRecording & { readonly check: Carried };

/**
 * Judges the recording of a run again. What an answer shows by itself is looked at anew; what only the order of a check's steps shows, and
 * what a client did in a scenario, stays as the run found it.
 */
export async function judgeAgain(har: HarFile, own: OwnRecording, { spec: given, baseline, strict }: RecordedOptions): Promise<Report> {
  const { check, client } = own;
  const spec = check === undefined ? { ...given, catalogue: given.clientCatalogue } : given;
  const ran = (check ?? client) as Ran;
  const ids = spec.catalogue.rows.map(({ id }) => id);
  const exchangeAt = exchangesOf(har);
  const anew = check === undefined ? undefined : await judgedAnew(har, { ...own, check }, spec, exchangeAt);
  // The catalogue may be older or newer than the recording.
  const kept = ran.findings.filter((each) => ids.includes(each.requirement) && anew?.isSettled(each) !== true);
  const redactor = createRedactor(spec.protocol);
  const baseUrl = new URL(check === undefined ? 'http://127.0.0.1' : own.baseUrl);
  return makeReport({
    ...ran,
    spec,
    options: { ...ran.options, ...(baseline === undefined ? {} : { baseline }), strict: strict || ran.options.strict },
    startedAt: new Date(ran.startedAt),
    findings: [...kept.map((each) => withChain(each, exchangeAt)), ...(anew?.told ?? [])],
    selected: ids.filter((id) => (check === undefined ? [...(client?.selected ?? [])].includes(id) : !check.unselected.includes(id))),
    remarks: [...ran.remarks, ...(anew?.remarks ?? ['This is a recording of scenarios. Their outcomes are as the run found them.'])],
    record: (chain) => recordChain(chain, { baseUrl, redactor }),
    curl: () => null,
    redact: (text) => redactor.sentence(text),
  });
}

type Ran = Omit<VerdictInput, 'spec' | 'record' | 'curl' | 'redact' | 'selected'>;

/** What the answers show now and did not show to the run, and what of its findings that ends. */
async function judgedAnew(har: HarFile, own: OwnRun, spec: Spec, exchangeAt: (number: number) => Exchange) {
  const { check } = own;
  const { seen, explained } = await lookAgain(har, own, spec, exchangeAt);
  const isOther = (row: string) =>
    row in seen.answers && (!(row in check.seen.answers) || (seen.answers[row] === 'fail') !== (check.seen.answers[row] === 'fail'));
  const contradicted = new Set(seen.contradicted.filter((row) => !check.seen.contradicted.includes(row)));
  const settled = new Set(check.seen.contradicted.filter((row) => !seen.contradicted.includes(row)));
  const told = explained(contradicted).filter(({ requirement, outcome, check: id }) =>
    id === requirement ? isOther(requirement) : outcome === 'fail' && contradicted.has(requirement),
  );
  const others = [...new Set(told.map(({ requirement }) => requirement))];
  const difference = differenceOf(check.profile, profileOf(spec));
  return {
    told,
    // An answer that contradicts nothing any more is told by nobody.
    isSettled: ({ requirement, check: id }: Finding) =>
      (id === requirement && isOther(requirement)) || (id === `${requirement}/oracle` && settled.has(requirement)),
    remarks: [
      `This is a recording, judged again: ${count(har.places.length, 'answer')} were looked at anew. What only the order of a check's steps shows is as the run found it.`,
      ...(others.length === 0 ? [] : [`Judged otherwise than during the run: ${others.join(', ')}.`]),
      ...(difference === undefined ? [] : [`The run used another profile: ${difference}.`]),
    ],
  };
}

const exchangesOf = (har: HarFile) => (number: number) => {
  const entry = har.entry(har.places[number] ?? { from: 0, to: 0 }) as HarEntry;
  return exchangeOf(entry, entry._hydrauth?.sentAtMs ?? 0);
};

function withChain(finding: Finding, exchangeAt: (number: number) => Exchange): Finding {
  if (finding.chain === undefined) return finding;
  const links = finding.chain as unknown as readonly ({ readonly entry?: number } & Chain[number])[];
  return { ...finding, chain: links.map((link) => (link.entry === undefined ? link : exchangeAt(link.entry))) };
}

/** Holds every answer to the oracle and to the laws about answers. */
async function lookAgain(har: HarFile, own: OwnRun, spec: Spec, exchangeAt: (number: number) => Exchange) {
  const { protocol, catalogue } = spec;
  const { check, users, moves } = own;
  const baseUrl = new URL(own.baseUrl);
  const addresses = addressesOf(baseUrl, check.collections, protocol);
  const time = new TargetTime(check.clockRuns);
  time.moved(moves);
  const { toleranceMs } = check;
  const oracle = new Oracle({ protocol, users, addresses, time, toleranceMs, off: check.options.auth === 'off' });
  const { challengeStatus, challenge, challenges } = check.facts;
  const byEntry = (link: unknown) => exchangeAt((link as { entry: number }).entry);
  oracle.challengeStatus = challengeStatus;
  const takes = har.places.map((place) => {
    const { time: durationMs, _hydrauth: labels } = har.entry(place) as HarEntry;
    return { har, place, sentAtMs: labels?.sentAtMs ?? 0, durationMs };
  });
  const contexts = new Map<string, Exchange>();
  // Documents may name contexts that were fetched later.
  for (const { entry, exchange } of inOrder(takes))
    if (entry._hydrauth?.['context'] === true) contexts.set(pathOf(entry.request.url), exchange);
  const facts: Looked['facts'] = {
    off: check.options.auth === 'off',
    ...(challengeStatus === undefined ? {} : { challengeStatus }),
    ...(challenge === undefined ? {} : { challenge: byEntry(challenge) }),
    challenges: new Map(Object.entries(challenges).map(([target, link]) => [target, byEntry(link)])),
  };
  const { monitor } = monitorOf(
    { protocol, baseUrl, oracle, facts },
    contexts,
    answerLaws.filter(({ requirement }) => check.engines.includes('laws') && !check.unselected.includes(requirement)),
  );
  const tickets = new Map<object, ReturnType<Oracle['begin']>>();
  for (const { kind, take, exchange, entry } of inOrder(takes)) {
    if (kind === 'begins') tickets.set(take, oracle.begin(exchange.request));
    else {
      const role = entry._hydrauth?.['role'] as Role | undefined;
      const came = oracle.end(tickets.get(take) as ReturnType<Oracle['begin']>, exchange, entry._hydrauth?.unheld !== true);
      if (role !== undefined) monitor.watch(came, role, [came]);
    }
  }
  const seen = await seenOf(monitor, oracle);
  const answers = await monitor.findings();
  const firstPlace = placeOf(`${addresses.basePath}/${check.collections[0]}`);
  const explained = (rows: ReadonlySet<string>) =>
    explainFindings(answers, { catalogue, protocol, oracle, firstPlace, selected: rows, known: new Set(), sinceMs: 0 });
  return { seen, explained };
}
