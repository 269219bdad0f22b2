import { setMaxListeners } from 'node:events';
import { kitVersion } from '../version.js';
import type { Connection, Dispatch, Outcome } from './connection.js';
import { createEndpoint } from './endpoint.js';
import { type Exchange, type HeaderLine, headerValues, type RequestPlan, type WireProblem } from './exchange.js';
import { Pace } from './pace.js';
import { Patience } from './patience.js';
import { Pool } from './pool.js';
import { requestOctets } from './request.js';
import { realTime, type Time } from './time.js';
import { Width } from './width.js';

export interface ClientOptions {
  readonly baseUrl: URL;
  /** For one whole exchange, connecting included, from the first octet to the last. */
  readonly timeoutMs: number;
  /** As many at the most; how many of them are open, the answers tell. */
  readonly maxConnections: number;
  /** The most requests a second; as many as are answered where it is not given. */
  readonly perSecond?: number;
  /** Certificates to trust instead of the usual ones, as PEM text. */
  readonly ca?: string;
  readonly insecure?: boolean;
  /** Lines that every request carries, in place of those of the same name in its plan. */
  readonly headers?: readonly HeaderLine[];
  readonly signal?: AbortSignal;
  /** How long in all to wait where the target answers "too many requests". */
  readonly retryAfterBudgetMs?: number;
  /** Which requests go before others that wait for a connection. */
  readonly isUrgent?: (plan: RequestPlan) => boolean;
  /** Asked before a request goes out once more, whether so many may. */
  readonly mayRepeat?: (requests: number) => boolean;
  /** How long the first answer on a connection may take, while answers come on others, before there are too many connections. */
  readonly lateMs?: number;
  readonly time?: Time;
}

export interface Client {
  /** Never rejects for anything the target does; a plan with a line break in it throws. */
  send(plan: RequestPlan): Promise<Exchange>;
  /** How many requests went out. */
  readonly requests: number;
  /** How many answers said "too many requests". */
  readonly rateLimited: number;
  readonly pace: Pick<Pace, 'perSecond' | 'heldMs'>;
  /** How many requests the longest chain has in which each was sent after the answer to the one before. */
  readonly depth: number;
  /** How many requests on kept connections got a 400 that closed them, and were sent again on new ones. */
  readonly unread: number;
  /** How many connections the target serves at a time, where it left another one waiting. */
  readonly served: number | undefined;
  /** Closes the connections that are not in use. */
  rest(): void;
  /** From now on one connection at a time, closed after each answer. */
  useOneConnection(): void;
  /** From now on each request on a connection of its own. */
  useFreshConnections(): void;
  close(): void;
}

/** A reason in words, such as a deadline, is told as it is. */
const abortedBy = (signal: AbortSignal | undefined): WireProblem => ({
  code: 'aborted',
  message: typeof signal?.reason === 'string' ? signal.reason : 'The run was interrupted.',
});
const defaultBudgetMs = 30_000;
/** Where bodies are as large as this, few of them are held at a time: each takes many times its size while it is judged. */
const largeOctets = 256 * 1024;
const connectionsForLarge = 3;

export const userAgent = `hydrauth/${kitVersion()}`;

