import { type Engine, profileOf, type Requirement, type Spec } from '../../spec/index.js';
import { capital, type Finding, type Observation, present, sentence, severityOf } from '../finding.js';
import type { RunOptions } from '../options.js';
import { kitVersion } from '../version.js';
import type { Chain } from '../wire/index.js';
import { isPast, otherProfiles, pastSentence, staleEntries, staleSentence } from './baseline.js';
import { reportSchemaId } from './read.js';
import type { Outcome, Report, ReportCheck, ReportExchange, ReportObservation, ReportRequirement, ReportTarget } from './report.js';
import { type Ending, verdictOf } from './verdict.js';

/** What a run found, and what is needed to write it down without secrets. */
export interface VerdictInput extends Ending, Pick<Report, 'target' | 'durationMs' | 'requests' | 'depth' | 'depthBy' | 'remarks'> {
  readonly spec: Spec;
  readonly options: Pick<RunOptions, 'auth' | 'seed' | 'runs' | 'baseline' | 'strict'>;
  readonly observations: readonly Observation[];
  readonly startedAt: Date;
  readonly coverage?: Report['coverage'] | undefined;
  readonly cases?: Report['cases'] | undefined;
  readonly engines: readonly Engine[];
  /** Ids of the rows to report. Rows of the other mode are left out anyway. */
  readonly selected: Iterable<string>;
  /** Ids that --skip or --only left out. The default is every row of the mode that is not selected. */
  readonly skipped?: readonly string[];
  /** What these two give is free of secrets. There is no script where none could repeat it. */
  readonly record: (chain: Chain) => readonly ReportExchange[];
  readonly curl: (chain: Chain) => string | null;
  readonly redact: (text: string) => string;
}

/** Joins what the engines found with the catalogue. A finding about a row that the catalogue lacks throws. */
export function makeReport(input: VerdictInput): Report {
  const { spec, options, redact, target, durationMs, requests, depth, depthBy, coverage, cases, startedAt } = input;
  const { catalogue } = spec;
  const { seed, runs, strict, baseline } = options;
  for (const { requirement } of input.findings) catalogue.requirement(requirement);
  const selected = new Set(input.selected);
  const applies = ({ auth }: { readonly auth: 'on' | 'off' | 'any' }) => auth === 'any' || auth === options.auth;
  const isMeant = (row: Pick<Requirement, 'id' | 'auth'>) => applies(row) && selected.has(row.id);
  const rows = catalogue.requirements.filter(isMeant);
  const past = baseline.filter((entry) => isPast(entry, startedAt));
  const accepting = baseline.filter((entry) => !past.includes(entry));
  const judged = rows.map((row) => judgedOf(row, input, accepting));
  const tested = new Set(judged.filter(({ outcome }) => outcome !== 'untested').map(({ row }) => row.id));
  const requirements = judged.map((each) => makeRequirement(each, tested, input));
  const stale = staleEntries(baseline, { requirements, ...present({ cases }) });
  const { verdict, error } = verdictOf(requirements, {
    ...input,
    open: catalogue.open.filter(isMeant).map(({ id }) => id),
    guarding: new Set(rows.filter(({ guards }) => guards).map(({ id }) => id)),
  });
  const profile = profileOf(spec);
  const { nonce, token, authenticate } = spec.protocol.headers;
  return {
    $schema: reportSchemaId,
    kit: { name: 'hydrauth', version: kitVersion(), engines: input.engines, seed, runs, ...(strict ? { strict } : {}) },
    spec: { title: profile.title, version: profile.version, catalogue: catalogue.version },
    profile: { ...profile, headers: [nonce, token, authenticate] },
    ...{ target, startedAt: startedAt.toISOString(), durationMs, requests },
    ...present({ depth, depthBy, coverage, cases }),
    verdict,
    ...present({ error: error && redact(error) }),
    requirements,
    skipped: input.skipped ?? catalogue.rows.filter((row) => applies(row) && !selected.has(row.id)).map(({ id }) => id),
    observations: observationsOf(input),
    remarks: [
      ...input.remarks,
      ...stale.map(({ requirement }) => staleSentence(requirement)),
      ...past.filter((entry) => !stale.includes(entry)).map(pastSentence),
      ...otherProfiles(baseline, profile),
    ].map(redact),
    ...(stale.length > 0 ? { staleBaseline: stale.map((entry) => entry.requirement) } : {}),
  };
}

function observationsOf({ spec, observations, redact }: VerdictInput): ReportObservation[] {
  for (const { requirement } of observations) {
    if (spec.catalogue.row(requirement).level !== 'OPEN')
      throw new Error(`${requirement} is observed, but the catalogue does not list it as open`);
  }
  return spec.catalogue.open.flatMap(({ id, question }) =>
    observations
      .filter((each) => each.requirement === id)
      .map((each) => ({ id, question, answer: redact(each.answer), evidence: redact(each.evidence) })),
  );
}

/** A service as the target of a report. */
export function serverTarget(options: Pick<RunOptions, 'baseUrl' | 'collections' | 'users' | 'auth' | 'clock'>): ReportTarget {
  const url = new URL(options.baseUrl);
  url.username = '';
  url.password = '';
  return {
    url: url.href.replace(/\/$/, ''),
    collections: options.collections,
    users: options.users.map((user) => user.id),
    clock: /^https?:/.test(options.clock) ? 'http' : (options.clock.split(':')[0] as ReportTarget['clock']),
    auth: options.auth,
  };
}

/** What was found of a row, and why the baseline accepts its failure, if it does. */
function judgedOf(row: Requirement, input: VerdictInput, accepting: RunOptions['baseline']) {
  const accepted = accepting.find(({ requirement }) => requirement === row.id)?.reason;
  const found = input.findings.filter(({ requirement }) => requirement === row.id);
  return { row, found, accepted, outcome: outcomeOf(row, inOrder(found, input), accepted !== undefined) };
}

