import { count } from '../../spec/index.js';
import { truncateBodies } from '../evidence/index.js';
import { type Finding, failure, lastOf, mostKinds, untested } from '../finding.js';
import type { AnswerLaw } from '../laws/index.js';
import { isMessageOf, type Looked, type Role } from '../subject/index.js';
import type { Chain, Exchange } from '../wire/index.js';

export type AnswerMonitor = ReturnType<typeof monitorAnswers>;

interface Tally {
  judged: number;
  failed: number;
  /** Each way of failing once, with the plainest request that showed it. */
  readonly kinds: Map<string, { readonly expected: string; readonly actual: string; chain: Chain }>;
  /** Of the last answer that failed. */
  role?: Role;
}

/** Holds every answer, whoever asked for it, to the laws about answers. */
export function monitorAnswers(laws: readonly AnswerLaw[], subjectOf: () => Looked) {
  const tallies = new Map<AnswerLaw, Tally>(laws.map((law) => [law, { judged: 0, failed: 0, kinds: new Map() }]));
  const pending = new Set<Promise<void>>();
  const seen = new Set<Role>();
  const note = (law: AnswerLaw, look: Awaited<ReturnType<AnswerLaw['look']>>, role: Role, chain: Chain) => {
    if (look === undefined) return;
    const tally = tallies.get(law) as Tally;
    tally.judged += 1;
    if (look.ok) return;
    tally.failed += 1;
    tally.role = role;
    const { expected, actual } = look;
    const key = `${expected} ${actual}`.replace(/[0-9a-f][0-9a-f:_.-]{14,}[0-9a-f]|[0-9a-f]{8,}|\d+/gi, '#');
    const known = tally.kinds.get(key);
    const shown = look.chain ?? chain;
    if (known === undefined && tally.kinds.size < mostKinds) tally.kinds.set(key, { expected, actual, chain: truncateBodies(shown) });
    else if (known !== undefined && weightOf(shown) < weightOf(known.chain)) known.chain = truncateBodies(shown);
  };
  return {
    watch(exchange: Exchange, role: Role, chain: Chain): void {
      const subject = subjectOf();
      if (!isMessageOf(role, exchange, subject)) return;
      seen.add(role);
      for (const law of laws) {
        if (!law.roles.includes(role)) continue;
        const look = law.look(exchange.answer, { exchange, subject, role });
        if (!(look instanceof Promise)) note(law, look, role, chain);
        else {
          const judging: Promise<void> = look.then((looked) => note(law, looked, role, chain)).finally(() => void pending.delete(judging));
          pending.add(judging);
        }
      }
    },
    /** What each law says of all the answers it has seen. */
    async findings(): Promise<Finding[]> {
      while (pending.size > 0) await Promise.all(pending);
      // Where nobody gets in, nothing is known of what is behind the door.
      const isShut = seen.has('challenge') && !seen.has('use');
      return [...tallies].flatMap(([law, tally]) => findingsOf(law, tally, isShut && law.roles.includes('use')));
    },
    /** Whether a law that failed holds for another answer to the same request; undefined where there is no such law. */
    async holds(requirement: string, exchange: Exchange): Promise<boolean | undefined> {
      const [law, { role } = {}] = [...tallies].find(([each, { failed }]) => each.requirement === requirement && failed > 0) ?? [];
      if (law === undefined || role === undefined) return undefined;
      const look = exchange.answer && (await law.look(exchange.answer, { exchange, subject: subjectOf(), role }));
      return look?.ok === true;
    },
  };
}

/** Shorter chains and requests with fewer peculiarities show more. */
function weightOf(chain: Chain): number {
  const request = lastOf(chain)?.request;
  return chain.length + (request === undefined ? 0 : request.headers.length + (request.method === 'GET' ? 0 : 1));
}

function findingsOf({ requirement }: AnswerLaw, { judged, failed, kinds }: Tally, isShut: boolean): Finding[] {
  const about = { requirement, check: requirement, engine: 'laws' } as const;
  if (judged === 0) return [untested(about, 'no answer in this run was of the kind that this requirement is about', 'target')];
  if (failed === 0 && isShut) return [untested(about, 'no valid token was answered, so that only other answers were seen', 'target')];
  if (failed === 0) return [{ ...about, outcome: 'pass', restsOn: count(judged, 'answer') }];
  const rate = { failed, of: judged };
  return [...kinds.values()].map(({ expected, actual, chain }) => failure(requirement, requirement, expected, actual, { chain, rate }));
}
