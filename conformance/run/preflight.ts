import { nonceOf, tokenOf } from '../expect/index.js';
import { sentence } from '../finding.js';
import { grantOf, inWords, isGranted } from '../ledger/index.js';
import type { User } from '../options.js';
import { knownPaths, type Subject, Trial, Untested } from '../subject/index.js';
import { type Exchange, headerValues } from '../wire/index.js';
import { clockProblem } from './clock-check.js';
import { noncesExcludeEachOther } from './nonces.js';

/** What stands in the way of a verdict. */
export interface Preflight {
  /** The target cannot be judged, or the call is wrong: nothing is judged. */
  readonly fatal?: string;
  /** No given user can log in; no verdict, unless a requirement is found violated. */
  readonly unlessFound?: string;
}

/** A target that loses something now and then is asked again before anything is built on it. */
const tries = 3;

/** Finds out whether call and target fit each other, and on which of the three steps the checks can build. */
export async function preflight(subject: Subject): Promise<Preflight> {
  try {
    return await findOut(subject);
  } catch (error) {
    if (!(error instanceof Untested)) throw error;
    // What can be judged without a login is; the ledger knows what was seen so far.
    const { facts, ableUsers } = subject;
    if (ableUsers.length === 0) [facts.noLogin, facts.noUse] = [error.message, error.message];
    return { unlessFound: `The target cannot be judged. ${sentence(error.message)}` };
  }
}

async function findOut(subject: Subject): Promise<Preflight> {
  const trial = new Trial(subject);
  const first = await trial.send({}).catch(() => trial.chain.at(-1) as Exchange);
  if (first.answer === undefined) return { fatal: `The target cannot be judged. ${first.problem?.message ?? 'No answer came.'}` };
  if (subject.facts.off) return {};
  const [firstPath, ...paths] = knownPaths(subject);
  const reads = new Map<string, Exchange>([[firstPath, first]]);
  for (const path of paths) reads.set(path, await new Trial(subject).send({ path }));
  const wrongCall = (await nothingIsProtected(subject, reads)) ?? nothingIsThere(subject, reads);
  if (wrongCall !== undefined) return { fatal: wrongCall };
  const problem = await buildOnChallenges(subject, reads);
  if (problem !== undefined) {
    const { facts } = subject;
    [facts.noNonce, facts.noLogin, facts.noUse] = [problem, problem, problem];
    return {};
  }
  return logInAll(subject);
}

const isRefused = (subject: Subject, { answer }: Exchange) => answer !== undefined && grantOf(answer, subject.protocol) === 'nothing';
const carriesNonce = (subject: Subject, { answer }: Exchange) => answer !== undefined && nonceOf(answer, subject.protocol) !== undefined;

/** Everything is served to strangers, also what is not a read or does not exist. */
async function nothingIsProtected(subject: Subject, reads: ReadonlyMap<string, Exchange>): Promise<string | undefined> {
  const { protocol } = subject;
  if ([...reads.values()].some((read) => isRefused(subject, read) || carriesNonce(subject, read))) return undefined;
  const others = [await new Trial(subject).send({ method: 'POST' }), await new Trial(subject).send({ path: '/no-such-collection' })];
  const asks = (exchange: Exchange) =>
    carriesNonce(subject, exchange) || (exchange.answer !== undefined && exchange.answer.status === protocol.challenge.status);
  if (others.some(asks)) return undefined;
  return `Nothing at ${subject.baseUrl.href} is protected: every collection and the vocabulary are served without credentials. Authentication seems to be switched off; switch it on, or judge the service as it is with --auth off.`;
}

function nothingIsThere(subject: Subject, reads: ReadonlyMap<string, Exchange>): string | undefined {
  const isMissing = (read: Exchange) =>
    (read.answer?.status === 404 || read.answer?.status === 410) &&
    !carriesNonce(subject, read) &&
    headerValues(read.answer, subject.protocol.headers.authenticate).length === 0;
  if (![...reads.values()].every(isMissing)) return undefined;
  return `There is nothing at ${subject.baseUrl.href}: ${[...reads.keys()].join(', ')} below it are all answered with 404, without a challenge. Check the base URL and the names of the collections.`;
}

