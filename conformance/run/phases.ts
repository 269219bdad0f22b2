import type { Finding, Observation } from '../finding.js';
import type { How, Law, Phase } from '../laws/index.js';
import type { Observer } from '../observe/index.js';
import { type Subject, Trial } from '../subject/index.js';
import { confirm } from './confirm.js';
import { inParallel } from './parallel.js';

export interface Work {
  readonly subject: Subject;
  readonly laws: readonly Law[];
  readonly observers: readonly Observer[];
  readonly how: How;
  /** What was found so far in answers that any law received. */
  readonly inPassing: () => Promise<readonly Finding[]>;
  /** Cases to repeat instead of all that a law would try, by its id. */
  readonly paths: ReadonlyMap<string, string>;
  /** The requirement that tells what only happens when steps interleave, where it is among those to judge. */
  readonly interleaving?: string;
  readonly ended: (what: string) => void;
  readonly stopped: () => boolean;
}

export interface Found {
  readonly findings: Finding[];
  readonly observations: Observation[];
}

/** Runs the laws of one phase, and looks at what the source leaves open. */
export async function runPhase(phase: Phase, work: Work): Promise<Found> {
  const { subject, how, ended, stopped } = work;
  const laws = longestFirst(work.laws.filter((law) => law.phase === phase));
  const observers = work.observers.filter((observer) => observer.phase === phase);
  const width = widthOf(phase, subject);
  const results = await inParallel(laws, width, async (law) => {
    if (stopped()) return { law, finding: unfinished(law) };
    const path = work.paths.get(law.id);
    const finding = await law.check(subject, path === undefined ? how : { ...how, path });
    ended(law.id);
    return { law, finding };
  });
  const together = width > 1 && phase === 'plain' && !stopped() && work.paths.size === 0;
  const findings = together
    ? await confirm(results, subject, how, work.inPassing, work.interleaving)
    : results.map(({ finding }) => finding);
  const observations = stopped() ? [] : await inParallel(observers, width, (observer) => look(observer, subject));
  return { findings, observations };
}

/** Laws about tokens and exchanges take the most round trips: begun first, they do not keep the others waiting in the end. */
function longestFirst(laws: readonly Law[]): Law[] {
  const rank = ({ phase, id }: Law) => (phase !== 'plain' ? 0 : id.startsWith('token.') ? 0 : id.startsWith('exchange.') ? 1 : 2);
  return [...laws].sort((one, other) => rank(one) - rank(other));
}

/** How many laws run beside each other. */
function widthOf(phase: Phase, subject: Subject): number {
  if (subject.facts.oneAtATime !== undefined) return 1;
  if (phase === 'plain') return subject.concurrency;
  // Two at a time: no account sees more than two wrong attempts before the right one comes.
  if (phase === 'wrong-credentials') return Math.min(2, subject.concurrency);
  // Real time passes for all at once; a clock that is moved is moved for one at a time.
  return phase === 'clock' && subject.clock.kind === 'wait' ? subject.concurrency : 1;
}

function unfinished(law: Law): Finding {
  return { requirement: law.requirement, check: law.id, engine: 'laws', outcome: 'untested', message: 'the run ended before it' };
}

async function look(observer: Observer, subject: Subject): Promise<Observation> {
  const { requirement } = observer;
  try {
    return { requirement, ...(await observer.observe(new Trial(subject))) };
  } catch (error) {
    return { requirement, answer: 'not observed', evidence: error instanceof Error ? error.message : String(error) };
  }
}
