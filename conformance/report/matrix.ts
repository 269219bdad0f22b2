import { count, differenceOf } from '../../spec/index.js';
import { findingOf } from './finding.js';
import { countOutcomes, skippedRequirements } from './headline.js';
import { InputFileError } from './read.js';
import type { Outcome, Report } from './report.js';
import { targetName } from './words.js';

/** Several targets side by side. Every list of a row has an entry for each of them, in the order in which they were given. */
export type Matrix = ReturnType<typeof compareReports>;
export type MatrixColumn = Matrix['columns'][number];
export type MatrixRequirement = Matrix['requirements'][number];

/** Null where the report does not have it, because it does not apply to the setting. */
export type MatrixOutcome = Outcome | 'skipped' | null;

export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** Reports of services and of clients have no requirement in common, so that to mix them is refused. */
export function compareReports(reports: readonly NamedReport[]) {
  const kindOf = (each: NamedReport | undefined) => (each?.report.target.client === undefined ? 'service' : 'client');
  const [first, ...others] = reports;
  const mixed = others.find((each) => kindOf(each) !== kindOf(first));
  if (mixed !== undefined)
    throw new InputFileError(
      mixed.name,
      `this is the report of a ${kindOf(mixed)}, and ${first?.name} that of a ${kindOf(first)}; compare services with services, and clients with clients`,
    );
  const requirements = requirementsOf(reports);
  const differing = requirements.filter(({ differs }) => differs).length;
  return {
    title: `${count(reports.length, kindOf(first))} side by side`,
    differing: `${differing} of ${count(requirements.length, 'requirement')} ${differing === 1 ? 'differs' : 'differ'}`,
    columns: reports.map(({ name, report }) => {
      const counts = countOutcomes(report.requirements);
      const skipped = skippedRequirements(report).length;
      const totals = `${counts.pass} of ${counts.all} passed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
      return { name, target: targetName(report.target), verdict: report.verdict, counts, skipped, totals };
    }),
    requirements,
    /** What is said of reports that were made under another profile than the first. */
    profiles: others.flatMap(({ name, report }) => {
      const difference = differenceOf(report.profile, first?.report.profile);
      return difference === undefined ? [] : [`${name} was judged under another profile than ${first?.name}: ${difference}.`];
    }),
    observations: firstOfEach(reports.map(({ report }) => report.observations)).map(({ id, question }) => {
      const answers = reports.map(({ report }) => report.observations.find((each) => each.id === id)?.answer ?? null);
      return { id, question, answers, differs: differ(answers.filter((answer) => answer !== null)) };
    }),
  };
}

/** What fails anywhere first, the commonest on top, then what is violated otherwise, then the others; otherwise in the order of the catalogue. */
function requirementsOf(reports: readonly NamedReport[]) {
  const all = firstOfEach(reports.map(({ report }) => report.requirements)).map(({ id, level, step, statement, hint }) => {
    const rows = reports.map(({ report }) => report.requirements.find((each) => each.id === id));
    const outcomes = rows.map(
      (row, index): MatrixOutcome => row?.outcome ?? (reports[index]?.report.skipped.includes(id) ? 'skipped' : null),
    );
    const judged = outcomes.filter((outcome) => outcome !== null && outcome !== 'skipped' && outcome !== 'untested');
    const failed = judged.filter((outcome) => outcome === 'fail').length;
    /** A failure that a baseline accepts is one, too. */
    const violated = judged.filter((outcome) => outcome !== 'pass').length;
    return {
      ...{ id, level, step, statement, hint, outcomes, failed, violated },
      findings: rows.map((row) => (row === undefined || row.outcome === 'pass' ? undefined : findingOf(row))),
      violatedBy: violated === 0 ? '' : `${violated} of ${reports.length}`,
      /** Two targets were judged and came out differently. Where one was not tested, nobody knows. */
      differs: differ(judged),
    };
  });
  return all.sort((one, other) => other.failed - one.failed || other.violated - one.violated);
}

/** Every row that any report has, once, in the order of the first that has it. */
function firstOfEach<Row extends { readonly id: string }>(lists: readonly (readonly Row[])[]): Row[] {
  const rows = new Map<string, Row>();
  for (const row of lists.flat()) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

const differ = (values: readonly unknown[]) => new Set(values).size > 1;
