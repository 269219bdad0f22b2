import { setTimeout as sleep } from 'node:timers/promises';
import { madeUp } from '../../spec/index.js';
import { contentType, headerOfThatShape, isErrorBody, nonceOf, readBody, tokenOf } from '../expect/index.js';
import { type Because, capital, seeing, sentence } from '../finding.js';
import type { User } from '../options.js';
import { grantOf, holdsDocument, inWords, isGranted } from '../oracle/index.js';
import { inParallel } from '../parallel.js';
import { guardedFirst, guardedPaths, ifUntested, knownPaths, type Subject, Trial, Untested } from '../subject/index.js';
import { type Answer, type Exchange, headerValues, type RequestPlan } from '../wire/index.js';
import { clockProblem, crowds, noncesExcludeEachOther, noteConnectionsThatRemember, noteUnsteadiness, type Preflight } from './probes.js';
import { noteOtherHeader } from './remarks.js';

/** A target that loses something now and then is asked again before anything is built on it. */
const tries = 3;

/** Finds out whether call and target fit each other, and on which of the three steps the checks can build. `firstRead`: a plain one that was answered. */
export async function preflight(subject: Subject, firstRead: Exchange | undefined): Promise<Preflight> {
  try {
    return await findOut(subject, firstRead);
  } catch (error) {
    if (!(error instanceof Untested)) throw error;
    // What can be judged without a login is; the oracle knows what was seen so far.
    const { facts, ableUsers } = subject;
    if (error.through === 'budget' && ableUsers.length === 0)
      return {
        fatal: `${capital(error.message)} before it was known whether base URL, collections and users are right. Give a larger --budget.`,
      };
    if (ableUsers.length === 0) [facts.noLogin, facts.noUse] = [error, error];
    return { unlessFound: `The target cannot be judged. ${capital(sentence(error.message))}` };
  }
}

async function findOut(subject: Subject, firstRead: Exchange | undefined): Promise<Preflight> {
  const trial = new Trial(subject);
  const ask = () => trial.send({}).catch(() => trial.chain.at(-1) as Exchange);
  let first = firstRead ?? (await ask());
  for (let more = 1; more < warmUpTries && isNotReady(first); more += 1) first = await sleep(pauseMs).then(ask);
  if (isNotReady(first))
    return {
      fatal: `The target cannot be judged: ${subject.baseUrl.href} answers ${first.answer?.status}, ${warmUpTries} times in a row. The service, or what stands behind a gateway, is not ready. Start it, wait until it answers, and run this again.`,
    };
  if (first.answer === undefined) {
    const { code, message = 'No answer came.' } = first.problem ?? {};
    return { fatal: `The target cannot be judged${code === 'aborted' ? ': no answer came' : ''}. ${message}` };
  }
  if (subject.facts.off) {
    if (first.answer.status === subject.protocol.challenge.status)
      subject.facts.hint =
        'The service answers with a challenge: its authentication seems to be switched on. Switch it off, or judge it without --auth off.';
    return {};
  }
  const [firstPath, ...paths] = knownPaths(subject);
  const others = await inParallel(paths, subject.concurrency, (path) => new Trial(subject).send({ path }));
  const reads = new Map([first, ...others].map((read, at) => [[firstPath, ...paths][at] as string, read]));
  const wrongCall = nothingIsThere(subject, reads) ?? (await anotherAnswers(subject, reads)) ?? (await nothingIsProtected(subject, reads));
  if (wrongCall !== undefined) return { fatal: wrongCall };
  const problem = await buildOnChallenges(subject, reads);
  if (problem !== undefined) {
    const { facts } = subject;
    [facts.noNonce, facts.noLogin, facts.noUse] = [problem, problem, problem];
    return {};
  }
  return logInAll(subject);
}

/** A gateway that cannot reach the service, or a service that is not ready; one that has just been started may come. */
const isNotReady = ({ answer }: Exchange) => answer !== undefined && [502, 503, 504].includes(answer.status);
const warmUpTries = 10;
const pauseMs = 500;

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

