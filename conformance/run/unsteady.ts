import { truncateBodies } from '../evidence/index.js';
import { type Finding, told, toldElsewhere } from '../finding.js';
import { inWords, isGranted } from '../oracle/index.js';
import { ifUntested, type Subject, Trial } from '../subject/index.js';
import { type Chain, type Exchange, isClockMove } from '../wire/index.js';
import type { OpenTarget } from './target.js';

/** Uses that show whether there is anything to look into, and tries that show how often. */
const looks = 5;
const often = 16;
/** What fails more rarely is lost now and then, and what fails nearly always has another cause. */
const leastShare = 0.2;
const fresh = { freshConnection: true };

const cause =
  'probably several processes or instances that do not share nonces and tokens, because the same request on a new connection is accepted one time and refused the next. Let them share one store, or start one process only';

/** What came of one try, with the exchanges that lead to it. */
interface Try {
  readonly exchange: Exchange;
  readonly chain: Chain;
}

/** Notes in the facts whether what must be granted is granted one time and refused the next, which explains every other such refusal. */
export async function noteUnsteadiness(subject: Subject): Promise<void> {
  const trial = new Trial(subject);
  const token = await trial.login().catch(ifUntested);
  const before = trial.chain.slice();
  const uses = async (times: number) =>
    token === undefined
      ? []
      : repeated(times, async () => [await trial.use(token, fresh)].map((exchange) => ({ exchange, chain: [...before, exchange] })));
  const wasRefused = subject.oracle.found.some(({ exchange }) => subject.oracle.expectationOf(exchange).must === 'granted');
  if (token !== undefined && !wasRefused && (await uses(looks)).every(({ exchange }) => isGranted(exchange, subject.protocol))) return;
  const { facts } = subject;
  facts.unsteady = mixed(subject, await uses(often)) ?? mixed(subject, await repeated(often / 2, () => logInTwice(subject)));
  // Another connection leads to another process, so that it is not the connection which remembers.
  if (facts.unsteady !== undefined) delete facts.connectionsRemember;
}

/** With one nonce: whoever refuses it at first may be another than gave it. */
async function logInTwice(subject: Subject): Promise<Try[]> {
  const trial = new Trial(subject);
  const [user] = [...subject.ableUsers, ...subject.users];
  const nonce = await trial.challenge(fresh);
  const first = { exchange: await trial.exchange(nonce, user, fresh), chain: trial.chain.slice() };
  if (isGranted(first.exchange, subject.protocol)) return [first];
  return [first, { exchange: await trial.exchange(nonce, user, fresh), chain: trial.chain }];
}

async function repeated(times: number, ask: () => Promise<Try[]>): Promise<Try[]> {
  const came: Try[] = [];
  for (let time = 0; time < times; time += 1) came.push(...((await ask().catch(ifUntested)) ?? []));
  return came;
}

function mixed({ protocol, oracle }: Subject, tried: readonly Try[]): Finding | undefined {
  const isRefused = ({ exchange }: Try) => !isGranted(exchange, protocol);
  const refused = tried.filter(isRefused);
  const shown = refused.find(({ exchange }) => oracle.expectationOf(exchange).must === 'granted');
  const share = refused.length / tried.length;
  // What is granted so many times and never again has another cause, too.
  const isMixed = share >= leastShare && share <= 1 - leastShare && !tried.slice(tried.findIndex(isRefused)).every(isRefused);
  const expectation = shown === undefined || !isMixed ? undefined : oracle.expectationOf(shown.exchange);
  if (shown === undefined || expectation === undefined || expectation.must === 'open') return undefined;
  const { requirement, what } = expectation;
  const rate = { failed: refused.length, of: tried.length };
  const [expected, actual] = [`${what} is granted every time`, `${inWords(shown.exchange, protocol)}, some of the time`];
  return {
    requirement,
    check: `${requirement}/every-time`,
    engine: 'laws',
    outcome: 'fail',
    expected,
    actual,
    cause,
    message: told(expected, actual),
    chain: truncateBodies(shown.chain),
    rate,
  };
}

/** Where the target is unsteady, what was refused and had to be granted, or might have been, is told by that, and so is what it left untested. */
export function unlessUnsteady(finding: Finding, { facts: { unsteady }, oracle, protocol }: OpenTarget): Finding {
  const { outcome, check, given, through, chain = [] } = finding;
  if (unsteady === undefined || check === unsteady.check || given !== undefined) return finding;
  if (outcome === 'untested' && through === 'target') return toldElsewhere(finding, unsteady.requirement);
  if (outcome !== 'fail') return finding;
  const isOwed = (each: Chain[number]) =>
    !isClockMove(each) && ['granted', 'open'].includes(oracle.expectationOf(each).must) && !isGranted(each, protocol);
  return chain.some(isOwed) ? toldElsewhere(finding, unsteady.requirement) : finding;
}
