import type { ReportRequirement } from './report.js';
import { uncheckableBecause } from './words.js';

export interface ReasonGroup {
  readonly reason: string;
  readonly rows: readonly ReportRequirement[];
}

/** Rows and what came, as reasons name them: "(see challenge.nonce; 403 Forbidden)". */
const pointer = / ?\(see ([a-z]+\.[a-z-]+(?: and [a-z]+\.[a-z-]+)*)(?:; ([^()]*))?\)/g;

/** The requirements, whose reasons point to no row that tells nothing itself because it is untested or left out. */
export function withoutDeadEnds(requirements: readonly ReportRequirement[]): ReportRequirement[] {
  const tested = new Set(requirements.filter(({ outcome }) => outcome !== 'untested').map(({ id }) => id));
  const cut = (text: string) =>
    text.replace(pointer, (all, ids: string, came: string | undefined) => {
      if (ids.split(' and ').some((id) => tested.has(id))) return all;
      return came === undefined ? '' : ` (${came})`;
    });
  return requirements.map((each) =>
    each.outcome !== 'untested' || each.reason === undefined
      ? each
      : {
          ...each,
          reason: cut(each.reason),
          checks: each.checks.map((check) => (check.message == null ? check : { ...check, message: cut(check.message) })),
        },
  );
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
