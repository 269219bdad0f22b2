import { count } from '../../spec/index.js';
import { type Finding, mostKinds, present, severityOf, told, triesAlone, untested } from '../finding.js';
import type { Untested } from '../subject/index.js';
import { pathOf } from './case.js';
import type { Failure } from './failures.js';

export interface Told extends Failure {
  readonly row: string;
  /** It failed, and then not, or not always, when it was tried alone. */
  readonly byChance?: 'not again' | 'sometimes';
}

/** What the cases of a run came to, by the row that tells it. */
interface Outcomes {
  readonly told: readonly Told[];
  /** How many cases held, and how many failed, repetitions counted. */
  readonly held: ReadonlyMap<string, number>;
  readonly failed: ReadonlyMap<string, number>;
  /** Why a case said nothing. */
  readonly reasons: ReadonlyMap<string, Untested>;
  /** How long its cases took, in milliseconds. */
  readonly took: ReadonlyMap<string, number>;
}

/** Every failure; and of the other rows, those that held, or why nothing could be tried. */
export function findingsOf({ told: failures, held, failed: times, reasons, took }: Outcomes, seed: number): Finding[] {
  const rateOf = (row: string) => {
    const failed = times.get(row) ?? 1;
    return { failed, of: failed + (held.get(row) ?? 0) };
  };
  const failed = failures.map((each) => ({ ...failureOf(each, seed), rate: rateOf(each.row) }));
  const rows = new Set(failed.map(({ requirement }) => requirement));
  const passed = [...held]
    .filter(([row]) => !rows.has(row))
    .map(([row, cases]): Finding => ({ ...ofRow(row), outcome: 'pass', restsOn: count(cases, 'combination') }));
  const unknown = [...reasons]
    .filter(([row]) => !rows.has(row) && !held.has(row))
    .map(([row, because]) => untested(ofRow(row), because, because.through));
  const shown = [...rows].flatMap((row) => worst(failed.filter(({ requirement }) => requirement === row)));
  const timed = new Set<string>();
  return [...shown, ...passed, ...unknown].map((finding) => {
    const durationMs = Math.round(took.get(finding.requirement) ?? 0);
    if (timed.has(finding.requirement)) return finding;
    timed.add(finding.requirement);
    return { ...finding, durationMs };
  });
}

const check = '/combinations';
const ofRow = (row: string) => ({ requirement: row, check: `${row}${check}`, engine: 'laws' }) as const;
/** Whether a finding comes from the combinations. */
export const isCombination = (finding: { readonly check: string }): boolean => finding.check.endsWith(check);

function failureOf({ row, verdict: { expected, actual, given }, chain, tried, byChance, isControlled }: Told, seed: number): Finding {
  return {
    ...ofRow(row),
    outcome: 'fail',
    expected,
    actual,
    message: told(expected, actual),
    chain,
    seed,
    path: pathOf(tried),
    ...(byChance === 'not again' ? { heldAgain: triesAlone } : {}),
    ...(byChance !== undefined ? { doubt: 'not again' as const } : tried.state.ownRow === true ? { doubt: 'other causes' as const } : {}),
    about: tried.state.about,
    isShrunk: true,
    ...present({ given, isControlled }),
  };
}

/** The failures of one row that are told, the worst first. */
function worst(failed: readonly Finding[]): Finding[] {
  const sorted = [...failed].sort((one, other) => severityOf(other) - severityOf(one));
  const [first, ...others] = sorted;
  // A doubtful failure may be explained by another row, so that each is told apart.
  if (first === undefined || first.doubt !== undefined || failed.length <= mostKinds) return sorted;
  const explains = others.slice(mostKinds - 1).map(({ expected, actual }) => ({ what: `${expected}: ${actual}`, count: 1 }));
  return [{ ...first, explains }, ...others.slice(0, mostKinds - 1)];
}
