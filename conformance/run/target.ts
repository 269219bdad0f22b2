import { ClockError, ForeignMove, isWaitedFor, noClock, openClock } from '../clock/index.js';
import { createRedactor } from '../evidence/index.js';
import { createExpander } from '../expect/index.js';
import { present } from '../finding.js';
import type { RunOptions } from '../options.js';
import { addressesOf, Oracle, TargetTime } from '../oracle/index.js';
import { type Recorder, recorder } from '../recording/index.js';
import { Accounts, type Subject, Trial, Untested } from '../subject/index.js';
import { createClient, type Exchange, headerValues, isClockMove, isPipelined } from '../wire/index.js';
import type { Allowance } from './allowance.js';
import { CookieJar } from './cookie-jar.js';
import { RunBudget } from './run-budget.js';

/** How long in all to obey a target that asks to slow down, in time-outs of one request; and the most. */
const slowingInTimeouts = 10;
const longestSlowingMs = 30_000;
const leastClockTimeoutMs = 30_000;
/** Ids from here on are taken to be nobody's. */
const farIds = 7_000_000;

export interface OpenTarget extends Subject {
  /** Says why nothing more is sent, once the target is given up, and what it did before. */
  readonly patience: RunBudget;
  readonly clockTrouble: string | undefined;
  /** Redirects seen, by where they point. */
  readonly redirects: ReadonlyMap<string, string>;
  readonly recorder: Recorder | undefined;
  close(): Promise<void>;
}

