import { count } from '../../spec/index.js';
import type { Finding } from '../finding.js';
import type { Report, ReportRequirement, Verdict } from './report.js';
import { groupedBy, uncheckableBecause } from './words.js';

/** What decides upon the verdict besides the outcomes of the requirements. */
export interface Ending {
  readonly findings: readonly Finding[];
  /** Why no verdict is possible, as a plain sentence. A MUST that failed is a verdict all the same. */
  readonly error?: string | undefined;
  /** The call is wrong, or its clock stands still: the error is the verdict whatever was found. */
  readonly fatal?: boolean | undefined;
  /** What of the target stood in the way of tests, such as a rate limit, as a plain sentence. */
  readonly limitedBy?: string | undefined;
  /** True, or a plain sentence that says why. */
  readonly interrupted?: boolean | string | undefined;
  /** Rows without which there is no verdict where a budget cut them. */
  readonly guarding?: ReadonlySet<string>;
  /** The open points that were to be looked at. */
  readonly open?: readonly string[];
}

/** The verdict, and why there is none or it is incomplete. */
export function verdictOf(requirements: readonly ReportRequirement[], ending: Ending): { verdict: Verdict; error?: string } {
  const { error, interrupted } = ending;
  if (error !== undefined && ending.fatal === true) return { verdict: 'error', error };
  if (typeof interrupted === 'string' || interrupted === true)
    return { verdict: 'incomplete', error: error ?? (interrupted === true ? 'The run was interrupted.' : interrupted) };
  // A violation may itself be the reason for the error, so it goes first.
  const hindrance = hindranceOf(requirements, ending);
  if (requirements.some(({ outcome }) => outcome === 'fail')) {
    // What stays untested because of a violation, where no token comes say, is nothing to lift a limit for.
    const cutShort = error ?? (ending.limitedBy === undefined ? undefined : hindrance);
    return { verdict: 'non-conformant', ...(cutShort === undefined ? {} : { error: cutShort }) };
  }
  if (error !== undefined) return { verdict: 'error', error };
  const flaky = requirements.filter(({ level, outcome }) => level === 'MUST' && outcome === 'flaky').map(({ id }) => id);
  if (flaky.length > 0) {
    // It is neither proven nor refuted, so that the run must not look like success.
    const words = `${count(flaky.length, 'MUST requirement')} failed once and then held when tried again: ${flaky.join(', ')}.`;
    return { verdict: 'incomplete', error: `${words} Run it again to see whether it recurs.` };
  }
  if (hindrance !== undefined) return { verdict: 'incomplete', error: hindrance };
  if (requirements.every(({ outcome }) => outcome === 'untested'))
    return { verdict: 'error', error: nothingTested(requirements, ending.open ?? []) };
  return { verdict: 'conformant' };
}

