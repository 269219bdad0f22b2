import { madeUp } from '../../spec/index.js';
import { basic } from '../arbitraries/index.js';
import { tokenOf } from '../expect/index.js';
import { sentence } from '../finding.js';
import type { User } from '../options.js';
import { inWords, isGranted } from '../oracle/index.js';
import { guardedFirst, guardedPaths, ifUntested, type Sending, type Subject, Trial } from '../subject/index.js';
import { type Exchange, headerValues } from '../wire/index.js';
import { clockProblem } from './clock-check.js';
import { crowds, noncesExcludeEachOther } from './nonces.js';
import { noteOtherHeader } from './profile-hint.js';
import { noteUnsteadiness } from './unsteady.js';

/** What stands in the way of a verdict. */
export interface Preflight {
  /** The target cannot be judged, or the call is wrong: nothing is judged. */
  readonly fatal?: string;
  /** No given user can log in; no verdict, unless a requirement is found violated. */
  readonly unlessFound?: string;
}

/** A target that loses something now and then is asked again before anything is built on it. */
export const tries = 3;

/** Finds out which users can log in, and what can be built on their tokens. */
export async function logInAll(subject: Subject): Promise<Preflight> {
  const { protocol, facts } = subject;
  const refused: string[] = [];
  let served: Exchange | undefined;
  let [first, last]: (string | undefined)[] = [];
  for (const user of subject.users) {
    await tryWithoutNonce(subject, user);
    const exchange = await tryToLogIn(subject, user);
    const value = exchange?.answer === undefined ? undefined : tokenOf(exchange.answer, protocol);
    if (value !== undefined) {
      first ??= value;
      last = value;
      // First of all, so that a small budget suffices to tell a wrong call from a violation.
      const missing = subject.ableUsers.length === 0 ? await missingCollection(subject, value) : undefined;
      if (missing !== undefined) return { fatal: missing };
      if (subject.ableUsers.push(user) === 1) await noteConnectionsThatRemember(subject, value);
      continue;
    }
    if (exchange !== undefined && isGranted(exchange, protocol)) served = exchange;
    refused.push(`user ${user.id} got ${exchange === undefined ? 'no nonce' : inWords(exchange, protocol)}`);
  }
  await noteUnsteadiness(subject);
  if (last === undefined) return cannotLogIn(subject, refused, served, await logsInWithCookies(subject));
  const { use, token } = await useOne(subject, last);
  if (!isGranted(use, protocol))
    facts.noUse = `a new token is not accepted for the collection (see token.sufficient; ${inWords(use, protocol)})`;
  else if (use.answer !== undefined) {
    const [etag] = headerValues(use.answer, 'etag');
    if (etag !== undefined) facts.etag = etag;
    if (first !== undefined && first !== token && !isGranted(await new Trial(subject).use(first), protocol)) facts.loginsEnd = true;
  }
  // What it names is tried, too.
  await new Trial(subject).use(token, { path: protocol.link.path });
  await leaveWhatIsOpen(subject);
  // Where even that cannot be found out, one thing at a time is the safe way.
  const why = facts.unsteady === undefined ? await noncesExcludeEachOther(subject).catch(() => crowds) : undefined;
  if (why !== undefined) facts.oneAtATime = why;
  else {
    // The nonce that comes with a refusal saves a request for one, where it opens.
    const trial = new Trial(subject);
    await trial.loginAfter(await trial.use(madeUp(protocol.exchange.tokenPattern))).catch(ifUntested);
  }
  const clock = await clockProblem(subject);
  return clock === undefined ? {} : { fatal: clock };
}

/** Where a connection serves strangers, refuses a token, or repeats its nonce, because of what was asked on it before, all else is tried on connections of its own. */
async function noteConnectionsThatRemember(subject: Subject, token: string): Promise<void> {
  const { protocol, client, facts } = subject;
  const isServed = async (sending: Sending, value?: string) =>
    isGranted(await (value === undefined ? new Trial(subject).send(sending) : new Trial(subject).use(value, sending)), protocol);
  const nonceOn = async (sending: Sending = {}) => (await new Trial(subject).challenge(sending).catch(ifUntested))?.value;
  const fresh = { freshConnection: true };
  const isPoisoned = !(await isServed({}, token)) && (await isServed(fresh, token));
  const letsIn = !isPoisoned && (await isServed({})) && !(await isServed(fresh));
  const nonce = await nonceOn();
  const keepsNonce = !isPoisoned && !letsIn && nonce === (await nonceOn()) && nonce !== (await nonceOn(fresh));
  if (!isPoisoned && !letsIn && !keepsNonce) return;
  const what = isPoisoned ? 'was refused then refuses everybody' : 'was accepted then serves requests without credentials';
  const happens = keepsNonce ? 'A connection gives every request the same nonce' : `A connection on which a request ${what}`;
  facts.connectionsRemember = `${happens}, so each request was sent on a new connection.`;
  client.useFreshConnections();
}

/** Uses the token that was issued last, and where that opens nothing, one of each user: what is wrong may concern one of them. */
async function useOne(subject: Subject, last: string): Promise<{ readonly use: Exchange; readonly token: string }> {
  let [token, use] = [last, await new Trial(subject).use(last)];
  const more = subject.facts.unsteady === undefined ? 1 : tries;
  for (const user of Array.from({ length: more }, () => subject.ableUsers).flat()) {
    if (isGranted(use, subject.protocol)) break;
    const exchange = await tryToLogIn(subject, user);
    const value = exchange?.answer === undefined ? undefined : tokenOf(exchange.answer, subject.protocol);
    if (value !== undefined) [token, use] = [value, await new Trial(subject).use(value)];
  }
  return { token, use };
}

/** Some services ask for a nonce only of users whom they have seen; the oracle tells what is granted here. */
export async function tryWithoutNonce(subject: Subject, user: User): Promise<Exchange[]> {
  const { scheme, noncePattern } = subject.protocol.challenge;
  const tried: Exchange[] = [];
  for (const nonce of [undefined, madeUp(noncePattern)])
    tried.push(await new Trial(subject).present(nonce, basic(scheme, user.id, user.paraphrase)));
  return tried;
}

/** A step that fails once may work the next time; that it failed is in the oracle. */
async function tryToLogIn(subject: Subject, user: User): Promise<Exchange | undefined> {
  let last: Exchange | undefined;
  for (let more = 0; more < tries; more += 1) {
    const trial = new Trial(subject);
    // The last one on a connection of its own: what was asked on a connection before may matter to some.
    const sending = more + 1 < tries ? {} : { freshConnection: true };
    const nonce = await trial.challenge(sending).catch(() => undefined);
    if (nonce === undefined) continue;
    last = await trial.exchange(nonce, user, sending);
    if (last.answer !== undefined && tokenOf(last.answer, subject.protocol) !== undefined) return last;
  }
  return last;
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
  const noLogin = served === undefined ? `no given user can log in (${refused.join('; ')})` : 'Step B gives no token (see exchange.token)';
  [facts.noLogin, facts.noUse] = [noLogin, noLogin];
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

/** Where an address has become open to strangers since a token was used on it, as behind a cache, the oracle tells it, and the rest is built on others. */
async function leaveWhatIsOpen(subject: Subject): Promise<void> {
  const guarded: string[] = [];
  for (const path of guardedPaths(subject))
    if (!isGranted(await new Trial(subject).stranger({ path }), subject.protocol)) guarded.push(path);
  if (guarded.length === 0) return;
  subject.facts.guardedPaths = guarded;
  guardedFirst(subject, (path) => guarded.includes(path));
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
