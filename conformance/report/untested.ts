import type { ReportRequirement } from './report.js';
import { uncheckableBecause } from './words.js';

export interface ReasonGroup {
  readonly reason: string;
  readonly rows: readonly ReportRequirement[];
}

const shownGroups = 5;

/** Untested requirements under the reason that they share, the commonest first; what nothing can check under one, last. */
export function groupedByReason(requirements: readonly ReportRequirement[]): ReasonGroup[] {
  const found = new Map<string, ReportRequirement[]>();
  for (const each of requirements) {
    const reason = each.uncheckable === true ? uncheckableBecause : (each.reason ?? 'No reason is given.');
    found.set(reason, [...(found.get(reason) ?? []), each]);
  }
  const isLast = ([row]: readonly ReportRequirement[]) => Number(row?.uncheckable === true);
  return [...found]
    .map(([reason, rows]) => ({ reason, rows }))
    .sort((one, other) => isLast(one.rows) - isLast(other.rows) || other.rows.length - one.rows.length);
}

/** Why a run in which every requirement stayed untested has no verdict. `open` are the open points that were selected. */
export function nothingTested(requirements: readonly ReportRequirement[], open: readonly string[]): string {
  if (requirements.length > 0) {
    const groups = groupedByReason(requirements)
      .slice(0, shownGroups)
      .map(({ reason, rows }) => `${rows.map(({ id }) => id).join(', ')}: ${reason}`);
    return `No requirement could be tested. ${groups.join(' ')}`;
  }
  if (open.length === 0) return 'There is nothing to test: --only and --skip together leave no requirement.';
  return `There is nothing to judge: ${open.join(', ')} ${open.length === 1 ? 'is left open by the protocol' : 'are left open by the protocol'}. The report shows what was observed; add --verbose.`;
}
