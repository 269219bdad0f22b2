import type { Finding } from '../finding.js';
import type { How, Law } from '../laws/index.js';
import type { Subject } from '../subject/index.js';

/** Steps whose laws build on state that other laws change at the same time. */
const stateful = ['challenge', 'exchange', 'token', 'protection'];

/**
 * Laws that failed while others ran beside them are tried again alone. What fails alone too is told as it fails alone: the shorter
 * evidence. What does not may be the shadow of another violation (a new login that ends older tokens, say); it is then told once,
 * by the law that fails alone. Without such a law it did happen all the same, and what it shows is that steps disturb each other:
 * then the requirement about their interleaving tells it, where it is judged in this run.
 */
export async function confirm(
  failed: readonly { law: Law; finding: Finding }[],
  subject: Subject,
  how: How,
  interleaving?: string,
): Promise<Finding[]> {
  const again: { first: Finding; alone: Finding }[] = [];
  for (const { law, finding } of failed) again.push({ first: finding, alone: await law.check(subject, how) });
  const confirmed = again.filter(({ alone }) => alone.outcome === 'fail').map(({ alone }) => alone);
  const explaining = confirmed.filter((each) => isStateful(each)).map((each) => each.requirement);
  return again.map(({ first, alone }): Finding => {
    if (alone.outcome === 'fail') return alone;
    if (!isStateful(first) || (explaining.length === 0 && interleaving === undefined)) return first;
    if (explaining.length === 0 && interleaving !== undefined) return { ...first, requirement: interleaving };
    return {
      requirement: first.requirement,
      check: first.check,
      engine: first.engine,
      outcome: 'untested',
      message: `it failed while other checks ran beside it but not alone, as would follow from ${[...new Set(explaining)].join(', ')}`,
    };
  });
}

function isStateful(finding: Finding): boolean {
  return stateful.includes(finding.requirement.split('.')[0] as string);
}
