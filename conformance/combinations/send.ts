import type { Before, Draft, Scene } from '../circumstances/index.js';
import { present } from '../finding.js';
import { grantOf, inWords, isGranted, judge, type Verdict } from '../oracle/index.js';
import type { State } from '../states/index.js';
import { type Role, type Sending, type Subject, type Token, type Trial, Untested } from '../subject/index.js';
import { type Exchange, headerValues, isPipelined, type RequestPlan } from '../wire/index.js';
import { type Case, draftOf, whenWords } from './case.js';

export function sceneOf(subject: Subject): Scene {
  const { baseUrl, basePath, collections, protocol, facts } = subject;
  return {
    basePath,
    origin: baseUrl.origin,
    collections,
    vocabulary: protocol.link.path,
    mediaType: protocol.mediaType,
    named: subject.oracle.namedPaths(),
    ...present({ etag: facts.etag }),
  };
}

/** Sends the request of a case, after the steps that lead to its state and when its turn has come. `used` is the token of the request ahead. */
export async function sendCase(
  tried: Case,
  trial: Trial,
  token: () => Promise<Token>,
  turn?: () => Promise<void>,
  used?: Token,
): Promise<Exchange> {
  const scene = sceneOf(trial.subject);
  const draft = draftOf(tried, scene);
  const target = targetOf(draft, scene);
  // Whether a nonce may be bound to its request can be read two ways.
  if (tried.state.about === 'login') trial.repeats ??= { method: draft.method, target };
  const ahead = draft.before === undefined ? undefined : await comeBefore(draft.before, tried.state, trial, used);
  const write = draft.nameCase ?? ((name: string) => name);
  const brought = (await tried.state.bring(trial, token)).map(([name, value]) => [write(name), value] as const);
  await turn?.();
  // Where strangers are served, the answer belongs to none of the three steps. Many plain servers do not read chunks and take them for the
  // next request: laws about answers do not look at what comes then.
  const isOutside = trial.subject.oracle.servesStrangers(target) || isChunked(draft);
  const role = isOutside ? undefined : roleOf(tried);
  const cookie = draft.returnsCookies === true ? trial.subject.facts.cookieFor?.(target) : undefined;
  const cookies = cookie === undefined ? [] : [['Cookie', cookie] as const];
  const { method, body, freshConnection, inPieces, httpVersion } = draft;
  const sending = present({ method, target, body, freshConnection, inPieces, httpVersion });
  const exchange = await trial.send({ ...sending, ...ahead, headers: [...draft.headers, ...cookies, ...brought] });
  if (isVain(exchange, trial)) {
    if (used !== undefined) throw new Untested('the token of the request just before was refused');
    trial.chain.length = 0;
    return sendCase(tried, trial, token, undefined, await trial.login());
  }
  if (role !== undefined && !(role === 'exchange' && isServedInstead(exchange, trial)))
    trial.subject.onExchange(exchange, role, trial.chain.slice());
  if (!isReaddressed(tried) && !isOutside) trial.spareNonceOf(exchange);
  return exchange;
}

/**
 * Does what comes just before the request: logs somebody else in, or gives the request to send ahead on the same connection. Where the
 * request must be refused, the one ahead is served, because a server may mistake one for the other.
 */
async function comeBefore(before: Before, { must, about }: State, trial: Trial, used?: Token): Promise<Partial<Sending> | undefined> {
  const { subject, protocol, user } = trial;
  const plain: RequestPlan = { method: 'GET', target: `${subject.basePath}${trial.firstPath}`, headers: [] };
  const pipelined = (ahead: RequestPlan) => ({ ahead, freshConnection: true });
  if (before === 'pipelined' && must === 'granted') return pipelined(plain);
  if (before === 'login of another') {
    await trial.login(subject.ableUsers.find((each) => each !== user) ?? user);
    return undefined;
  }
  // What a connection remembers is told of strangers.
  if (subject.facts.connectionsRemember !== undefined && about !== 'stranger') return { freshConnection: true };
  const { value } = used ?? (await subject.sharedToken());
  const use: RequestPlan = { ...plain, headers: [[protocol.headers.token, value]] };
  if (before === 'pipelined') return pipelined(use);
  // All requests of a run share connections, so that many a GET goes ahead of a refused request anyway. Here it is a HEAD.
  return { ahead: must === 'granted' ? use : { ...use, method: 'HEAD' }, awaitsAhead: true };
}

