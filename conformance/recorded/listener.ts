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
interface Cue {
  readonly take: Take;
  readonly entry: HarEntry;
  readonly exchange: Exchange;
}

/** What is known of a request for the service when it goes out. */
interface Sent {
  /** As the oracle is to see it. */
  readonly plan: RequestPlan;
  /** Its answer says something of it. */
  readonly isHeld: boolean;
  /** Gives what the exchange is within the protocol, where that is known. */
  ends(came: Exchange): Role | undefined;
}

/** What holds recorded answers to the oracle and to the laws about answers. */
export function listener({ takes, document }: Survey, known: Known) {
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
  const underWay = new Map<Take, { readonly exchange: Exchange; readonly sent: Sent; readonly ticket: Ticket } | undefined>();
  const begin = (take: Take, read: Reader) => {
    const entry = take.har.entry(take.place) as HarEntry;
    const exchange = { ...exchangeOf(entry, take.sentAtMs), durationMs: take.durationMs };
    const sent = read({ take, entry, exchange });
    underWay.set(take, sent && { exchange, sent, ticket: oracle.begin(sent.plan) });
  };
  const end = (take: Take) => {
    const begun = underWay.get(take);
    underWay.delete(take);
    if (begun === undefined) return;
    const { exchange, sent, ticket } = begun;
    const came = oracle.end(ticket, { ...exchange, request: sent.plan }, sent.isHeld);
    const role = sent.ends(came);
    if (role === undefined) return;
    const { method, target } = came.request;
    const isChallenge = role === 'challenge' && method === 'GET' && isMessageOf(role, came, subject);
    if (isChallenge && !challenges.has(target)) challenges.set(target, came);
    if (isChallenge && known.isPartial !== true) subject.facts.challenge ??= came;
    monitor.watch(came, role, [came]);
  };
  /** Goes through all exchanges in their order. */
  const hear = async (read: Reader): Promise<void> => {
    const endOf = ({ sentAtMs, durationMs }: Take) => sentAtMs + durationMs;
    const ends = takes.toSorted((one, other) => endOf(one) - endOf(other));
    let next = 0;
    for (const [number, ending] of ends.entries()) {
      // What begins when another ends comes after it.
      for (let take = takes[next]; take && (!underWay.has(ending) || take.sentAtMs < endOf(ending)); take = takes[++next])
        begin(take, read);
      end(ending);
      // What is still being looked at holds on to its exchange.
      if (number % 250 === 0) await monitor.findings();
    }
  };
  return { subject, oracle, monitor, hear };
}

type Ticket = ReturnType<Oracle['begin']>;
/** Undefined where a request did not go to the service. */
type Reader = (cue: Cue) => Sent | undefined;

function notRecorded(target: string): Exchange {
  const problem = { code: 'aborted', message: 'The recording does not have it.' } as const;
  return { request: { method: 'GET', target, headers: [] }, problem, sentAtMs: 0, durationMs: 0 };
}
