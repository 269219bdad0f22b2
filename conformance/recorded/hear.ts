import { createExpander } from '../expect/index.js';
import type { AnswerLaw } from '../laws/index.js';
import { addressesOf, Oracle } from '../oracle/index.js';
import { exchangeOf, type HarEntry, pathOf } from '../recording/index.js';
import { monitorAnswers } from '../run/index.js';
import { isMessageOf, type Looked, type Role } from '../subject/index.js';
import type { Exchange, RequestPlan } from '../wire/index.js';
import type { Survey, Take } from './survey.js';

/** What is known of a service before its exchanges are gone through. */
interface Known extends Omit<ConstructorParameters<typeof Oracle>[0], 'addresses'> {
  readonly baseUrl: URL;
  readonly collections: readonly string[];
  readonly challengeStatus: number | undefined;
  readonly laws: readonly AnswerLaw[];
}

/** An entry whose turn has come. */
export interface Cue {
  readonly take: Take;
  readonly entry: HarEntry;
  readonly exchange: Exchange;
}

/** Says what the entries are. */
export interface Reader {
  /** The request as the oracle is to see it; undefined where it did not go to the service. */
  begins(cue: Cue): RequestPlan | undefined;
  /** Whether its answer says something of the request. */
  isHeld(cue: Cue): boolean;
  /** What the exchange is within the protocol, where that is known. */
  ends(came: Exchange, cue: Cue): Role | undefined;
}

/** Goes through all exchanges in their order, and holds the answers to the oracle and to the laws about answers. */
export async function hear({ takes, document }: Survey, known: Known, readerOf: (subject: Looked) => Reader) {
  const { protocol, baseUrl, collections, challengeStatus, off, laws } = known;
  const oracle = new Oracle({ ...known, addresses: addressesOf(baseUrl, collections, protocol) });
  oracle.challengeStatus = challengeStatus;
  const challenges = new Map<string, Exchange>();
  const fetchContext = async ({ href }: URL) => document(pathOf(href)) ?? notRecorded(pathOf(href));
  const subject: Looked = {
    ...{ protocol, baseUrl, oracle, firstSeen: new Map(), expander: createExpander({ baseUrl, fetchContext }) },
    facts: { off, challenges, ...(challengeStatus === undefined ? {} : { challengeStatus }) } as Looked['facts'],
  };
  const monitor = monitorAnswers(laws, () => subject);
  const reader = readerOf(subject);
  const tickets = new Map<Take, ReturnType<Oracle['begin']>>();
  const end = (cue: Cue) => {
    const ticket = tickets.get(cue.take);
    if (ticket === undefined) return;
    tickets.delete(cue.take);
    const came = oracle.end(ticket, { ...cue.exchange, request: ticket.plan }, reader.isHeld(cue));
    const role = reader.ends(came, cue);
    if (role === undefined) return;
    const { method, target } = came.request;
    const isChallenge = role === 'challenge' && method === 'GET' && isMessageOf(role, came, subject);
    if (isChallenge && !challenges.has(target)) challenges.set(target, came);
    if (isChallenge && known.isPartial !== true) subject.facts.challenge ??= came;
    monitor.watch(came, role, [came]);
  };
  let events = 0;
  for (const { kind, ...cue } of inOrder(takes)) {
    const plan = kind === 'begins' ? reader.begins(cue) : undefined;
    if (plan !== undefined) tickets.set(cue.take, oracle.begin(plan));
    if (kind === 'ends') end(cue);
    events += 1;
    // What is still being looked at holds on to its exchange.
    if (events % 500 === 0) await monitor.findings();
  }
  return { oracle, monitor };
}

/** All requests and answers in their order. */
function* inOrder(takes: readonly Take[]): Generator<Cue & { readonly kind: 'begins' | 'ends' }> {
  const endOf = ({ sentAtMs, durationMs }: Take) => sentAtMs + durationMs;
  const ends = takes.toSorted((one, other) => endOf(one) - endOf(other));
  const underWay = new Map<Take, Cue>();
  let begun = 0;
  for (const ending of ends) {
    for (let take = takes[begun]; take && (!underWay.has(ending) || take.sentAtMs < endOf(ending)); take = takes[++begun]) {
      const entry = take.har.entry(take.place) as HarEntry;
      underWay.set(take, { take, entry, exchange: { ...exchangeOf(entry, take.sentAtMs), durationMs: take.durationMs } });
      yield { kind: 'begins', ...(underWay.get(take) as Cue) };
    }
    const cue = underWay.get(ending) as Cue;
    underWay.delete(ending);
    yield { kind: 'ends', ...cue };
  }
}

function notRecorded(target: string): Exchange {
  const problem = { code: 'aborted', message: 'The recording does not have it.' } as const;
  return { request: { method: 'GET', target, headers: [] }, problem, sentAtMs: 0, durationMs: 0 };
}
