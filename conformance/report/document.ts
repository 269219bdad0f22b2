import { count, profileOf, type Step, spec } from '../../spec/index.js';
import { newEntries } from './baseline.js';
import { findingOf } from './finding.js';
import { countOutcomes, headline, skippedRequirements } from './headline.js';
import type { Outcome, Report, ReportRequirement } from './report.js';
import { groupedByReason } from './untested.js';
import { clientWords, clockWords, coverageWords, profileWords, skippedBecause, stepTitles, targetName, timeWords } from './words.js';

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
    /** What was not judged and what else is worth knowing, as lines under titles. */
    lists: listsOf(report),
    /** The protocol text, section by section: each point that a requirement comes from, with the ids of these. */
    clauses: clausesOf(requirements),
    observations: report.observations,
    baseline: newEntries(report),
    /** The headers that carry the protocol in answers, in lower case. */
    carriers: (profile?.headers ?? []).map((name) => name.toLowerCase()),
  };
}

const groups = [
  { outcome: 'fail', title: 'Failures' },
  { outcome: 'warn', title: 'Warnings' },
  { outcome: 'flaky', title: 'Flaky: failed once, then held' },
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
  const longest = depth === undefined ? '' : `; the longest chain of requests that wait for each other has ${depth}`;
  const began = report.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  const random = client === undefined ? `; ${count(kit.runs, 'random case')} per check` : '';
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

/** Those first in which something was given to somebody who must be refused; otherwise in the order of the catalogue. */
function worstFirst(rows: readonly ReportRequirement[]): ReportRequirement[] {
  const gave = ({ checks }: ReportRequirement) => Number(checks.some(({ given }) => given !== undefined));
  return [...rows].sort((one, other) => gave(other) - gave(one));
}

function listsOf(report: Report) {
  const untested = withOutcome(report.requirements, 'untested');
  const skipped = skippedOf(report);
  const lists = [
    {
      id: 'untested',
      title: `Untested (${untested.length})`,
      lines: groupedByReason(untested).map(({ reason, rows }) => `${rows.map(({ id }) => id).join(', ')}: ${reason}`),
    },
    { id: 'skipped', title: skipped?.title ?? '', lines: skipped === undefined ? [] : [`${skipped.names.join(', ')}: ${skippedBecause}`] },
    { id: 'remarks', title: 'Remarks', lines: report.remarks },
  ];
  return lists.filter(({ lines }) => lines.length > 0);
}

function clausesOf(requirements: readonly ReportRequirement[]) {
  const points = new Map(requirements.flatMap(({ clauses = [] }) => clauses).map((each) => [each.point, each]));
  const sorted = [...points.values()].sort((one, other) => one.point.localeCompare(other.point, 'en', { numeric: true }));
  const told = sorted.map(({ point, section, says }) => {
    const from = requirements.filter(({ clauses = [] }) => clauses.some((each) => each.point === point));
    return { point, section, says, ids: from.map(({ id }) => id) };
  });
  return [...new Set(told.map(({ section }) => section))].map((section) => ({
    section,
    points: told.filter((each) => each.section === section),
  }));
}

/** How much was skipped, "Skipped (70, and 19 open points)", and the ids. */
function skippedOf(report: Report) {
  const { skipped: ids } = report;
  if (ids.length === 0) return undefined;
  const requirements = skippedRequirements(report).length;
  const open = ids.length - requirements;
  const parts = [...(requirements > 0 ? [String(requirements)] : []), ...(open > 0 ? [count(open, 'open point')] : [])];
  // Where nothing with this beginning was judged, it stands for all of them.
  const beginning = (id: string) => id.slice(0, id.indexOf('.') + 1);
  const judged = new Set(report.requirements.map(({ id }) => beginning(id)));
  const names = [...new Set(ids.map((id) => (judged.has(beginning(id)) ? id : `${beginning(id)}*`)))];
  return { title: `Skipped (${parts.join(', and ')})`, ids, names };
}
