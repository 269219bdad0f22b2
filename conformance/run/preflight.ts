import { setTimeout as sleep } from 'node:timers/promises';
import { madeUp } from '../../spec/index.js';
import { contentType, headerOfThatShape, isErrorBody, nonceOf, readBody } from '../expect/index.js';
import { capital, sentence } from '../finding.js';
import { grantOf, holdsDocument } from '../oracle/index.js';
import { guardedFirst, knownPaths, type Subject, Trial, Untested } from '../subject/index.js';
import { type Answer, type Exchange, headerValues, type RequestPlan } from '../wire/index.js';
import { logInAll, type Preflight, tries, tryWithoutNonce } from './log-in-all.js';
import { noteOtherHeader } from './profile-hint.js';

/** Finds out whether call and target fit each other, and on which of the three steps the checks can build. */
export async function preflight(subject: Subject): Promise<Preflight> {
  try {
    return await findOut(subject);
  } catch (error) {
    if (!(error instanceof Untested)) throw error;
    // What can be judged without a login is; the oracle knows what was seen so far.
    const { facts, ableUsers } = subject;
    if (error.through === 'budget' && ableUsers.length === 0)
      return {
        fatal: `${capital(error.message)} before it was known whether base URL, collections and users are right. Give a larger --budget.`,
      };
    if (ableUsers.length === 0) [facts.noLogin, facts.noUse] = [error.message, error.message];
    return { unlessFound: `The target cannot be judged. ${capital(sentence(error.message))}` };
  }
}

async function findOut(subject: Subject): Promise<Preflight> {
  const trial = new Trial(subject);
  let first = await trial.send({}).catch(() => trial.chain.at(-1) as Exchange);
  for (let more = 1; more < warmUpTries && isNotReady(first); more += 1) {
    await sleep(pauseMs);
    first = await trial.send({}).catch(() => trial.chain.at(-1) as Exchange);
  }
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
  const reads = new Map<string, Exchange>([[firstPath, first]]);
  for (const path of paths) reads.set(path, await new Trial(subject).send({ path }));
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
async function buildOnChallenges(subject: Subject, reads: ReadonlyMap<string, Exchange>): Promise<string | undefined> {
  const { facts } = subject;
  guardedFirst(subject, (path) => isRefused(subject, reads.get(path) as Exchange));
  const [firstPath] = knownPaths(subject);
  let first = reads.get(firstPath) as Exchange;
  if (!isRefused(subject, first))
    return 'a plain read without credentials is not refused, so nothing else can be tested (see challenge.status)';
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
  return 'the challenge carries no nonce (see challenge.nonce)';
}
