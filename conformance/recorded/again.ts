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
}

/**
 * Judges the recording of a run again. What an answer shows by itself is looked at anew; what only the order of a check's steps shows stays
 * as the run found it.
 */
export async function judgeAgain(har: HarFile, own: OwnRecording & { readonly check: Carried }, options: RecordedOptions): Promise<Report> {
  const { spec, baseline, strict } = options;
  const { check } = own;
  const knows = knownIn(spec);
  const exchangeAt = exchangesOf(har);
  const { seen, anew } = await lookAgain(har, own, spec, exchangeAt);
  const isOther = (row: string) =>
    row in seen.answers && (!(row in check.seen.answers) || (seen.answers[row] === 'fail') !== (check.seen.answers[row] === 'fail'));
  const contradicted = new Set(seen.contradicted.filter((row) => !check.seen.contradicted.includes(row)));
  const settled = new Set(check.seen.contradicted.filter((row) => !seen.contradicted.includes(row)));
  // An answer that contradicts nothing any more is told by nobody.
  const isKept = ({ requirement, check: id }: Finding) =>
    !(id === requirement && isOther(requirement)) && !(id === `${requirement}/oracle` && settled.has(requirement));
  const kept = check.findings.filter((each) => knows(each.requirement) && isKept(each)).map((each) => withChain(each, exchangeAt));
  const told = anew(contradicted).filter(({ requirement, outcome, check: id }) =>
    id === requirement ? isOther(requirement) : outcome === 'fail' && contradicted.has(requirement),
  );
  const selected = spec.catalogue.rows.flatMap(({ id }) => (check.unselected.includes(id) ? [] : [id]));
  const difference = differenceOf(check.profile, profileOf(spec));
  const others = [...new Set(told.map(({ requirement }) => requirement))];
  return makeReport({
    ...check,
    ...kit(new URL(own.baseUrl), spec),
    spec,
    options: { ...check.options, ...(baseline === undefined ? {} : { baseline }), strict: strict || check.options.strict },
    startedAt: new Date(check.startedAt),
    findings: [...kept, ...told],
    selected,
    remarks: [
      ...check.remarks,
      `This is a recording, judged again: ${count(har.places.length, 'answer')} were looked at anew. What only the order of a check's steps shows is as the run found it.`,
      ...(others.length === 0 ? [] : [`Judged otherwise than during the run: ${others.join(', ')}.`]),
      ...(difference === undefined ? [] : [`The run used another profile: ${difference}.`]),
    ],
  });
}

/** Scenarios judge what a client did in them, so that all stays as the run found it. */
export function readAgain(har: HarFile, { client }: Required<Pick<OwnRecording, 'client'>>, { spec, strict }: RecordedOptions): Report {
  const knows = knownIn({ catalogue: spec.clientCatalogue });
  return makeReport({
    ...client,
    ...kit(new URL('http://127.0.0.1'), spec),
    spec: { ...spec, catalogue: spec.clientCatalogue },
    options: { ...client.options, strict: strict || client.options.strict },
    startedAt: new Date(client.startedAt),
    findings: client.findings.filter(({ requirement }) => knows(requirement)).map((each) => withChain(each, exchangesOf(har))),
    selected: [...client.selected].filter(knows),
    remarks: [...client.remarks, 'This is a recording of scenarios. Their outcomes are as the run found them.'],
  });
}

const exchangesOf = (har: HarFile) => (number: number) => {
  const entry = har.entry(har.places[number] ?? { from: 0, to: 0 }) as HarEntry;
  return exchangeOf(entry, entry._hydrauth?.sentAtMs ?? 0);
};

/** How a report shows what has stand-ins for its secrets. */
function kit(baseUrl: URL, { protocol }: Spec) {
  const redactor = createRedactor(protocol);
  return {
    record: (chain: Chain) => recordChain(chain, { baseUrl, redactor }),
    curl: () => null,
    redact: (text: string) => redactor.sentence(text),
  };
}

/** Whether the catalogue has a row, which may be older or newer than the recording. */
function knownIn({ catalogue }: Pick<Spec, 'catalogue'>): (row: string) => boolean {
  const ids = new Set(catalogue.rows.map(({ id }) => id));
  return (row) => ids.has(row);
}

function withChain(finding: Finding, exchangeAt: (number: number) => Exchange): Finding {
  if (finding.chain === undefined) return finding;
  const links = finding.chain as unknown as readonly ({ readonly entry?: number } & Chain[number])[];
  return { ...finding, chain: links.map((link) => (link.entry === undefined ? link : exchangeAt(link.entry))) };
}

/** Holds every answer to the oracle and to the laws about answers. */
async function lookAgain(
  har: HarFile,
  own: OwnRecording & { readonly check: Carried },
  spec: Spec,
  exchangeAt: (number: number) => Exchange,
) {
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
  const anew = (rows: ReadonlySet<string>) =>
    explainFindings(answers, { catalogue, protocol, oracle, firstPlace, selected: rows, known: new Set(), sinceMs: 0 });
  return { seen, anew };
}