type Judged = ReturnType<typeof judgedOf>;

function makeRequirement({ row, found, accepted, outcome }: Judged, tested: ReadonlySet<string>, input: VerdictInput): ReportRequirement {
  const { redact, engines: ran } = input;
  // A reason points to no row that tells nothing itself, because it is untested or left out.
  const isDeadEnd = ({ see }: Finding) => outcome === 'untested' && see !== undefined && !see.rows.some((id) => tested.has(id));
  const told = found.map((each) => (isDeadEnd(each) ? { ...each, ...present({ message: each.see?.otherwise }) } : each));
  const findings = inOrder(told, input);
  const reason =
    outcome === 'untested' ? untestedReason(row, { ...input, findings: told }) : outcome === 'known-failure' ? accepted : undefined;
  // Traffic is judged as it came, and shows of a client only what the catalogue names the watch for.
  const isUnseeable = ran.includes('watch') && row.engines.includes('scenarios') && !row.engines.includes('watch');
  const bases = outcome === 'pass' ? findings.flatMap((each) => (each.outcome === 'pass' && each.restsOn) || []) : [];
  const { id, level, section, step, statement, hint } = row;
  const clauses = input.spec.catalogue.sources.filter(({ point }) => row.source.includes(point));
  return {
    ...{ id, level, section, clauses, step, statement, hint, outcome },
    ...present({
      reason: reason && redact(reason),
      uncheckable: row.engines.length === 0 || undefined,
      unseeable: (outcome === 'untested' && isUnseeable) || undefined,
      restsOn: bases.length === 0 ? undefined : redact([...new Set(bases)].join('; ')),
      disagreement: disagreementOf(findings),
    }),
    checks: findings.map((finding) => checkOf(finding, input)),
  };
}

/**
 * Engines and checks finish in another order every time; a seed must give one report. So the findings stand by engine, the worst first,
 * then by check and by what they say.
 */
function inOrder(findings: readonly Finding[], { engines }: VerdictInput): Finding[] {
  const words = ({ check, expected, actual, message, example }: Finding) => [check, expected, actual, message, example].join('\n');
  return [...findings].sort(
    (one, other) =>
      engines.indexOf(one.engine) - engines.indexOf(other.engine) ||
      severityOf(other) - severityOf(one) ||
      (words(one) < words(other) ? -1 : Number(words(one) > words(other))),
  );
}

function outcomeOf({ level }: Requirement, findings: readonly Finding[], isKnown: boolean): Outcome {
  const came = (outcome: Finding['outcome']) => findings.some((finding) => finding.outcome === outcome);
  if (isKnown && (came('fail') || came('flaky'))) return 'known-failure';
  if (came('fail')) return level === 'MUST' ? 'fail' : 'warn';
  if (came('flaky')) return 'flaky';
  // Where a check of the engine that tries most was not tried, it can show what no other can, so that their passes do not stand for it. A budget asks for less.
  const isGap = ({ outcome, engine, through }: Finding) => outcome === 'untested' && through !== 'budget' && engine === findings[0]?.engine;
  return came('pass') && !findings.some(isGap) ? 'pass' : 'untested';
}

function untestedReason(row: Requirement, { findings, engines, error, interrupted }: VerdictInput): string {
  const untested = findings.filter(({ outcome, message }) => outcome === 'untested' && message !== undefined);
  // Where both engines could not test it, they say the same in other words.
  const said = untested.filter(({ engine }) => engine === untested[0]?.engine).map(({ message = '' }) => capital(sentence(message)));
  if (said.length > 0) return [...new Set(said)].filter((each) => !said.some((other) => other !== each && other.includes(each))).join(' ');
  if (row.unchecked !== undefined) return row.unchecked;
  if (error !== undefined || interrupted) return 'The run ended before this was checked.';
  return `No check of the engines that ran covers it (${engines.join(', ') || 'none ran'}).`;
}

const engineWords = { laws: 'the laws', postman: 'the Postman collection', scenarios: 'the scenarios', watch: 'the watch' } as const;

function disagreementOf(findings: readonly Finding[]): string | undefined {
  const failing = findings.filter(({ outcome }) => outcome === 'fail').map(({ engine }) => engine);
  const [red] = failing;
  const green = findings.find(({ outcome, engine }) => outcome === 'pass' && !failing.includes(engine))?.engine;
  if (red === undefined || green === undefined) return undefined;
  return red === 'laws'
    ? `Found by ${engineWords[red]} only; ${engineWords[green]} tries fewer cases and did not find it.`
    : `Found by ${engineWords[red]} only, although ${engineWords[green]} try more cases: the server may not always answer the same. The violation stands.`;
}

function checkOf(finding: Finding, { record, curl, redact }: VerdictInput): ReportCheck {
  const text = (value: string | undefined) => (value === undefined ? null : redact(value));
  const { engine, outcome, seed = null, given, cases, rate, durationMs, example, cause, restsOn, explains } = finding;
  // Chains of checks that passed show nothing and would make the report large.
  const chain = outcome === 'pass' ? [] : (finding.chain ?? []);
  return {
    ...{ id: finding.check, engine, outcome },
    expected: text(finding.expected),
    actual: text(finding.actual),
    message: text(finding.message),
    exchanges: record(chain),
    curl: chain.length > 0 ? curl(chain) : null,
    seed,
    path: text(finding.path),
    ...present({ given, example: example && redact(example), cause: cause && redact(cause), cases }),
    ...present({ restsOn: restsOn && redact(restsOn), explains: explains?.map(({ what, count }) => ({ what: redact(what), count })) }),
    ...present({ rate, durationMs }),
  };
}
