import { count, profileOf, type Step, spec } from '../../spec/index.js';
import { newEntries } from './baseline.js';
import { findingOf } from './finding.js';
import { countOutcomes, headline, skippedRequirements } from './headline.js';
import type { Outcome, Report, ReportRequirement } from './report.js';
import { groupedByReason } from './verdict.js';
import { groupedBy, skippedBecause, stepTitles, targetName, timeWords } from './words.js';

/** What people read of a report, in the order in which they read it. Terminal, HTML and Markdown render this; nothing in it is escaped or cut. */
export type Document = ReturnType<typeof documentOf>;
export type FindingGroup = Document['findings'][number];
export type StepRows = Document['steps'][number];

/** `json` is the file of the report, where there is one; commands name it. */
export function documentOf(report: Report, json?: string) {
  const { requirements, target, profile, remarks } = report;
  const having = (outcome: Outcome) => requirements.filter((each) => each.outcome === outcome);
  const counts = countOutcomes(requirements);
  const untested = groupedByReason(having('untested'));
  const skipped = skippedOf(report);
  return {
    headline: headline(report),
    /** What was judged, as people call it. */
    target: targetName(target),
    kit: report.kit.version,
    hasVerdict: report.verdict !== 'error',
    isOfClient: target.client !== undefined,
    counts,
    facts: factsOf(report),
    steps: byStep(requirements),
    findings: groups.flatMap(({ outcome, title }) => {
      // Those first in which something was given to somebody who must be refused; otherwise in the order of the catalogue.
      const rows = having(outcome).sort((one, other) => gave(other) - gave(one));
      const findings = rows.map((row) => findingOf(row, json));
      return findings.length === 0 ? [] : [{ outcome, title, findings }];
    }),
    untested,
    /** What passed, by step, with what each pass rests upon. */
    passed: byStep(having('pass')),
    skipped,
    /** What was not judged and what else is worth knowing, as lines under titles; some may have none. */
    lists: [
      { title: `Untested (${counts.untested})`, lines: untested.map(({ line }) => line) },
      { title: skipped.title, lines: skipped.ids.length === 0 ? [] : [`${skipped.names.join(', ')}: ${skippedBecause}`] },
      { title: 'Remarks', lines: remarks },
    ],
    remarks,
    /** The protocol text, section by section: each point that a requirement comes from, with the ids of these. */
    clauses: clausesOf(requirements),
    observations: report.observations,
    baseline: newEntries(report),
    /** The headers that carry the protocol in answers, in lower case. */
    carriers: (profile?.headers ?? []).map((name) => name.toLowerCase()),
  };
}

const gave = ({ checks }: ReportRequirement) => Number(checks.some(({ given }) => given !== undefined));

const groups = [
  { outcome: 'fail', title: 'Failures' },
  { outcome: 'warn', title: 'Warnings' },
  { outcome: 'flaky', title: 'Flaky: failed once, then held' },
  { outcome: 'known-failure', title: 'Known failures, from the baseline' },
] as const;

const clocks = {
  none: 'none (expiry was not tested)',
  wait: 'real time',
  http: 'moved over HTTP',
  faketime: 'moved by libfaketime',
  exec: 'moved by a command',
} as const;

const ways = {
  command: 'started anew for each scenario',
  driver: 'driven over standard input and output',
  function: 'called as a function',
  watch: 'watched while somebody else used it',
} as const;

/** How the verdict came about: what was given to the run, and what it took. `brief` facts are told where there is little room. */
function factsOf({ kit, target, coverage, depth, depthBy = [], profile, spec: judged, ...report }: Report) {
  const { client, users } = target;
  const given: readonly (readonly [label: string, text: string, brief?: boolean])[] =
    client === undefined
      ? [
          ['Service', target.url],
          ['Collections', target.collections.join(', '), true],
          ['Users', users.join(', ') || 'none', true],
          ['Authentication', target.auth, true],
          ['Clock', clocks[target.clock], true],
          ['Seed', String(kit.seed), true],
        ]
      : [
          ['Client', client.name],
          ['Judged as', `client, ${ways[client.way]}`, true],
        ];
  const parts = depthBy.map(({ what, requests }) => `${requests} ${what}`).join(', ');
  const longest =
    depth === undefined ? '' : `; the longest chain of requests that wait for each other has ${depth}${parts && ` (${parts})`}`;
  const began = report.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  const random = client === undefined ? `; ${count(kit.runs, 'random case')} per check` : '';
  const digests = profile === undefined ? '' : ` (${profile.digest.slice(0, 8)}, catalogue ${profile.catalogue.slice(0, 8)})`;
  const tuple = coverage?.strength === 3 ? 'triple' : 'pair';
  const all: typeof given = [
    ...given,
    ['Judged', `${began}, in ${timeWords(report.durationMs)} with ${count(report.requests, 'request')}${longest}`],
    [
      'Covered',
      coverage === undefined ? '' : `${count(coverage.pairs, tuple)} of values in ${count(coverage.combinations, 'combination')}`,
    ],
    ['Engines', `${kit.engines.join(', ')}${random}`],
    // The kit's own goes without saying where there is little room.
    ['Profile', `${judged.title} ${judged.version}${digests}`, client === undefined && profile?.digest !== profileOf(spec).digest],
    ['Kit', `hydrauth ${kit.version}, catalogue ${judged.catalogue}`],
  ];
  return all.flatMap(([label, text, brief = false]) => (text === '' ? [] : [{ label, text, brief }]));
}

export function byStep(requirements: readonly ReportRequirement[]) {
  return (Object.keys(stepTitles) as Step[]).flatMap((step) => {
    const rows = requirements.filter((each) => each.step === step);
    return rows.length === 0 ? [] : [{ step, title: stepTitles[step], counts: countOutcomes(rows), rows }];
  });
}

function clausesOf(requirements: readonly ReportRequirement[]) {
  const all = requirements.flatMap(({ id, clauses = [] }) => clauses.map((each) => ({ ...each, id })));
  const points = groupedBy(all, ({ point }) => point).flatMap(([, same]) =>
    same.slice(0, 1).map(({ id: _, ...clause }) => ({ ...clause, ids: [...new Set(same.map(({ id }) => id))] })),
  );
  points.sort((one, other) => one.point.localeCompare(other.point, 'en', { numeric: true }));
  return groupedBy(points, ({ section }) => section).map(([section, found]) => ({ section, points: found }));
}

/** How much was skipped, "Skipped (70, and 19 open points)", and the ids. */
function skippedOf(report: Report) {
  const { skipped: ids } = report;
  const requirements = skippedRequirements(report).length;
  const open = ids.length - requirements;
  const parts = [...(requirements > 0 ? [String(requirements)] : []), ...(open > 0 ? [count(open, 'open point')] : [])];
  // Where nothing with this beginning was judged, it stands for all of them.
  const beginning = (id: string) => id.slice(0, id.indexOf('.') + 1);
  const judged = new Set(report.requirements.map(({ id }) => beginning(id)));
  const names = [...new Set(ids.map((id) => (judged.has(beginning(id)) ? id : `${beginning(id)}*`)))];
  return { title: `Skipped (${parts.join(', and ')})`, ids, names };
}