/** The sentence for a run that has no verdict because more than a third of the MUSTs stayed untested, or one that a budget cut guards the door. */
function hindranceOf(requirements: readonly ReportRequirement[], { findings, limitedBy, guarding }: Ending): string | undefined {
  const through = (what: Finding['through']) =>
    new Set(findings.filter((each) => each.through === what).map(({ requirement }) => requirement));
  const [byTarget, byCall, byBudget] = [through('target'), through('call'), through('budget')];
  // Where nothing stood in the way, as with what a client did not exercise, it is no matter of the run.
  const isMeant = ({ id, outcome }: ReportRequirement) =>
    outcome !== 'untested' || [byTarget, byCall, byBudget].some((each) => each.has(id));
  const musts = requirements.filter((each) => each.level === 'MUST' && each.uncheckable !== true && isMeant(each));
  const rows = musts.filter(({ outcome }) => outcome === 'untested');
  const untested = rows.map(({ id }) => id);
  // What was tried within the budget, and is untested because the call gives too little, is not the budget's doing.
  const isCut = ({ id, checks }: ReportRequirement) =>
    byBudget.has(id) && !(byCall.has(id) && checks.some(({ outcome }) => outcome === 'pass'));
  const guards = rows.filter((row) => isCut(row) && guarding?.has(row.id) === true).map(({ id }) => id);
  const isMost = untested.length * 3 > musts.length;
  if (!isMost && guards.length === 0) return undefined;
  const many = `${untested.length} of ${musts.length} MUST requirements stayed untested${isMost ? ', more than a third' : ''}`;
  if (rows.some(isCut))
    return `The budget is too small for a verdict: ${many}${guards.length === 0 ? '' : `, including requirements that keep requests without credentials out: ${guards.join(', ')}`}. Give a larger --budget.`;
  if (!untested.some((id) => byTarget.has(id)))
    return `Too little could be tested for a verdict: ${many}. The report says what each of them needs.`;
  const known = requirements.filter(({ outcome }) => outcome === 'known-failure').map(({ id }) => id);
  if (limitedBy === undefined && known.length > 0)
    return `Too little could be tested for a verdict: ${many}. What the baseline accepts, ${known.join(', ')}, can keep everything that builds on it from being tested; mend that first.`;
  return [
    limitedBy ?? 'The server limited or refused too many requests.',
    `So ${many}.`,
    'Raise the limits of the server for this run, or stay below them with --rate and --concurrency, and run it again.',
  ].join(' ');
}

/** Untested requirements under the reason that they share, the commonest first; what nothing can check under one, last. */
export function groupedByReason(requirements: readonly ReportRequirement[]) {
  const reasonOf = ({ uncheckable, reason = 'No reason is given.' }: ReportRequirement) =>
    uncheckable === true ? uncheckableBecause : reason;
  const isLast = ([row]: readonly ReportRequirement[]) => Number(row?.uncheckable === true);
  return groupedBy(requirements, reasonOf)
    .map(([reason, rows]) => ({ reason, rows, line: `${rows.map(({ id }) => id).join(', ')}: ${reason}` }))
    .sort((one, other) => isLast(one.rows) - isLast(other.rows) || other.rows.length - one.rows.length);
}

/** Why a run in which every requirement stayed untested has no verdict. `open` are the open points that were selected. */
function nothingTested(requirements: readonly ReportRequirement[], open: readonly string[]): string {
  const groups = groupedByReason(requirements).slice(0, 5);
  if (groups.length > 0) return `No requirement could be tested. ${groups.map(({ line }) => line).join(' ')}`;
  if (open.length === 0) return 'There is nothing to test: --only and --skip together leave no requirement.';
  return `There is nothing to judge: ${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} left open by the protocol. The report shows what was observed; add --verbose.`;
}

/**
 * 0 conformant, 1 a violation that counts, 3 no verdict. A MUST that failed, an entry of the baseline that no longer applies
 * and, in a strict run, a warning, a flaky requirement, an untested MUST or a case that the budget left out all count.
 */
export function exitCode(report: Report, { strict = report.kit.strict === true }: { readonly strict?: boolean } = {}): 0 | 1 | 3 {
  // A failure beside this verdict comes from a fatal error and says nothing of the target.
  if (report.verdict === 'error') return 3;
  if (report.verdict === 'non-conformant' || report.requirements.some(({ outcome }) => outcome === 'fail')) return 1;
  if (strict && report.requirements.some(({ outcome }) => outcome === 'flaky')) return 1;
  if (report.verdict === 'incomplete') return 3;
  if ((report.staleBaseline ?? []).length > 0) return 1;
  return strict && (report.requirements.some(failsStrictly) || report.cases?.leftOut !== undefined) ? 1 : 0;
}

/** Whether an outcome that is no violation of a MUST still fails a strict run. */
export function failsStrictly(requirement: ReportRequirement): boolean {
  if (requirement.outcome === 'untested') return requirement.level === 'MUST' && !requirement.uncheckable && !requirement.unseeable;
  return requirement.outcome === 'warn' || requirement.outcome === 'flaky';
}
