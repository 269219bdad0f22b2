import type { Finding } from '../finding.js';
import type { How, Law } from '../laws/index.js';
import type { Subject } from '../subject/index.js';
import { isClockMove } from '../wire/index.js';

export interface Result {
  readonly law: Law;
  readonly finding: Finding;
}

/** Steps whose laws build on state that other laws change at the same time. */
const stateful = ['challenge', 'exchange', 'token', 'protection'];

/**
 * Laws that failed, or came to nothing, while others ran beside them are tried again alone. What fails alone too is told as it fails
 * alone: the shorter evidence. What does not may be the shadow of another violation (a new login that ends older tokens, say), so that
 * all laws about state are then tried alone, and it is told once, by the law that fails alone. Without such a law it did happen all the
 * same, and what it shows is that steps disturb each other: the requirement about their interleaving tells it, where it is judged.
 */
export async function confirm(
  results: readonly Result[],
  subject: Subject,
  how: How,
  inPassing: () => Promise<readonly Finding[]>,
  interleaving?: string,
): Promise<Finding[]> {
  const alone = new Map<Law, Finding>();
  const retry = async (those: readonly Result[]) => {
    for (const { law } of those) if (!alone.has(law)) alone.set(law, await law.check(subject, { ...how, alone: true }));
  };
  await retry(results.filter(({ finding }) => finding.outcome === 'fail' || (finding.outcome === 'untested' && isStateful(finding))));
  const disturbed = results.some(
    ({ law, finding }) => isStateful(finding) && (alone.get(law)?.outcome ?? finding.outcome) !== finding.outcome,
  );
  if (disturbed) await retry(results.filter(({ finding }) => isStateful(finding)));
  // What is seen over the whole run (a nonce that is handed out twice, say) explains as well as what a law sees alone.
  const seen = [...alone.values(), ...(await inPassing())];
  const explaining = seen.filter((each) => each.outcome === 'fail' && isStateful(each)).map((each) => each.requirement);
  return results.map(({ law, finding }) => settle(finding, alone.get(law), [...new Set(explaining)], interleaving));
}

function settle(first: Finding, alone: Finding | undefined, explaining: readonly string[], interleaving: string | undefined): Finding {
  if (alone === undefined || alone.outcome === 'fail') return alone ?? first;
  if (first.outcome !== 'fail') return alone.outcome === 'pass' ? alone : first;
  // An answer that once did not come, and came when asked again, was the network's.
  if (alone.outcome === 'pass' && hasNoAnswer(first)) return alone;
  if (!isStateful(first)) return first;
  if (explaining.length === 0) return interleaving === undefined ? first : { ...first, requirement: interleaving };
  return {
    requirement: first.requirement,
    check: first.check,
    engine: first.engine,
    outcome: 'untested',
    message: `it failed while other checks ran beside it but not alone, as would follow from ${explaining.join(', ')}`,
  };
}

function hasNoAnswer({ chain = [] }: Finding): boolean {
  const last = chain.at(-1);
  return last !== undefined && !isClockMove(last) && last.answer === undefined;
}

function isStateful(finding: Finding): boolean {
  return stateful.includes(finding.requirement.split('.')[0] as string);
}
