import type { ReportRequirement } from './report.js';

export interface UntestedGroup {
  readonly reason: string;
  readonly requirements: readonly ReportRequirement[];
}

/** What is said once of all that nothing can check. */
export const uncheckableBecause = 'No exchange can show it, so no run tests it.';
const shownGroups = 5;

/** Untested requirements under the reason that they share, the commonest first. */
export function groupedByReason(
  requirements: readonly ReportRequirement[],
  reasonOf: (requirement: ReportRequirement) => string = ({ reason }) => reason ?? 'No reason is given.',
): UntestedGroup[] {
  const groups = new Map<string, ReportRequirement[]>();
  for (const each of requirements) groups.set(reasonOf(each), [...(groups.get(reasonOf(each)) ?? []), each]);
  return [...groups]
    .map(([reason, members]) => ({ reason, requirements: members }))
    .sort((a, b) => b.requirements.length - a.requirements.length);
}

/** Why a run in which every requirement stayed untested has no verdict. `open` are the open points that were selected. */
export function nothingTested(requirements: readonly ReportRequirement[], open: readonly string[]): string {
  if (requirements.length > 0) {
    const groups = groupedByReason(requirements)
      .slice(0, shownGroups)
      .map(({ reason, requirements: members }) => `${members.map(({ id }) => id).join(', ')}: ${reason}`);
    return `No requirement could be tested. ${groups.join(' ')}`;
  }
  if (open.length === 0) return 'There is nothing to test: --only and --skip together leave no requirement.';
  return `There is nothing to judge: ${open.join(', ')} ${open.length === 1 ? 'is an open point' : 'are open points'}, observed and never judged. --verbose shows what was observed.`;
}