/** Chooses the addresses that refuse strangers to build upon; why there is nothing to build upon, if so. */
async function buildOnChallenges(subject: Subject, reads: ReadonlyMap<string, Exchange>): Promise<string | undefined> {
  const { facts, protocol } = subject;
  const pathOf = (name: string) => `/${name}`;
  const names = [...subject.collections].sort((one, other) => {
    const open = (name: string) => (isRefused(subject, reads.get(pathOf(name)) as Exchange) ? 0 : 1);
    return open(one) - open(other);
  });
  subject.collections = names as unknown as Subject['collections'];
  let first = reads.get(pathOf(subject.collections[0])) as Exchange;
  if (!isRefused(subject, first)) return 'a plain read is not refused, so there is nothing to build upon (see challenge.status)';
  for (let more = 1; more < tries && !carriesNonce(subject, first); more += 1) first = await new Trial(subject).send({});
  facts.challengeStatus = first.answer?.status ?? 0;
  subject.ledger.challengeStatus = facts.challengeStatus;
  facts.challenge = first;
  const isLikeFirst = ([, read]: readonly [string, Exchange]) => isRefused(subject, read) && read.answer?.status === facts.challengeStatus;
  const guarded = [...reads].filter(isLikeFirst);
  facts.guardedPaths = [
    pathOf(subject.collections[0]),
    ...guarded.map(([path]) => path).filter((path) => path !== pathOf(subject.collections[0])),
  ];
  facts.challenges = new Map(guarded.map(([, read]) => [read.request.target, read]));
  return first.answer !== undefined && nonceOf(first.answer, protocol) !== undefined
    ? undefined
    : 'Step A gives no nonce (see challenge.nonce)';
}

async function logInAll(subject: Subject): Promise<Preflight> {
  const { protocol, facts } = subject;
  const refused: string[] = [];
  let served: Exchange | undefined;
  let last: string | undefined;
  for (const user of subject.users) {
    const exchange = await tryToLogIn(subject, user);
    const value = exchange?.answer === undefined ? undefined : tokenOf(exchange.answer, protocol);
    if (value !== undefined) {
      last = value;
      subject.ableUsers.push(user);
      continue;
    }
    if (exchange !== undefined && isGranted(exchange, protocol)) served = exchange;
    refused.push(`user ${user.id} got ${exchange === undefined ? 'no nonce' : inWords(exchange, protocol)}`);
  }
  if (last === undefined) return cannotLogIn(subject, refused, served);
  const { use, token } = await useOne(subject, last);
  if (!isGranted(use, protocol))
    facts.noUse = `a fresh token does not open the collection (see token.sufficient; ${inWords(use, protocol)})`;
  else if (use.answer !== undefined) {
    const [etag] = headerValues(use.answer, 'etag');
    if (etag !== undefined) facts.etag = etag;
  }
  const missing = await missingCollection(subject, token);
  if (missing !== undefined) return { fatal: missing };
  // Where even that cannot be found out, one thing at a time is the safe way.
  if (await noncesExcludeEachOther(subject).catch(() => true))
    facts.oneAtATime = 'The target ends a nonce when another is issued or used, so the checks ran one after another.';
  const clock = await clockProblem(subject);
  return clock === undefined ? {} : { fatal: clock };
}

/** Uses the token that was issued last, and where that opens nothing, one of each user: what is wrong may concern one of them. */
async function useOne(subject: Subject, last: string): Promise<{ readonly use: Exchange; readonly token: string }> {
  let [token, use] = [last, await new Trial(subject).use(last)];
  for (const user of subject.ableUsers) {
    if (isGranted(use, subject.protocol)) break;
    const exchange = await tryToLogIn(subject, user);
    const value = exchange?.answer === undefined ? undefined : tokenOf(exchange.answer, subject.protocol);
    if (value !== undefined) [token, use] = [value, await new Trial(subject).use(value)];
  }
  return { token, use };
}

/** A step that fails once may work the next time; that it failed is in the ledger. */
async function tryToLogIn(subject: Subject, user: User): Promise<Exchange | undefined> {
  let last: Exchange | undefined;
  for (let more = 0; more < tries; more += 1) {
    const trial = new Trial(subject);
    const nonce = await trial.challenge().catch(() => undefined);
    if (nonce === undefined) continue;
    last = await trial.exchange(nonce, user);
    if (isGranted(last, subject.protocol)) return last;
  }
  return last;
}

function cannotLogIn({ facts, protocol }: Subject, refused: readonly string[], served: Exchange | undefined): Preflight {
  const noLogin = served === undefined ? `no given user can log in (${refused.join('; ')})` : 'Step B gives no token (see exchange.token)';
  [facts.noLogin, facts.noUse] = [noLogin, noLogin];
  if (served?.answer !== undefined) {
    const message = Object.keys(protocol.exchange.body)[0] as string;
    // A document, where the message of Step B is expected.
    if (/"@(id|type|context|graph)"/.test(served.answer.body.toString('latin1')) && !served.answer.body.includes(`"${message}"`))
      return {
        fatal:
          'A nonce with the right credentials is answered with the resource itself, and no token is given: token-based authorization seems to be switched off. Switch it on.',
      };
    return {};
  }
  facts.loginRefused = noLogin;
  return {
    unlessFound: `No given user can log in: ${sentence(refused.join('; '))} Check the ids and paraphrases, or look at Step B of the service.`,
  };
}

async function missingCollection(subject: Subject, token: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (const name of subject.collections) {
    const { answer } = await new Trial(subject).use(token, { path: `/${name}` });
    if (answer?.status === 404 || answer?.status === 410) missing.push(name);
  }
  if (missing.length === 0) return undefined;
  return `There is no collection ${missing.join(', ')} at ${subject.baseUrl.href}: with a valid token it is answered with 404. Check the name, and the base URL.`;
}