/** A gateway, a filter or another host: the same answer to everybody everywhere, with nothing of the protocol in it. */
async function anotherAnswers(subject: Subject, reads: ReadonlyMap<string, Exchange>): Promise<string | undefined> {
  const [first, ...more] = reads.values();
  const status = first?.answer?.status ?? 0;
  const isForeign = (each: Exchange | undefined) => each?.answer?.status === status && !showsProtocol(subject, each.request, each.answer);
  // One that fails at everything is at fault itself.
  if (status >= 500 || ![first, ...more].every(isForeign)) return undefined;
  const { users, protocol } = subject;
  const withCredentials = [
    ...(users[0] === undefined ? [] : await tryWithoutNonce(subject, users[0])),
    await new Trial(subject).use(madeUp(protocol.exchange.tokenPattern)),
  ];
  if (!withCredentials.every(isForeign)) return undefined;
  return `${subject.baseUrl.href} answers ${status} to everything, with and without credentials, and nothing in its answers is of this protocol. This looks like something in front of the service, or another host. If a gateway wants a header, give it with --header (see hydrauth check --help). Otherwise check the base URL.`;
}

/** Whether anything in an answer is of this protocol, however wrong the rest; also a document, and a redirect to the same address in other letters. */
function showsProtocol({ protocol, baseUrl }: Subject, { target }: RequestPlan, answer: Answer): boolean {
  const { nonce, token, link, authenticate, contentType: type } = protocol.headers;
  const valuesOf = (name: string) => headerValues(answer, name);
  const isPage = /html/i.test(valuesOf(type).join());
  const address = new URL(target, baseUrl).href;
  return (
    [nonce, token, link].some((name) => valuesOf(name).length > 0) ||
    valuesOf(authenticate).join().toLowerCase().includes(protocol.challenge.scheme.toLowerCase()) ||
    headerOfThatShape(answer, protocol) !== undefined ||
    contentType(answer, protocol).ok ||
    (grantOf(answer, protocol) === 'nothing' ? isErrorBody(readBody(answer).value, protocol) : !isPage) ||
    holdsDocument(answer) ||
    valuesOf('location').some((location) => URL.canParse(location, address) && new URL(location, address).href.startsWith(address))
  );
}

/** Chooses the addresses that refuse strangers to build upon; why there is nothing to build upon, if so. */
async function buildOnChallenges(subject: Subject, reads: ReadonlyMap<string, Exchange>): Promise<Because | undefined> {
  const { facts } = subject;
  guardedFirst(subject, (path) => isRefused(subject, reads.get(path) as Exchange));
  const [firstPath] = knownPaths(subject);
  let first = reads.get(firstPath) as Exchange;
  if (!isRefused(subject, first))
    return seeing('a plain read without credentials is not refused, so nothing else can be tested', ['challenge.status']);
  for (let more = 1; more < tries && !carriesNonce(subject, first); more += 1) first = await new Trial(subject).send({});
  facts.challengeStatus = first.answer?.status ?? 0;
  subject.oracle.challengeStatus = facts.challengeStatus;
  facts.challenge = first;
  const isLikeFirst = ([, read]: readonly [string, Exchange]) => isRefused(subject, read) && read.answer?.status === facts.challengeStatus;
  const guarded = [...reads].filter(isLikeFirst);
  facts.guardedPaths = [...new Set([firstPath, ...guarded.map(([path]) => path)])];
  facts.challenges = new Map(guarded.map(([, read]) => [read.request.target, read]));
  if (carriesNonce(subject, first)) return undefined;
  noteOtherHeader(subject, first.answer, 'nonce');
  return seeing('the challenge carries no nonce', ['challenge.nonce']);
}

