import type { Engine, Requirement, Spec } from '../../spec/index.js';
import type { Finding, Observation } from '../finding.js';
import type { RunOptions } from '../options.js';
import { kitVersion } from '../version.js';
import type { Chain } from '../wire/index.js';
import { staleEntries, staleSentence } from './baseline.js';
import type { Report, ReportExchange, ReportObservation, ReportTarget } from './report.js';
import { makeRequirement } from './requirement.js';
import { reportSchemaId } from './schema.js';
import { verdictOf } from './verdict.js';

/** What a run found, and what is needed to write it down without secrets. */
export interface VerdictInput {
  readonly spec: Spec;
  readonly options: Pick<RunOptions, 'baseUrl' | 'collections' | 'users' | 'auth' | 'clock' | 'seed' | 'runs' | 'baseline'>;
  readonly findings: readonly Finding[];
  readonly observations: readonly Observation[];
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly requests: number;
  /** Why no verdict is possible, as a plain sentence. A MUST that failed is a verdict all the same. */
  readonly error?: string | undefined;
  /** The call is wrong, or its clock stands still: the error is the verdict whatever was found. */
  readonly fatal?: boolean | undefined;
  /** What of the target stood in the way of tests, such as a rate limit, as a plain sentence. */
  readonly limitedBy?: string | undefined;
  /** True, or why it was, as a plain sentence. */
  readonly interrupted?: boolean | string | undefined;
  readonly remarks: readonly string[];
  readonly engines: readonly Engine[];
  /** Ids of the rows to report; those of the other mode are left out by themselves. */
  readonly selected: Iterable<string>;
  /** Ids that --skip or --only left out; unless given, every row of the mode that is not selected. */
  readonly skipped?: readonly string[];
  /** These two give what is already free of secrets. */
  readonly record: (chain: Chain) => readonly ReportExchange[];
  readonly curl: (chain: Chain) => string;
  readonly redact: (text: string) => string;
}

/** Joins what the engines found with the catalogue. A finding about a row that the catalogue lacks throws. */
export function makeReport(input: VerdictInput): Report {
  const { spec, options, redact } = input;
  for (const finding of input.findings) spec.catalogue.requirement(finding.requirement);
  const requirements = rowsOf(input).map((row) =>
    makeRequirement(row, {
      ...input,
      findings: input.findings.filter((finding) => finding.requirement === row.id),
      baseline: options.baseline,
      ended: input.error !== undefined || Boolean(input.interrupted),
    }),
  );
  const stale = staleEntries(options.baseline, requirements);
  const { verdict, error } = verdictOf(requirements, input);
  return {
    $schema: reportSchemaId,
    kit: { name: 'hydrauth', version: kitVersion(), engines: input.engines, seed: options.seed, runs: options.runs },
    spec: titleOf(spec),
    target: targetOf(options),
    startedAt: input.startedAt.toISOString(),
    durationMs: input.durationMs,
    requests: input.requests,
    verdict,
    ...(error === undefined ? {} : { error: redact(error) }),
    requirements,
    skipped: input.skipped ?? skippedIds(input),
    observations: observationsOf(input),
    remarks: [...input.remarks, ...stale.map(({ requirement }) => staleSentence(requirement))].map(redact),
    ...(stale.length > 0 ? { staleBaseline: stale.map((entry) => entry.requirement) } : {}),
  };
}

function rowsOf({ spec, options, selected }: VerdictInput): Requirement[] {
  const ids = new Set(selected);
  return spec.catalogue.requirements.filter((row) => ids.has(row.id) && (row.auth === 'any' || row.auth === options.auth));
}

function skippedIds({ spec, options, selected }: VerdictInput): string[] {
  const ids = new Set(selected);
  return spec.catalogue.rows.filter((row) => !ids.has(row.id) && (row.auth === 'any' || row.auth === options.auth)).map(({ id }) => id);
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

function titleOf(spec: Spec): Report['spec'] {
  const { info } = spec.source.openapi as { info: { title: string; version: string } };
  return { title: info.title, version: info.version, catalogue: spec.catalogue.version };
}

function targetOf(options: VerdictInput['options']): ReportTarget {
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
