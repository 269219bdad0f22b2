import { count, profileOf, type Step, spec } from '../../spec/index.js';
import { newEntries } from './baseline.js';
import { findingOf } from './finding.js';
import { countOutcomes, headline, skippedRequirements } from './headline.js';
import type { Outcome, Report, ReportRequirement } from './report.js';
import { groupedByReason } from './untested.js';
import { clientWords, clockWords, coverageWords, profileWords, stepTitles, targetName, timeWords } from './words.js';

/** What people read of a report, in the order in which they read it. Terminal, HTML and Markdown render this; nothing in it is escaped or cut. */
export type Document = ReturnType<typeof documentOf>;
export type FindingGroup = Document['findings'][number];
export type StepRows = Document['steps'][number];

/** `json` is the file of the report, where there is one; commands name it. */
export function documentOf(report: Report, json?: string) {
  const { requirements, target, profile } = report;
  return {
    headline: headline(report),
    /** What was judged, as people call it. */
    target: targetName(target),
    kit: report.kit.version,
    hasVerdict: report.verdict !== 'error',
    isOfClient: target.client !== undefined,
    counts: countOutcomes(requirements),
    facts: factsOf(report),
    steps: byStep(requirements),
    findings: groups.flatMap(({ outcome, title }) => {
      const found = worstFirst(withOutcome(requirements, outcome)).map((row) => findingOf(row, json));
      return found.length === 0 ? [] : [{ outcome, title, findings: found }];
    }),
    untested: groupedByReason(withOutcome(requirements, 'untested')),
    /** What passed, by step, with what each pass rests upon. */
    passed: byStep(withOutcome(requirements, 'pass')),
    skipped: skippedOf(report),
    observations: report.observations,
    remarks: report.remarks,
    baseline: newEntries(report),
    /** The headers that carry the protocol in answers, in lower case. */
    carriers: (profile?.headers ?? []).map((name) => name.toLowerCase()),
  };
}

const groups = [
  { outcome: 'fail', title: 'Failures' },
  { outcome: 'warn', title: 'Warnings' },
  { outcome: 'known-failure', title: 'Known failures, from the baseline' },
] as const;

/** How the verdict came about: what was given to the run, and what it took. `brief` facts are told where there is little room. */
function factsOf(report: Report) {
  const { kit, target, coverage, depth } = report;
  const { client, users } = target;
  const given: readonly (readonly [label: string, text: string, brief?: boolean])[] =
    client === undefined
      ? [
          ['Service', target.url],
          ['Collections', target.collections.join(', '), true],
          ['Users', users.join(', ') || 'none', true],
          ['Authentication', target.auth, true],
          ['Clock', clockWords[target.clock] ?? target.clock, true],
          ['Seed', String(kit.seed), true],
        ]
      : [
          ['Client', client.name],
          ['Judged as', clientWords(client), true],
        ];
  const longest = depth === undefined ? '' : `, at most ${depth} requests after one another`;
  const began = report.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  const random = client === undefined ? `; ${count(kit.runs, 'random case')} a law` : '';
  const all: typeof given = [
    ...given,
    ['Judged', `${began}, in ${timeWords(report.durationMs)} with ${count(report.requests, 'request')}${longest}`],
    ['Covered', coverage === undefined ? '' : coverageWords(coverage)],
    ['Engines', `${kit.engines.join(', ')}${random}`],
    // The kit's own goes without saying where there is little room.
    ['Profile', profileWords(report), client === undefined && report.profile?.digest !== profileOf(spec).digest],
    ['Kit', `hydrauth ${kit.version}, catalogue ${report.spec.catalogue}`],
  ];
  return all.flatMap(([label, text, brief = false]) => (text === '' ? [] : [{ label, text, brief }]));
}

export function byStep(requirements: readonly ReportRequirement[]) {
  return (Object.keys(stepTitles) as Step[]).flatMap((step) => {
    const rows = requirements.filter((each) => each.step === step);
    return rows.length === 0 ? [] : [{ step, title: stepTitles[step], counts: countOutcomes(rows), rows }];
  });
}

function withOutcome(requirements: readonly ReportRequirement[], outcome: Outcome): ReportRequirement[] {
  return requirements.filter((each) => each.outcome === outcome);
}

/** How grave it is that the last answer of a failure gave something, by step. In the others it was rightly given. */
const gravities: Readonly<Partial<Record<Step, number>>> = { protection: 2, token: 2, expiry: 2, exchange: 1 };

/** Those first in which something was given that should not be, then those about the login; otherwise in the order of the catalogue. */
function worstFirst(rows: readonly ReportRequirement[]): ReportRequirement[] {
  const gravity = ({ step, checks }: ReportRequirement) => {
    const ends = checks.flatMap(({ outcome, exchanges }) => (outcome === 'fail' ? exchanges.slice(-1) : []));
    const gave = ends.some((link) => link.kind === 'exchange' && link.response !== null && Math.floor(link.response.status / 100) === 2);
    return gave ? (gravities[step] ?? 0) : 0;
  };
  return [...rows].sort((one, other) => gravity(other) - gravity(one));
}

/** How much was skipped, "Skipped (70, and 19 open points)", and the ids. */
function skippedOf(report: Report) {
  const { skipped: ids } = report;
  if (ids.length === 0) return undefined;
  const requirements = skippedRequirements(report).length;
  const open = ids.length - requirements;
  const parts = [...(requirements > 0 ? [String(requirements)] : []), ...(open > 0 ? [count(open, 'open point')] : [])];
  return { title: `Skipped (${parts.join(', and ')})`, ids };
}
