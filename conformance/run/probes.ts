import { setTimeout as sleep } from 'node:timers/promises';
import { truncateBodies } from '../evidence/index.js';
import { nonceOf, tokenOf } from '../expect/index.js';
import { type Finding, failure, toldElsewhere } from '../finding.js';
import { inWords, isGranted } from '../oracle/index.js';
import { inParallel } from '../parallel.js';
import { guardedPaths, ifUntested, type Nonce, type Sending, type Subject, type Token, Trial } from '../subject/index.js';
import { type Chain, type Exchange, headerValues, isClockMove, lateAfterMs } from '../wire/index.js';

/** What stands in the way of a verdict. */
export interface Preflight {
  /** The target cannot be judged, or the call is wrong: nothing is judged. */
  readonly fatal?: string;
  /** No given user can log in, or nobody follows the clock; no verdict, unless a requirement is found violated. */
  readonly unlessFound?: string;
}

const fresh = { freshConnection: true };

/**
 * Asks on a second connection while a first one is kept open. Many plain servers attend to one connection at a time; sixteen at once
 * would be answered late or never, and the target be accused of what the judge has brought about. Gives the first read.
 */
export async function probeConnections({ client, basePath, collections, facts }: Subject): Promise<Exchange | undefined> {
  const plan = { method: 'GET', target: `${basePath}/${collections[0]}`, headers: [] };
  const first = await client.send(plan);
  if (first.answer === undefined || first.problem !== undefined) return undefined;
  const second = await client.send({ ...plan, ...fresh });
  const isInTime = second.answer !== undefined && second.durationMs <= lateAfterMs(first.durationMs);
  if (isInTime || second.problem?.code === 'aborted') return first;
  facts.oneConnection =
    'The server handles one connection at a time: a second one got no answer while the first was open. So every request was sent on a new connection, one after another.';
  client.useOneConnection();
  return first;
}

/** Where a connection serves strangers, refuses a token, or repeats its nonce, because of what was asked on it before, all else is tried on connections of its own. */
export async function noteConnectionsThatRemember(subject: Subject, token: string, wasServed: boolean): Promise<void> {
  const { protocol, client, facts } = subject;
  const isServed = (exchange: Exchange) => isGranted(exchange, protocol);
  const read = (sending: Sending = {}) => new Trial(subject).send(sending, 'challenge');
  const nonceIn = ({ answer }: Exchange) => answer && nonceOf(answer, protocol);
  const isPoisoned = !wasServed && isServed(await new Trial(subject).use(token, fresh));
  const first = await read();
  const letsIn = !isPoisoned && isServed(first) && !isServed(await read(fresh));
  const isAlike = async (sending?: Sending) => nonceIn(await read(sending)) === nonceIn(first);
  const keepsNonce = !isPoisoned && !letsIn && nonceIn(first) !== undefined && (await isAlike()) && !(await isAlike(fresh));
  if (!isPoisoned && !letsIn && !keepsNonce) return;
  const what = isPoisoned ? 'was refused then refuses everybody' : 'was accepted then serves requests without credentials';
  const happens = keepsNonce ? 'A connection gives every request the same nonce' : `A connection on which a request ${what}`;
  facts.connectionsRemember = `${happens}, so each request was sent on a new connection.`;
  client.useFreshConnections();
}

/** Checks beside each other take about as many nonces before they use one of them. */
const besideEachOther = 23;

const discards = 'The server discards a nonce when another one is issued or used, so the checks ran one after another.';
export const crowds =
  'Logins were refused while many requests came close together, so the checks ran one after another. If something limits requests, stay below that with --rate.';

/**
 * How long a nonce lives is open, so it may end when others are issued or used. Checks beside each other would then take
 * each other's nonces away: such a target is judged one check after another. Why, as a sentence; undefined where they open. `given` is a
 * nonce that came just now.
 */
export async function noncesExcludeEachOther(subject: Subject, given: string | undefined): Promise<string | undefined> {
  const [user] = subject.ableUsers;
  if (user === undefined) return undefined;
  const opens = async (nonce: Nonce | undefined) => {
    const trial = new Trial(subject);
    const { answer } = nonce === undefined ? {} : await trial.present(nonce.value, trial.credentialsOf(user));
    return answer !== undefined && tokenOf(answer, subject.protocol) !== undefined;
  };
  const challenge = () => new Trial(subject).challenge();
  const first = given === undefined ? await challenge() : { value: given };
  const trials = Array.from({ length: besideEachOther }, () => new Trial(subject));
  const others = await Promise.allSettled(trials.map((trial) => trial.challenge()));
  const last = others.findLast((each) => each.status === 'fulfilled')?.value;
  const refused = (await opens(first)) ? ((await opens(last)) ? undefined : (last ?? first)) : first;
  if (refused === undefined) {
    // All but the last, which was presented.
    for (const trial of trials.filter((_, at) => others[at]?.status === 'fulfilled').slice(0, -1))
      trial.spareNonceOf(trial.chain[0] as Exchange);
    return undefined;
  }
  // A nonce is the reason only where every one was given, a new one opens at once, and that one still does not.
  const isAble = others.every(({ status }) => status === 'fulfilled') && (await opens(await challenge().catch(() => undefined)));
  return isAble && !(await opens(refused)) ? discards : crowds;
}

