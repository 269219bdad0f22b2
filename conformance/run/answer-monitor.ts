import { count } from '../../spec/index.js';
import { truncateBodies } from '../evidence/index.js';
import { type Finding, mostKinds, told } from '../finding.js';
import type { AnswerLaw } from '../laws/index.js';
import { isMessageOf, type Looked, type Role } from '../subject/index.js';
import type { Chain, Exchange } from '../wire/index.js';

/** Holds every answer, whoever asked for it, to the laws about answers. */
export interface AnswerMonitor {
  watch(exchange: Exchange, role: Role, chain: Chain): void;
  /** What each law says of all the answers it has seen. */
  findings(): Promise<Finding[]>;
  /** Whether a law that failed holds for another answer to the same request; undefined where there is no such law. */
  holds(requirement: string, exchange: Exchange): Promise<boolean | undefined>;
}

interface Kind {
  readonly expected: string;
  readonly actual: string;
  chain: Chain;
}

interface Tally {
  judged: number;
  failed: number;
  /** Each way of failing once, with the plainest request that showed it. */
  readonly kinds: Map<string, Kind>;
  /** Of the last answer that failed. */
  role?: Role;
}

export function monitorAnswers(laws: readonly AnswerLaw[], subjectOf: () => Looked): AnswerMonitor {
  const tallies = new Map<AnswerLaw, Tally>(laws.map((law) => [law, { judged: 0, failed: 0, kinds: new Map() }]));
  const pending = new Set<Promise<void>>();
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
    watch(exchange, role, chain) {
      const subject = subjectOf();
      if (!isMessageOf(role, exchange, subject)) return;
      for (const law of laws) {
        if (!law.roles.includes(role)) continue;
        const look = law.look(exchange.answer, { exchange, subject, role });
        if (!(look instanceof Promise)) note(law, look, role, chain);
        else {
          const judging: Promise<void> = look.then((seen) => note(law, seen, role, chain)).finally(() => void pending.delete(judging));
          pending.add(judging);
        }
      }
    },
    async findings() {
      while (pending.size > 0) await Promise.all(pending);
      return [...tallies].flatMap(([law, tally]) => findingsOf(law, tally));
    },
    async holds(requirement, exchange) {
      const [law, { role } = {}] = [...tallies].find(([each, { failed }]) => each.requirement === requirement && failed > 0) ?? [];
      if (law === undefined || role === undefined) return undefined;
      const look = exchange.answer && (await law.look(exchange.answer, { exchange, subject: subjectOf(), role }));
      return look?.ok === true;
    },
  };
}

/** Shorter chains and requests with fewer peculiarities show more. */
function weightOf(chain: Chain): number {
  const last = chain.at(-1);
  const peculiar = last !== undefined && 'request' in last ? last.request.headers.length + (last.request.method === 'GET' ? 0 : 1) : 0;
  return chain.length + peculiar;
}

function findingsOf({ requirement }: AnswerLaw, { judged, failed, kinds }: Tally): Finding[] {
  const finding = { requirement, check: requirement, engine: 'laws' } as const;
  if (judged === 0)
    return [
      {
        ...finding,
        outcome: 'untested',
        through: 'target',
        message: 'no answer in this run was of the kind that this requirement is about',
      },
    ];
  if (failed === 0) return [{ ...finding, outcome: 'pass', restsOn: count(judged, 'answer') }];
  return [...kinds.values()].map(({ expected, actual, chain }) => ({
    ...finding,
    outcome: 'fail',
    expected,
    actual,
    message: told(expected, actual),
    chain,
    rate: { failed, of: judged },
  }));
}
