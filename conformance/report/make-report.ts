import { type Engine, profileOf, type Spec } from '../../spec/index.js';
import { type Observation, present } from '../finding.js';
import type { RunOptions } from '../options.js';
import { kitVersion } from '../version.js';
import type { Chain } from '../wire/index.js';
import { isPast, otherProfiles, pastSentence, staleEntries, staleSentence } from './baseline.js';
import { reportSchemaId } from './read.js';
import type { Report, ReportCoverage, ReportExchange, ReportObservation, ReportProfile, ReportTarget } from './report.js';
import { makeRequirement } from './requirement.js';
import { withoutDeadEnds } from './untested.js';
import { type Ending, verdictOf } from './verdict.js';

/** What a run found, and what is needed to write it down without secrets. */
export interface VerdictInput extends Ending, Pick<Report, 'target' | 'durationMs' | 'requests' | 'depth' | 'remarks'> {
  readonly spec: Spec;
  readonly options: Pick<RunOptions, 'auth' | 'seed' | 'runs' | 'baseline' | 'strict'>;
  readonly observations: readonly Observation[];
  readonly startedAt: Date;
  readonly coverage?: ReportCoverage | undefined;
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
  const { spec, options, redact, target, durationMs, requests, depth, coverage, cases } = input;
  const selected = new Set(input.selected);
  for (const finding of input.findings) spec.catalogue.requirement(finding.requirement);
  const rows = applicable(spec.catalogue.requirements, options).filter(({ id }) => selected.has(id));
  const told = rows.map((row) =>
    makeRequirement(row, {
      ...input,
      sources: spec.catalogue.sources,
      findings: input.findings.filter((finding) => finding.requirement === row.id),
      baseline: options.baseline.filter((entry) => !isPast(entry, input.startedAt)),
      ended: input.error !== undefined || Boolean(input.interrupted),
    }),
  );
  const requirements = withoutDeadEnds(told);
  const stale = staleEntries(options.baseline, { requirements, ...present({ cases }) });
  const open = applicable(spec.catalogue.open, options).flatMap(({ id }) => (selected.has(id) ? [id] : []));
  const { verdict, error } = verdictOf(requirements, {
    ...input,
    open,
    guarding: new Set(rows.flatMap(({ id, guards }) => (guards ? [id] : []))),
  });
  const profile = reportProfile(spec);
  return {
    ...{ $schema: reportSchemaId, kit: kitOf(input), spec: titleOf(spec), profile, target },
    ...{ startedAt: input.startedAt.toISOString(), durationMs, requests },
    ...present({ depth, coverage, cases }),
    verdict,
    ...present({ error: error && redact(error) }),
    requirements,
    skipped: input.skipped ?? applicable(spec.catalogue.rows, options).flatMap(({ id }) => (selected.has(id) ? [] : [id])),
    observations: observationsOf(input),
    remarks: [
      ...input.remarks,
      ...stale.map(({ requirement }) => staleSentence(requirement)),
      ...options.baseline.filter((entry) => isPast(entry, input.startedAt) && !stale.includes(entry)).map(pastSentence),
      ...otherProfiles(options.baseline, profile),
    ].map(redact),
    ...(stale.length > 0 ? { staleBaseline: stale.map((entry) => entry.requirement) } : {}),
  };
}

/** The rows that apply to the mode of the run. */
function applicable<Row extends { readonly auth: 'on' | 'off' | 'any' }>(rows: readonly Row[], { auth }: VerdictInput['options']): Row[] {
  return rows.filter((row) => row.auth === 'any' || row.auth === auth);
}

function observationsOf({ spec, observations, redact }: VerdictInput): ReportObservation[] {
  for (const each of observations) {
    if (spec.catalogue.row(each.requirement).level !== 'OPEN')
      throw new Error(`${each.requirement} is observed, but the catalogue does not list it as open`);
  }
  return spec.catalogue.open.flatMap(({ id, question }) =>
    observations
      .filter((each) => each.requirement === id)
      .map((each) => ({ id, question, answer: redact(each.answer), evidence: redact(each.evidence) })),
  );
}

function kitOf({ engines, options: { seed, runs, strict } }: VerdictInput): Report['kit'] {
  return { name: 'hydrauth', version: kitVersion(), engines, seed, runs, ...(strict ? { strict } : {}) };
}

function titleOf(spec: Spec): Report['spec'] {
  const { info } = spec.source.openapi as { info: { title: string; version: string } };
  return { title: info.title, version: info.version, catalogue: spec.catalogue.version };
}

function reportProfile(spec: Spec): ReportProfile {
  const { nonce, token, authenticate } = spec.protocol.headers;
  return { ...profileOf(spec), headers: [nonce, token, authenticate] };
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
    clock: /^https?:/.test(options.clock) ? 'http' : (options.clock.split(':')[0] as string),
    auth: options.auth,
  };
}