/**
 * Takes nonces now and presents them when asked to. Where they open, no login in between was refused because there were too many
 * others. Two, because one of them may be lost for another reason.
 */
export async function keepNonces(subject: Subject): Promise<() => Promise<void>> {
  const kept = await Promise.allSettled([new Trial(subject).challenge(), new Trial(subject).challenge()]);
  return async () => {
    const nonces = kept.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    await Promise.allSettled(nonces.map(async (nonce) => new Trial(subject).exchange(nonce)));
  };
}

/** Uses that show whether there is anything to look into, and tries that show how often. */
const usesAtFirst = 5;
const often = 16;
/** What fails more rarely is lost now and then, and what fails nearly always has another cause. */
const leastShare = 0.2;

const cause =
  'probably several processes or instances that do not share nonces and tokens, because the same request on a new connection is accepted one time and refused the next. Let them share one store, or start one process only';

/** What came of one try, with the exchanges that lead to it. */
interface Try {
  readonly exchange: Exchange;
  readonly chain: Chain;
}

/** Notes in the facts whether what must be granted is granted one time and refused the next, which explains every other such refusal. */
export async function noteUnsteadiness(subject: Subject, token: string | undefined): Promise<void> {
  const { facts, oracle, protocol } = subject;
  const use = async () => {
    const exchange = token === undefined ? undefined : await new Trial(subject).use(token, fresh);
    return token === undefined || exchange === undefined ? [] : [{ exchange, chain: [...oracle.chainTo(token), exchange] }];
  };
  const wasRefused = oracle.found.some(({ exchange }) => oracle.expectationOf(exchange).must === 'granted');
  const isSteady = async () => {
    const used = await inParallel([...Array(usesAtFirst)], subject.concurrency, () => use().catch(ifUntested));
    return used.flat().every((each) => each === undefined || isGranted(each.exchange, protocol));
  };
  if (token !== undefined && !wasRefused && (await isSteady())) return;
  facts.unsteady = mixed(subject, await repeated(often, use)) ?? mixed(subject, await repeated(often / 2, () => logInTwice(subject)));
  // Another connection leads to another process, so that it is not the connection which remembers.
  if (facts.unsteady !== undefined) delete facts.connectionsRemember;
}

/** With one nonce: whoever refuses it at first may be another than gave it. */
async function logInTwice(subject: Subject): Promise<Try[]> {
  const trial = new Trial(subject);
  const [user] = [...subject.ableUsers, ...subject.users];
  const nonce = await trial.challenge(fresh);
  const logIn = async () => ({ exchange: await trial.exchange(nonce, user, fresh), chain: trial.chain.slice() });
  const first = await logIn();
  return isGranted(first.exchange, subject.protocol) ? [first] : [first, await logIn()];
}

async function repeated(times: number, ask: () => Promise<Try[]>): Promise<Try[]> {
  const came: Try[] = [];
  for (let time = 0; time < times; time += 1) came.push(...((await ask().catch(ifUntested)) ?? []));
  return came;
}

function mixed({ protocol, oracle }: Subject, tried: readonly Try[]): Finding | undefined {
  const isRefused = ({ exchange }: Try) => !isGranted(exchange, protocol);
  const refused = tried.filter(isRefused);
  const share = refused.length / tried.length;
  // What is granted so many times and never again has another cause, too.
  const isMixed = share >= leastShare && share <= 1 - leastShare && !tried.slice(tried.findIndex(isRefused)).every(isRefused);
  for (const { exchange, chain } of isMixed ? refused : []) {
    const expectation = oracle.expectationOf(exchange);
    if (expectation.must !== 'granted') continue;
    const { requirement, what } = expectation;
    const [expected, actual] = [`${what} is granted every time`, `${inWords(exchange, protocol)}, some of the time`];
    const rate = { failed: refused.length, of: tried.length };
    return failure(requirement, `${requirement}/every-time`, expected, actual, { cause, chain: truncateBodies(chain), rate });
  }
  return undefined;
}