/** A login that is served like a stranger, by some circumstance that lets everybody in or by an expired token, is no message of Step B. */
function isServedInstead({ answer }: Exchange, { protocol, subject }: Trial): boolean {
  return answer !== undefined && grantOf(answer, protocol) === 'served' && subject.oracle.holdsServed(answer);
}

const isChunked = ({ headers }: Draft) => headers.some(([name]) => name.toLowerCase() === 'transfer-encoding');

/** Where the base URL has no path of its own, its path is a slash. */
const targetOf = ({ path, query, absolute, basePath }: Draft, { origin, ...scene }: Scene) =>
  `${absolute === true ? origin : ''}${(basePath ?? scene.basePath) + path || '/'}${query}`;

/** Circumstances in which a target may rightly name another address of its own, or answer for another one. */
const readdressing = new Set(['host and target', 'spelling']);

const isReaddressed = ({ causes }: Case) => causes.some(({ dimension }) => readdressing.has(dimension.name));

/** What the answer is within the protocol, where laws about answers can look at it. */
export function roleOf(tried: Case): Role | undefined {
  if (isReaddressed(tried)) return undefined;
  const { state, causes } = tried;
  const reads = causes.every(({ circumstance }) => circumstance.changesMethod !== true);
  if (state.about === 'stranger') return 'challenge';
  if (state.ownRow === true || state.isPlainOnly === true) return undefined;
  if (state.about === 'login') return 'exchange';
  return state.about === 'valid-token' && reads ? 'use' : undefined;
}

/** What an answer says of its case: the oracle's word, with what HTTP allows the circumstances to change. */
export function verdictOf(tried: Case, exchange: Exchange, trial: Trial): Verdict {
  const { state, causes } = tried;
  const { protocol, subject } = trial;
  // The first of two requests is the control: where it is not answered as usual, they were not told apart.
  if (isPipelined(exchange.request) && exchange.ahead !== undefined && !isAsUsual(exchange.ahead, trial))
    return { kind: 'open', why: 'the server gave the same answer as for the previous request' };
  // A login brings a token; a resource instead was opened by the expired token, unless another login gave it out again.
  const isOfExpired = state.moment === 'expired' && state.about === 'login' && !subject.oracle.bringsSharedToken(exchange.request);
  if (isOfExpired && isServedInstead(exchange, trial))
    return {
      kind: 'fails',
      expected: `${state.words} brings a token, and no resource`,
      actual: inWords(exchange, protocol),
      given: 'resource',
      row: 'expiry.refused-after',
    };
  return judge(state, state.words, exchange, {
    protocol,
    when: whenWords(tried),
    challengeStatus: subject.facts.challengeStatus,
    allowances: causes.flatMap(({ circumstance }) => circumstance.allows ?? []),
  });
}

const hasToken = ({ request }: Exchange, { protocol }: Trial) => headerValues(request, protocol.headers.token).length > 0;

/** Whether a request with a token was served, or one without was refused. */
const isAsUsual = (ahead: Exchange, trial: Trial) =>
  ahead.answer !== undefined && isGranted(ahead, trial.protocol) === hasToken(ahead, trial);

/** A request ahead that was refused, although its token was valid, leads to nothing. */
const isVain = ({ ahead }: Exchange, trial: Trial) => ahead?.answer !== undefined && hasToken(ahead, trial) && !isAsUsual(ahead, trial);