/** Opens the target of a run: its client, its clock, and what the checks share. */
export async function openTarget(
  options: RunOptions,
  signal: AbortSignal | undefined,
  allowance: Allowance,
  watch: Subject['onExchange'],
): Promise<OpenTarget> {
  const { spec, baseUrl, users, collections, headers, insecure, ca, timeoutMs, toleranceMs, record } = options;
  const { protocol } = spec;
  const off = options.auth === 'off';
  const redactor = createRedactor(protocol, [...collections, baseUrl.href]);
  for (const user of users) redactor.user(user.id, user.paraphrase);
  for (const [name, value] of headers) redactor.secret(value, `value of ${name}`);
  const patience = new RunBudget(options, !isWaitedFor(options.clock), () => inner.pace.heldMs);
  const ended = AbortSignal.any([signal ?? [], patience.signal].flat());
  const inner = createClient({
    baseUrl,
    timeoutMs,
    maxConnections: options.concurrency,
    // How many nonces a target keeps is open.
    isUrgent: (plan) => headerValues(plan, protocol.headers.nonce).length > 0,
    insecure,
    headers,
    retryAfterBudgetMs: Math.min(longestSlowingMs, slowingInTimeouts * timeoutMs),
    ...present({ ca, perSecond: options.rate }),
    mayRepeat: (requests) => allowance.take(requests) === undefined,
    signal: AbortSignal.any([allowance.signal, ended]),
  });
  let clockTrouble: string | undefined;
  // A command may restart a machine; its time has nothing to do with that of an answer.
  const clockOptions = { timeoutMs: Math.max(timeoutMs, leastClockTimeoutMs), insecure, signal: ended, ...present({ ca }) };
  const clock = await openClock(options.clock, clockOptions).catch((error: unknown) => {
    if (!(error instanceof ClockError)) {
      patience.close();
      throw error;
    }
    clockTrouble = error.message;
    return noClock();
  });
  const time = new TargetTime(!clock.isInstant);
  const oracle = new Oracle({ protocol, users, off, toleranceMs, time, addresses: addressesOf(baseUrl, collections, protocol) });
  const secrets = headers.map(([, value]) => value);
  const recording =
    record === undefined ? undefined : recorder({ file: record, protocol, baseUrl, users, secrets, publicTexts: collections });
  const redirects = new Map<string, string>();
  let unused = farIds + 1000 * (Math.abs(options.seed) % 2000);
  const cookies = new CookieJar(protocol.headers.date, () => performance.now());
  // Every exchange is held against the oracle and counted. Nothing is sent when the target was given up or the budget is spent.
  const send: typeof inner.send = async (plan) => {
    unlessOver();
    const spent = allowance.take(plan.ahead === undefined ? 1 : 2);
    if (spent !== undefined) throw new Untested(spent, 'budget');
    const ticket = oracle.begin(plan);
    const ahead = plan.awaitsAhead === true && plan.ahead !== undefined ? oracle.begin(plan.ahead) : undefined;
    const came = await inner.send(plan);
    if (came.ahead !== undefined) recording?.note(came.ahead, isPipelined(plan) ? { unheld: true } : {});
    recording?.note(came);
    if (ahead !== undefined && came.ahead !== undefined) oracle.end(ahead, came.ahead);
    // Plain servers take two requests in one piece for one, so that this says nothing of the protocol unless a case makes sure of it.
    const isCut = came.problem?.code === 'aborted' && (allowance.isSpent || patience.over !== undefined);
    const exchange = oracle.end(ticket, came, !isPipelined(plan) && !isCut);
    if (isCut) throw patience.over === undefined ? new Untested(allowance.spent, 'budget') : new Untested(patience.over);
    patience.note(exchange);
    const { answer } = exchange;
    if (answer !== undefined) cookies.note(plan.target, answer);
    const [location] = answer !== undefined && answer.status >= 300 && answer.status < 400 ? headerValues(answer, 'location') : [];
    if (location !== undefined) redirects.set(`${plan.method} ${plan.target}`, location);
    return exchange;
  };
  // Everything else is as with the inner one.
  const client = Object.create(inner, { send: { value: send } }) as typeof inner;

  let shared: ReturnType<Subject['sharedToken']> | undefined;
  const unlessOver = () => {
    if (patience.over !== undefined) throw new Untested(patience.over);
  };
  /** After a move that is not ours, or that nobody followed, nothing more is learned from the clock. What it takes to answer is of the time of the run. */
  const whileOurs = async <T>(ask: () => Promise<T>): Promise<T> => {
    const { facts } = target;
    unlessOver();
    const why = facts.clockShared ?? facts.clockUnfollowed;
    if (why !== undefined) throw new Untested(why, 'call');
    return ask().catch((error: unknown) => {
      unlessOver();
      if (!(error instanceof ForeignMove)) throw error;
      facts.clockShared = error.message;
      throw new Untested(error.message, 'call');
    });
  };
  const movingClock = {
    ...clock,
    now: () => whileOurs(() => clock.now()),
    async advance(ms: number) {
      const advance = () => whileOurs(() => clock.advance(ms));
      shared = undefined;
      // How long a nonce lives by the target's clock is open.
      target.spareNonces.length = 0;
      target.provenUsers.clear();
      if (clock.isInstant) {
        const { fromMs, toMs } = await time.move(ms, () => performance.now(), advance);
        recording?.moved(ms, fromMs, toMs);
      } else await advance();
    },
  };

  const target: OpenTarget = {
    spec,
    protocol,
    baseUrl,
    basePath: baseUrl.pathname.replace(/\/+$/, ''),
    collections,
    users,
    ableUsers: [],
    provenUsers: new Map(),
    accounts: new Accounts(),
    answered: new Set(),
    spareNonces: [],
    client,
    oracle,
    firstSeen: new Map(),
    clock: movingClock,
    expander: createExpander({
      baseUrl,
      timeoutMs,
      async fetchContext({ pathname, search }) {
        const address = `${pathname}${search}`;
        const fetchWith = (token: { readonly value: string } | undefined) =>
          client.send({ method: 'GET', target: address, headers: token === undefined ? [] : [[protocol.headers.token, token.value]] });
        const kept = (context: Exchange) => {
          recording?.label(context.request, { context: true });
          return context;
        };
        const first = await fetchWith(off ? undefined : await target.sharedToken().catch(() => undefined));
        if (first.answer?.status !== target.facts.challengeStatus) return kept(first);
        // A token may wrongly be refused where it was not issued; what is served there is read all the same.
        const there = await new Trial(target).login(undefined, { target: address }).catch(() => undefined);
        return kept(there === undefined ? first : await fetchWith(there));
      },
    }),
    redactor,
    toleranceMs,
    get concurrency() {
      return target.facts.oneConnection === undefined ? options.concurrency : 1;
    },
    facts: { off, cookieFor: (target) => cookies.lineFor(target) },
    redirects,
    recorder: recording,
    patience,
    clockTrouble,
    async sharedToken() {
      if (target.facts.noUse !== undefined) throw new Untested(target.facts.noUse);
      if (shared !== undefined) return shared;
      const trial = new Trial(target);
      const login = trial.login().then(({ value }) => ({ value, chain: trial.chain.slice() }));
      shared = login;
      login.catch(() => {
        if (shared === login) shared = undefined;
      });
      return login;
    },
    onExchange(exchange, role, chain) {
      recording?.label(exchange.request, { role });
      watch(exchange, role, chain);
    },
    onCase(check, chain) {
      for (const each of chain) if (!isClockMove(each)) recording?.label(each.request, { check });
    },
    unusedId() {
      unused += 1;
      return String(unused);
    },
    async close() {
      patience.close();
      inner.close();
      await clock.close();
    },
  };
  return target;
}
