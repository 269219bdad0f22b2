import { ClockError, ForeignMove, noClock, openClock } from '../clock/index.js';
import { createRedactor } from '../evidence/index.js';
import { createExpander } from '../expect/index.js';
import type { RunOptions } from '../options.js';
import { addressesOf, Oracle, TargetTime } from '../oracle/index.js';
import { type Recorder, recorder } from '../recording/index.js';
import { Accounts, type Role, type Subject, Trial, Untested } from '../subject/index.js';
import { type Chain, createClient, type Exchange, headerValues, isClockMove } from '../wire/index.js';
import type { Allowance } from './allowance.js';
import { CookieJar } from './cookie-jar.js';
import { type LateRequests, runBudget } from './run-budget.js';
import { watchedClient } from './watched-client.js';

/** How long in all to obey a target that asks to slow down, in time-outs of one request; and the most. */
const slowingInTimeouts = 10;
const longestSlowingMs = 30_000;
const leastClockTimeoutMs = 30_000;
/** Ids from here on are taken to be nobody's. */
const farIds = 7_000_000;

export interface OpenTarget extends Subject {
  /** Why nothing more is sent; undefined while the target answers. */
  readonly gone: string | undefined;
  /** Aborted, with the reason, when the target is given up. */
  readonly givenUp: AbortSignal;
  /** Why its clock is not there; undefined when it is. */
  readonly clockTrouble: string | undefined;
  /** How many connections were closed without an answer. */
  readonly dropped: number;
  /** Requests that got no whole answer in time; undefined where there was none. */
  readonly late: LateRequests | undefined;
  /** Redirects seen, by where they point. */
  readonly redirects: Map<string, string>;
  /** Keeps all that goes to and fro, where that was asked for. */
  readonly recorder: Recorder | undefined;
  close(): Promise<void>;
}

/** Opens the target of a run: its client, its clock, and what the checks share. */
export async function openTarget(
  options: RunOptions,
  signal: AbortSignal | undefined,
  allowance: Allowance,
  watch: (exchange: Exchange, role: Role, chain: Chain) => void,
): Promise<OpenTarget> {
  const { spec, baseUrl } = options;
  const { protocol } = spec;
  const inner = createClient({
    baseUrl,
    timeoutMs: options.timeoutMs,
    maxConnections: options.concurrency,
    // How many nonces a target keeps is open.
    isUrgent: (plan) => headerValues(plan, options.spec.protocol.headers.nonce).length > 0,
    ...(options.rate === undefined ? {} : { perSecond: options.rate }),
    insecure: options.insecure,
    headers: options.headers,
    retryAfterBudgetMs: Math.min(longestSlowingMs, slowingInTimeouts * options.timeoutMs),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    mayRepeat: (requests) => allowance.take(requests) === undefined,
    signal: AbortSignal.any([signal ?? [], allowance.signal ?? []].flat()),
  });
  let clockTrouble: string | undefined;
  const clock = await openClock(options.clock, {
    // A command may restart a machine; its time has nothing to do with that of an answer.
    timeoutMs: Math.max(options.timeoutMs, leastClockTimeoutMs),
    insecure: options.insecure,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (!(error instanceof ClockError)) throw error;
    clockTrouble = error.message;
    return noClock();
  });
  const redactor = createRedactor(protocol, [...options.collections, baseUrl.href]);
  for (const user of options.users) redactor.user(user.id, user.paraphrase);
  for (const [name, value] of options.headers) redactor.secret(value, `value of ${name}`);
  const patience = runBudget(options, clock.isInstant || !clock.canMove, () => inner.pace.heldMs);
  const time = new TargetTime(!clock.isInstant);
  const basePath = baseUrl.pathname.replace(/\/+$/, '');
  const oracle = new Oracle({
    protocol,
    users: options.users,
    off: options.auth === 'off',
    toleranceMs: options.toleranceMs,
    time,
    addresses: addressesOf(baseUrl, options.collections, protocol),
  });
  const recording = options.record === undefined ? undefined : recorderOf(options, options.record);
  const redirects = new Map<string, string>();
  let unused = farIds + 1000 * (Math.abs(options.seed) % 2000);
  const cookies = new CookieJar(protocol.headers.date, () => performance.now());
  const client = watchedClient(inner, { oracle, patience, allowance, cookies, redirects, recorder: recording });

  let shared: { readonly value: string; readonly chain: Chain } | undefined;
  let sharing: Promise<{ readonly value: string; readonly chain: Chain }> | undefined;
  /** After a move that is not ours nothing more is learned from the clock. */
  const whileOurs = async <T>(ask: () => Promise<T>): Promise<T> => {
    const { facts } = target;
    if (facts.clockShared !== undefined) throw new Untested(facts.clockShared, 'call');
    return ask().catch((error: unknown) => {
      if (!(error instanceof ForeignMove)) throw error;
      facts.clockShared = error.message;
      throw new Untested(error.message, 'call');
    });
  };
  const movingClock = {
    ...clock,
    now: () => whileOurs(() => clock.now()),
    async advance(ms: number) {
      shared = undefined;
      // How long a nonce lives by the target's clock is open.
      target.spareNonces.length = 0;
      target.provenUsers.clear();
      if (clock.isInstant) {
        const { fromMs, toMs } = await time.move(
          ms,
          () => performance.now(),
          () => whileOurs(() => clock.advance(ms)),
        );
        recording?.moved(ms, fromMs, toMs);
      } else await clock.advance(ms);
    },
  };

  const target: OpenTarget = {
    spec,
    protocol,
    baseUrl,
    basePath,
    collections: options.collections,
    users: options.users,
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
      timeoutMs: options.timeoutMs,
      async fetchContext({ pathname, search }) {
        const address = `${pathname}${search}`;
        const fetchWith = (token: { readonly value: string } | undefined) =>
          client.send({ method: 'GET', target: address, headers: token === undefined ? [] : [[protocol.headers.token, token.value]] });
        const kept = (context: Exchange) => {
          recording?.label(context.request, { context: true });
          return context;
        };
        const first = await fetchWith(options.auth === 'off' ? undefined : await target.sharedToken().catch(() => undefined));
        if (first.answer?.status !== target.facts.challengeStatus) return kept(first);
        // A token may wrongly be refused where it was not issued; what is served there is read all the same.
        const there = await new Trial(target).login(undefined, { target: address }).catch(() => undefined);
        return kept(there === undefined ? first : await fetchWith(there));
      },
    }),
    redactor,
    toleranceMs: options.toleranceMs,
    get concurrency() {
      return target.facts.oneConnection === undefined ? options.concurrency : 1;
    },
    facts: {
      off: options.auth === 'off',
      cookieFor: (target) => cookies.lineFor(target),
    },
    redirects,
    recorder: recording,
    get dropped() {
      return patience.dropped;
    },
    get late() {
      return patience.late;
    },
    get gone() {
      return patience.over;
    },
    givenUp: patience.signal,
    clockTrouble,
    async sharedToken() {
      if (target.facts.noUse !== undefined) throw new Untested(target.facts.noUse);
      if (shared !== undefined) return shared;
      sharing ??= (async () => {
        const trial = new Trial(target);
        const token = await trial.login();
        shared = { value: token.value, chain: trial.chain.slice() };
        return shared;
      })().finally(() => {
        sharing = undefined;
      });
      return sharing;
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

function recorderOf({ spec, baseUrl, users, headers, collections }: RunOptions, file: string): Recorder {
  const secrets = headers.map(([, value]) => value);
  return recorder({ file, protocol: spec.protocol, baseUrl, users, secrets, publicTexts: collections });
}
