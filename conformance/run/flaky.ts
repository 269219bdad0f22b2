import { type Finding, triesAlone } from '../finding.js';
import { ifUntested } from '../subject/index.js';
import { headerValues, isClockMove, type RequestPlan } from '../wire/index.js';
import type { AnswerMonitor } from './answer-monitor.js';
import { Enactment } from './culprit.js';
import { flaky } from './explain.js';
import type { OpenTarget } from './target.js';

/** Where more failed only once, one cause is likelier than so many chances. */
const mostFlaky = 3;
/** Each is tried again for so long, and with one token so often. */
const mostMs = 4000;
const mostUses = 200;

/** What one answer of the whole run showed, and no answer to the same request when it is sent again alone, is flaky. */
export async function withFlaky(findings: readonly Finding[], target: OpenTarget, monitor: AnswerMonitor): Promise<Finding[]> {
  // Right logins were refused at other times, too, and what excuses those is only a guess.
  const isRepeated = ({ about }: Finding) => about === 'login' && target.oracle.rate(about).contradicted > 1;
  const seenOnce = findings.filter((each) => isSeenOnce(each) && !isRepeated(each));
  // Where connections remember, a request that is sent again goes on another one, and shows nothing.
  if (seenOnce.length > mostFlaky || target.facts.connectionsRemember !== undefined) return [...findings];
  const told: Finding[] = [];
  for (const each of findings) {
    const isFlaky = seenOnce.includes(each) && !isOfAge(each, target) && (await holdsAlone(each, target, monitor));
    told.push(isFlaky ? flaky(each, triesAlone) : each);
  }
  return told;
}

/**
 * Of many answers one, and no case that a path repeats: those were repeated where they failed. What somebody was given counts once. What
 * it explains may be the same answer, as a law saw it.
 */
function isSeenOnce({ engine, outcome, path, rate, given, cause, explains = [], besides = 0 }: Finding): boolean {
  const explained = explains.reduce((sum, { count }) => sum + count, 0);
  const isOne = engine === 'laws' && path === undefined && rate !== undefined && rate.failed === 1 && rate.of > 1;
  return outcome === 'fail' && isOne && given === undefined && cause === undefined && besides === 0 && explained <= 1;
}

/** Whether it may be due to the age of something, which a request that is sent again has not. */
function isOfAge({ requirement, chain = [] }: Finding, { spec }: OpenTarget): boolean {
  return spec.catalogue.requirement(requirement).step === 'expiry' || chain.some(isClockMove);
}

function usesBy(request: RequestPlan, { oracle, protocol }: OpenTarget): number {
  return Math.max(0, ...headerValues(request, protocol.headers.token).map((each) => oracle.tokens.usesOf(each)));
}

/** A token is used as often as the refused one had been, because it may be refused at just that use. */
async function holdsAlone({ requirement, chain }: Finding, target: OpenTarget, monitor: AnswerMonitor): Promise<boolean> {
  const last = chain?.at(-1);
  if (last === undefined || isClockMove(last)) return false;
  const endMs = performance.now() + mostMs;
  const enactment = new Enactment(target, endMs);
  const uses = Math.min(mostUses, usesBy(last.request, target));
  for (let tries = 0; tries < triesAlone || (tries <= uses && performance.now() < endMs); tries += 1) {
    const answered = await enactment.rightAnswer(last.request).catch(ifUntested);
    if (answered === undefined) return tries >= triesAlone && performance.now() >= endMs;
    if ((await monitor.holds(requirement, answered)) === false) return false;
  }
  return true;
}