/** Where the target is unsteady, what was refused and had to be granted, or might have been, is told by that, and so is what it left untested. */
export function unlessUnsteady(finding: Finding, { facts: { unsteady }, oracle, protocol }: Subject): Finding {
  const { outcome, check, given, through, chain = [] } = finding;
  if (unsteady === undefined || check === unsteady.check || given !== undefined) return finding;
  const isOwed = (each: Chain[number]) =>
    !isClockMove(each) && ['granted', 'open'].includes(oracle.expectationOf(each).must) && !isGranted(each, protocol);
  const isDueToIt = outcome === 'untested' ? through === 'target' : outcome === 'fail' && chain.some(isOwed);
  return isDueToIt ? toldElsewhere(finding, unsteady.requirement) : finding;
}

/** Far below the life of any token, and well above the resolution of a clock. */
const stepMs = 60_000;
const stepsInALife = 10;
/** Servers may write the same Date for a second. */
const looks = 12;
const pauseMs = 250;
const dayMs = 86_400_000;

/**
 * Moves the clock a little and sees that it moved: by its own word where it has one, otherwise by the Date of the target, or by a token
 * that ends. Says what is wrong with it, if it cannot be relied on.
 */
export async function clockProblem(subject: Subject): Promise<Preflight> {
  const { clock, protocol, facts } = subject;
  if (!clock.isInstant) return {};
  const ms = Math.min(stepMs, Math.round(protocol.token.lifetimeMs / stepsInALife));
  try {
    const before = clock.seesItsMoves ? undefined : await dateOf(subject);
    await clock.advance(ms);
    const isSeen = clock.seesItsMoves || (before !== undefined && (await dateMoves(subject, before, ms)));
    if (isSeen || (await endsWithTheClock(subject))) return {};
    // What has nothing to do with time is judged all the same.
    facts.clockUnfollowed = `The clock (${clock.description}) was moved, but the server did not follow: its Date did not change, and no token expired. Does the server use this clock? A process under libfaketime needs this file as FAKETIME_TIMESTAMP_FILE, and FAKETIME_NO_CACHE=1.`;
    return { unlessFound: facts.clockUnfollowed };
  } catch (error) {
    return { fatal: `The clock failed: ${(error as Error).message}` };
  }
}

/** Before anything is said about expiry: why moves of the clock say nothing of it, where nothing that ends was seen to end. */
export async function clockUnfollowed(subject: Subject): Promise<string | undefined> {
  const { isInstant, seesItsMoves, description } = subject.clock;
  if (!isInstant || seesItsMoves || (await endsWithTheClock(subject).catch(() => true))) return undefined;
  return `the Date of the target followed the clock (${description}), but no token and no nonce expired. Either they never expire, or the server measures their age with a monotonic clock, which this one does not move`;
}

async function dateMoves(subject: Subject, before: number, ms: number): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) {
    if (look > 0) await sleep(pauseMs);
    const now = await dateOf(subject);
    if (now !== undefined && now - before >= ms / 2) return true;
  }
  return false;
}

async function dateOf(subject: Subject): Promise<number | undefined> {
  const { answer } = await new Trial(subject).stranger();
  const date = Date.parse((answer && headerValues(answer, subject.protocol.headers.date)[0]) ?? '');
  return Number.isNaN(date) ? undefined : date;
}

/** The Date of a target may come from elsewhere; its tokens and nonces cannot. */
async function endsWithTheClock(subject: Subject): Promise<boolean> {
  const trial = new Trial(subject);
  const { facts, protocol, toleranceMs, clock } = subject;
  if (facts.noLogin !== undefined || (facts.noUse !== undefined && facts.unsteady === undefined)) return true;
  let token: Token | undefined;
  for (let look = 0; look < looks && token === undefined; look += 1) token = await trial.login().catch(ifUntested);
  // What has ended is refused every time. Of several processes that share nothing each refuses what another one gave.
  const isOver = async (ask: () => Promise<Exchange>) => {
    for (let look = 0; look < looks; look += 1) if (isGranted(await ask(), protocol)) return false;
    return true;
  };
  const paths = guardedPaths(subject);
  // On another address each time: a cache may know what the one before served.
  const isTokenOver = async (round = 0) =>
    token === undefined || isOver(() => trial.use(token, { ...fresh, path: paths[round % paths.length] ?? trial.firstPath }));
  if (await isTokenOver()) return true;
  const nonce = await trial.challenge();
  // What lives too long ends later, so that the clock is followed all the same.
  for (const [round, ms] of [protocol.token.lifetimeMs + toleranceMs + stepMs, dayMs].entries()) {
    await clock.advance(ms);
    if (await isTokenOver(round + 1)) return true;
  }
  return isOver(() => trial.exchange(nonce, undefined, fresh));
}