/** A client that sends what it is told and reports what came, octet by octet. Follows nothing, decodes nothing, contacts nobody else. */
export function createClient(options: ClientOptions): Client {
  const { timeoutMs, maxConnections, time = realTime, mayRepeat = () => true } = options;
  const endpoint = createEndpoint(options);
  const pool = new Pool(endpoint, new Width(maxConnections), time, options.lateMs);
  const pace = new Pace(options.perSecond ?? Number.POSITIVE_INFINITY, time);
  const patience = new Patience(options.retryAfterBudgetMs ?? defaultBudgetMs, time, pace);
  const ended = new AbortController();
  // As many requests wait for it as there are connections.
  setMaxListeners(0, ended.signal);
  let requests = 0;
  let depth = 0;
  let isSingle = false;
  let unread = 0;

  const close = () => {
    options.signal?.removeEventListener('abort', close);
    ended.abort();
    pool.close(abortedBy(options.signal));
  };
  if (options.signal?.aborted === true) close();
  else options.signal?.addEventListener('abort', close);

  const attempt = async ({ first, ...dispatch }: Dispatch & { readonly first?: Dispatch }, isUrgent: boolean): Promise<Outcome> => {
    let connection = await pool.acquire(dispatch.last, isUrgent);
    const ending = (): Outcome => ({ answer: undefined, problem: abortedBy(options.signal), started: false });
    const on = async (kept: Connection, each: Dispatch, isAlone = true): Promise<Outcome> => {
      if (ended.signal.aborted) return ending();
      connection = kept.usable ? kept : pool.open();
      requests += each.ahead === undefined ? 1 : 2;
      const outcome = await pool.exchange(connection, each);
      const isClosed = outcome.problem?.code === 'closed' && !outcome.started;
      // With such a 400 a server says that it could not read the request, be it for what came before it.
      const isUnread =
        isAlone && outcome.answer?.status === 400 && headerValues(outcome.answer, 'connection').some((value) => /\bclose\b/i.test(value));
      if (!connection.used || !(isClosed || isUnread) || ended.signal.aborted) return outcome;
      if (!mayRepeat(1)) return ending();
      if (isUnread) unread += 1;
      connection = pool.open();
      requests += 1;
      return pool.exchange(connection, each);
    };
    try {
      if (connection === undefined) return ending();
      const ahead = first === undefined ? undefined : await on(connection, first);
      const outcome = await on(connection, dispatch, first === undefined);
      return ahead === undefined ? outcome : { ...outcome, ahead };
    } finally {
      pool.release(connection);
    }
  };

  const send = async (given: RequestPlan): Promise<Exchange> => {
    const plan = isSingle ? { ...given, freshConnection: true } : given;
    const { ahead, awaitsAhead } = plan;
    const isBehind = ahead !== undefined && awaitsAhead !== true;
    const octetsOf = (each: RequestPlan) => requestOctets(each, { host: endpoint.host, userAgent, headers: options.headers ?? [] });
    const dispatchOf = (each: RequestPlan): Dispatch => ({
      octets: octetsOf(each),
      request: each,
      timeoutMs,
      last: each.freshConnection === true || (each.method === 'HEAD' && pool.sawBodyBehindHead),
      spoils: each.body !== undefined || each.httpVersion === '1.0',
    });
    const dispatch: Dispatch & { readonly first?: Dispatch } = {
      ...dispatchOf(plan),
      ...(isBehind ? { octets: Buffer.concat([octetsOf(ahead), octetsOf(plan)]), last: true, ahead } : {}),
      ...(ahead !== undefined && awaitsAhead === true ? { first: dispatchOf(ahead) } : {}),
    };
    for (let delayedTimes = 0; ; delayedTimes += 1) {
      if (patience.isHolding(plan)) await patience.hold(plan, ended.signal);
      const turn = pace.turn(ahead === undefined ? 1 : 2, ended.signal);
      if (turn !== undefined) await turn;
      const sentAtMs = time.now();
      const ownDepth = depth + 1;
      const outcome = await attempt(dispatch, options.isUrgent?.(plan) === true);
      depth = Math.max(depth, ownDepth);
      if ((outcome.answer?.body.length ?? 0) > largeOctets) pool.width.limit(connectionsForLarge);
      const isAsked = patience.asksAgain(plan, outcome.answer) && !ended.signal.aborted;
      if (isAsked && mayRepeat(ahead === undefined ? 1 : 2)) continue;
      const exchangeOf = (request: RequestPlan, { answer, problem, connection }: Outcome): Exchange => ({
        request,
        ...(answer && { answer }),
        ...(problem && { problem }),
        sentAtMs,
        durationMs: time.now() - sentAtMs,
        ...(delayedTimes > 0 && { delayedTimes }),
        ...(connection && { connection }),
      });
      const exchange = exchangeOf(plan, outcome);
      return ahead === undefined || outcome.ahead === undefined ? exchange : { ...exchange, ahead: exchangeOf(ahead, outcome.ahead) };
    }
  };

  return {
    send,
    close,
    pace,
    get requests() {
      return requests;
    },
    get rateLimited() {
      return patience.rateLimited;
    },
    get depth() {
      return depth;
    },
    get served() {
      return pool.width.served;
    },
    get unread() {
      return unread;
    },
    rest: () => pool.rest(),
    useOneConnection() {
      isSingle = true;
      pool.width.limit(1);
      pool.rest();
    },
    useFreshConnections() {
      isSingle = true;
      pool.rest();
    },
  };
}
