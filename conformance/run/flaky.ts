import { type Finding, triesAlone } from '../finding.js';
import { ifUntested } from '../subject/index.js';
import { isClockMove } from '../wire/index.js';
import type { AnswerMonitor } from './answer-monitor.js';
import { Enactment } from './culprit.js';
import { flaky } from './explain.js';
import type { OpenTarget } from './target.js';

/** Where more failed only once, one cause is likelier than so many chances. */
const mostFlaky = 3;
/** Each is tried again for so long. */
const mostMs = 4000;

/** What one answer of the whole run showed, and no answer to the same request when it is sent again alone, is flaky. */
export async function withFlaky(findings: readonly Finding[], target: OpenTarget, monitor: AnswerMonitor): Promise<Finding[]> {
  const seenOnce = findings.filter(isSeenOnce);
  // Where connections remember, a request that is sent again goes on another one, and shows nothing.
  if (seenOnce.length > mostFlaky || target.facts.connectionsRemember !== undefined) return [...findings];
  const told: Finding[] = [];
  for (const each of findings) {
    const isFlaky = isSeenOnce(each) && !isOfAge(each, target) && (await holdsAlone(each, target, monitor));
    told.push(isFlaky ? flaky(each, triesAlone) : each);
  }
  return told;
}

/**
 * Of many answers one, and no case that a path repeats: those were repeated where they failed. What somebody was given counts once. What
 * it explains may be the same answer, as a law saw it.
 */
function isSeenOnce({ engine, outcome, path, rate, given, cause, explains = [] }: Finding): boolean {
  const explained = explains.reduce((sum, { count }) => sum + count, 0);
  const isOne = engine === 'laws' && path === undefined && rate !== undefined && rate.failed === 1 && rate.of > 1;
  return outcome === 'fail' && isOne && given === undefined && cause === undefined && explained <= 1;
}

/** Whether it may be due to the age of something, which a request that is sent again has not. */
function isOfAge({ requirement, chain = [] }: Finding, { spec }: OpenTarget): boolean {
  return spec.catalogue.requirement(requirement).step === 'expiry' || chain.some(isClockMove);
}

async function holdsAlone({ requirement, chain }: Finding, target: OpenTarget, monitor: AnswerMonitor): Promise<boolean> {
  const last = chain?.at(-1);
  if (last === undefined || isClockMove(last)) return false;
  const endMs = performance.now() + mostMs;
  for (let tries = 0; tries < triesAlone; tries += 1) {
    const answered = await new Enactment(target, endMs).rightAnswer(last.request).catch(ifUntested);
    if (answered === undefined || (await monitor.holds(requirement, answered)) === false) return false;
  }
  return true;
}