/** Finds out which users can log in, and what can be built on their tokens. */
async function logInAll(subject: Subject): Promise<Preflight> {
  const { protocol, facts } = subject;
  const refused: string[] = [];
  let served: Exchange | undefined;
  let [first, last]: (string | undefined)[] = [];
  for (const user of subject.users) {
    // One after the other, on one connection: what a connection remembers must show.
    await tryWithoutNonce(subject, user);
    const { exchange, token } = await tryToLogIn(subject, user);
    if (token !== undefined) {
      first ??= token;
      last = token;
      // First of all, so that a small budget suffices to tell a wrong call from a violation.
      if (subject.ableUsers.length === 0) {
        const read = (name: string) => new Trial(subject).use(token, { path: `/${name}` });
        const [firstName = '', ...others] = subject.collections;
        const ofFirst = await read(firstName);
        // Before there is another connection than that of the login.
        await noteConnectionsThatRemember(subject, token, isGranted(ofFirst, protocol));
        const missing = missingCollection(subject, [ofFirst, ...(await inParallel(others, subject.concurrency, read))]);
        if (missing !== undefined) return { fatal: missing };
      }
      subject.ableUsers.push(user);
      continue;
    }
    if (exchange !== undefined && isGranted(exchange, protocol)) served = exchange;
    refused.push(`user ${user.id} got ${exchange === undefined ? 'no nonce' : inWords(exchange, protocol)}`);
  }
  const use = async (value: string | undefined) => value && new Trial(subject).use(value);
  const [, ofLast, ofFirst] = await Promise.all([noteUnsteadiness(subject, last), use(last), use(first === last ? undefined : first)]);
  if (last === undefined || !ofLast) return cannotLogIn(subject, refused, served, await logsInWithCookies(subject));
  const { use: used, token } = await useOne(subject, last, ofLast);
  if (!isGranted(used, protocol))
    facts.noUse = seeing('a new token is not accepted for the collection', ['token.sufficient'], inWords(used, protocol));
  else if (used.answer !== undefined) {
    const [etag] = headerValues(used.answer, 'etag');
    if (etag !== undefined) facts.etag = etag;
    if (ofFirst && !isGranted(ofFirst, protocol)) facts.loginsEnd = true;
  }
  // What it names is tried, too.
  await new Trial(subject).use(token, { path: protocol.link.path });
  const nonce = await leaveWhatIsOpen(subject);
  // Where even that cannot be found out, one thing at a time is the safe way.
  const why = facts.unsteady === undefined ? await noncesExcludeEachOther(subject, nonce).catch(() => crowds) : undefined;
  if (why !== undefined) facts.oneAtATime = why;
  else {
    // The nonce that comes with a refusal saves a request for one, where it opens.
    const trial = new Trial(subject);
    await trial.loginAfter(await trial.use(madeUp(protocol.exchange.tokenPattern))).catch(ifUntested);
  }
  return clockProblem(subject);
}

/** Uses the token that was issued last, and where that opens nothing, one of each user: what is wrong may concern one of them. */
async function useOne(subject: Subject, last: string, ofLast: Exchange): Promise<{ readonly use: Exchange; readonly token: string }> {
  let [token, use] = [last, ofLast];
  const more = subject.facts.unsteady === undefined ? 1 : tries;
  for (const user of Array.from({ length: more }, () => subject.ableUsers).flat()) {
    if (isGranted(use, subject.protocol)) break;
    const again = (await tryToLogIn(subject, user)).token;
    if (again !== undefined) [token, use] = [again, await new Trial(subject).use(again)];
  }
  return { token, use };
}

/** Some services ask for a nonce only of users whom they have seen; the oracle tells what is granted here. */
async function tryWithoutNonce(subject: Subject, user: User): Promise<Exchange[]> {
  const present = (nonce?: string) => {
    const trial = new Trial(subject);
    return trial.present(nonce, trial.credentialsOf(user));
  };
  return inParallel([undefined, madeUp(subject.protocol.challenge.noncePattern)], subject.concurrency, present);
}

