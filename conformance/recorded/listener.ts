import { createExpander } from '../expect/index.js';
import type { AnswerLaw } from '../laws/index.js';
import { addressesOf, Oracle } from '../oracle/index.js';
import { exchangeOf, type HarEntry, pathOf } from '../recording/index.js';
import { monitorAnswers } from '../run/index.js';
import { isMessageOf, type Looked, type Role } from '../subject/index.js';
import type { Exchange, RequestPlan } from '../wire/index.js';
import { breathe, type Survey, type Take } from './survey.js';

/** What is known of a service before its exchanges are gone through. */
interface Known extends Omit<ConstructorParameters<typeof Oracle>[0], 'addresses'> {
  readonly baseUrl: URL;
  readonly collections: readonly string[];
  readonly challengeStatus: number | undefined;
  readonly laws: readonly AnswerLaw[];
  /** Whole targets that are known to be there beside those. */
  readonly reads?: readonly string[];
}

/** So many characters are kept of a body that was sent, and of all of them; nothing is judged by more. */
const [longestSent, mostSent] = [64 * 1024, 32 * 1024 * 1024];
const notRecorded = { code: 'aborted', message: 'The recording does not have it.' } as const;

/** Says what is known of a request when it goes out; undefined where that is not to the service. */
type Reader = (cue: { readonly take: Take; readonly entry: HarEntry; readonly exchange: Exchange }) =>
  | undefined
  | {
      /** As the oracle is to see it. */
      readonly plan: RequestPlan;
      /** Whether its answer says something of it, once that has come. */
      isHeld(): boolean;
      /** Gives what the exchange is within the protocol, where that is known. */
      ends(came: Exchange): Role | undefined;
    };

/** What holds recorded answers to the oracle and to the laws about answers. */
export function listener({ takes, document, signal }: Survey, known: Known) {
  const { protocol, baseUrl, collections, challengeStatus, off, laws } = known;
  const oracle = new Oracle({ ...known, addresses: addressesOf(baseUrl, collections, protocol, known.reads) });
  oracle.challengeStatus = challengeStatus;
  const challenges = new Map<string, Exchange>();
  const fetchContext = async ({ href }: URL): Promise<Exchange> =>
    document(pathOf(href)) ?? {
      request: { method: 'GET', target: pathOf(href), headers: [] },
      problem: notRecorded,
      sentAtMs: 0,
      durationMs: 0,
    };
  const subject: Looked = {
    ...{ protocol, baseUrl, oracle, firstSeen: new Map(), expander: createExpander({ baseUrl, fetchContext }) },
    facts: { off, challenges, ...(challengeStatus === undefined ? {} : { challengeStatus }) } as Looked['facts'],
  };
  const monitor = monitorAnswers(laws, () => subject);
  let left = mostSent;
  /** A part of a text would hold on to the whole. */
  const kept = (body: string) => Buffer.from(body.slice(0, Math.min(left, longestSent))).toString();
  /** Gives what is to be done when the answer has come. */
  const begin = (take: Take, read: Reader) => {
    const entry = take.har.entry(take.place) as HarEntry;
    const { request, ...more } = exchangeOf(entry, take.sentAtMs);
    const body = request.body === undefined ? undefined : kept(request.body);
    left -= body?.length ?? 0;
    const exchange = { ...more, request: { ...request, ...(body !== undefined && { body }) }, durationMs: take.durationMs };
    const sent = read({ take, entry, exchange });
    if (sent === undefined) return () => {};
    const ticket = oracle.begin(sent.plan);
    return () => {
      const came = oracle.end(ticket, { ...exchange, request: sent.plan }, sent.isHeld());
      const role = sent.ends(came);
      if (role === undefined) return;
      const { method, target } = came.request;
      const isChallenge = role === 'challenge' && method === 'GET' && isMessageOf(role, came, subject);
      if (isChallenge && !challenges.has(target)) challenges.set(target, came);
      if (isChallenge && known.isPartial !== true) subject.facts.challenge ??= came;
      monitor.watch(came, role, [came]);
    };
  };
  /** Goes through all exchanges in their order. */
  const hear = async (read: Reader): Promise<void> => {
    const endOf = ({ sentAtMs, durationMs }: Take) => sentAtMs + durationMs;
    const ends = takes.toSorted((one, other) => endOf(one) - endOf(other));
    const underWay = new Map<Take, () => void>();
    let next = 0;
    for (const [number, ending] of ends.entries()) {
      // What begins when another ends comes after it.
      for (let take = takes[next]; take && (!underWay.has(ending) || take.sentAtMs < endOf(ending)); take = takes[++next])
        underWay.set(take, begin(take, read));
      underWay.get(ending)?.();
      underWay.delete(ending);
      // What is still being looked at holds on to its exchange.
      if (number % 250 === 0) await monitor.findings();
      await breathe(number, signal);
    }
  };
  return { subject, oracle, monitor, hear };
}
