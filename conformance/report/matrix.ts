import { differenceOf } from '../../spec/index.js';
import type { Outcome, Report, ReportRequirement, ReportTarget, Verdict } from './report.js';
import { type Counts, countOutcomes, skippedRequirements } from './summary.js';

/** Several targets side by side. Every list of a row has an entry for each of them, in the order in which they were given. */
export interface Matrix {
  readonly implementations: readonly MatrixColumn[];
  readonly requirements: readonly MatrixRequirement[];
  readonly observations: readonly MatrixObservation[];
  /** What is said of reports that were made under another profile than the first. */
  readonly profiles: readonly string[];
}

export interface MatrixColumn {
  readonly name: string;
  readonly target: ReportTarget;
  readonly verdict: Verdict;
  readonly counts: Counts;
  readonly skipped: number;
}

export interface MatrixRequirement {
  readonly id: string;
  readonly level: 'MUST' | 'SHOULD';
  readonly step: Report['requirements'][number]['step'];
  readonly statement: string;
  /** Null where the report does not have it, because it does not apply to the setting. */
  readonly outcomes: readonly (Outcome | 'skipped' | null)[];
  /** What each report says of it. */
  readonly rows: readonly (ReportRequirement | undefined)[];
  /** Two services were judged and came out differently. Where one was not tested, nobody knows. */
  readonly differs: boolean;
}

interface MatrixObservation {
  readonly id: string;
  readonly question: string;
  readonly answers: readonly (string | null)[];
  readonly differs: boolean;
}

export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

export function compareReports(reports: readonly NamedReport[]): Matrix {
  return {
    implementations: reports.map(({ name, report }) => ({
      name,
      target: report.target,
      verdict: report.verdict,
      counts: countOutcomes(report.requirements),
      skipped: skippedRequirements(report).length,
    })),
    requirements: firstOfEach(reports.map(({ report }) => report.requirements)).map(({ id, level, step, statement }) => {
      const rows = reports.map(({ report }) => report.requirements.find((each) => each.id === id));
      const outcomes = rows.map((row, index) => row?.outcome ?? (reports[index]?.report.skipped.includes(id) ? 'skipped' : null));
      const judged = outcomes.filter((outcome) => outcome !== null && outcome !== 'skipped' && outcome !== 'untested');
      return { id, level, step, statement, outcomes, rows, differs: differ(judged) };
    }),
    profiles: otherProfiles(reports),
    observations: firstOfEach(reports.map(({ report }) => report.observations)).map(({ id, question }) => {
      const answers = reports.map(({ report }) => report.observations.find((each) => each.id === id)?.answer ?? null);
      return { id, question, answers, differs: differ(answers.filter((answer) => answer !== null)) };
    }),
  };
}

/** How many requirements of a column passed, and how many were skipped. */
export function totals({ counts, skipped }: MatrixColumn): string {
  return `${counts.pass} of ${counts.all} passed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

function otherProfiles([first, ...others]: readonly NamedReport[]): string[] {
  return others.flatMap(({ name, report }) => {
    const difference = differenceOf(report.profile, first?.report.profile);
    return difference === undefined ? [] : [`${name} was judged under another profile than ${first?.name}: ${difference}.`];
  });
}

/** Every row that any report has, once, in the order of the first that has it. */
function firstOfEach<Row extends { readonly id: string }>(lists: readonly (readonly Row[])[]): Row[] {
  const rows = new Map<string, Row>();
  for (const row of lists.flat()) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

function differ(values: readonly unknown[]): boolean {
  return new Set(values).size > 1;
}