/** A step that fails once may work the next time; that it failed is in the oracle. */
async function tryToLogIn(subject: Subject, user: User) {
  let exchange: Exchange | undefined;
  let token: string | undefined;
  for (let time = 1; time <= tries && token === undefined; time += 1) {
    const trial = new Trial(subject);
    // The last one on a connection of its own: what was asked on a connection before may matter to some.
    const sending = time < tries ? {} : { freshConnection: true };
    const nonce = await trial.challenge(sending).catch(() => undefined);
    if (nonce === undefined) continue;
    exchange = await trial.exchangeFresh(nonce, user, sending);
    token = exchange.answer && tokenOf(exchange.answer, subject.protocol);
  }
  return { exchange, token };
}

/** Whether some user can log in who sends back the cookies that came with the nonce: then nothing is wrong with the call. */
async function logsInWithCookies(subject: Subject): Promise<boolean> {
  for (const user of subject.users) {
    const trial = new Trial(subject);
    const nonce = await trial.challenge().catch(() => undefined);
    const cookie = subject.facts.cookieFor?.(`${subject.basePath}${trial.firstPath}`);
    if (nonce === undefined || cookie === undefined) return false;
    if (isGranted(await trial.exchange(nonce, user, { headers: [['Cookie', cookie]] }), subject.protocol)) return true;
  }
  return false;
}

function cannotLogIn(subject: Subject, refused: readonly string[], served: Exchange | undefined, needsCookies: boolean): Preflight {
  const { facts, protocol, oracle } = subject;
  const noLogin = `no given user can log in (${refused.join('; ')})`;
  const why = served === undefined ? noLogin : seeing('Step B gives no token', ['exchange.token']);
  [facts.noLogin, facts.noUse] = [why, why];
  if (served?.answer !== undefined) {
    const message = Object.keys(protocol.exchange.body)[0] as string;
    // A document, where the message of Step B is expected.
    if (
      oracle.tokens.count === 0 &&
      /"@(id|type|context|graph)"/.test(served.answer.body.toString('latin1')) &&
      !served.answer.body.includes(`"${message}"`)
    )
      return {
        fatal:
          'A nonce with the right credentials is answered with the resource itself, and no token is given: token-based authorization seems to be switched off. Switch it on.',
      };
    noteOtherHeader(subject, served.answer, 'token');
    return {};
  }
  if (needsCookies || facts.unsteady !== undefined) return {};
  facts.loginRefused = noLogin;
  return {
    unlessFound: `No given user can log in: ${sentence(refused.join('; '))} Check the ids and paraphrases, or look at Step B of the service.`,
  };
}

/** Where an address has become open to strangers since a token was used on it, as behind a cache, the oracle tells it, and the rest is built on others. Gives a nonce that the first of these brought. */
async function leaveWhatIsOpen(subject: Subject): Promise<string | undefined> {
  const paths = guardedPaths(subject);
  const reads = await inParallel(paths, subject.concurrency, (path) => new Trial(subject).send({ path }, 'challenge'));
  const guarded = paths.filter((_, at) => !isGranted(reads[at] as Exchange, subject.protocol));
  const [first] = guarded;
  if (first === undefined) return undefined;
  subject.facts.guardedPaths = guarded;
  guardedFirst(subject, (path) => guarded.includes(path));
  const { answer } = reads[paths.indexOf(first)] as Exchange;
  return answer && nonceOf(answer, subject.protocol);
}

function missingCollection({ baseUrl, collections }: Subject, reads: readonly Exchange[]): string | undefined {
  const missing = collections.filter((_, at) => [404, 410].includes(reads[at]?.answer?.status ?? 0));
  if (missing.length === 0) return undefined;
  return `There is no collection ${missing.join(', ')} at ${baseUrl.href}: with a valid token it is answered with 404. Check the name, and the base URL.`;
}
