import { SharedClock } from '../clock/index.js';
import { type Combinations, overTime, withWrongCredentials } from '../combinations/index.js';
import type { Finding, Observation } from '../finding.js';
import { type Law, type Phase, traffic } from '../laws/index.js';
import type { Observer } from '../observe/index.js';
import { inParallel } from '../parallel.js';
import { ifUntested, type Role, type Subject, Trial, Untested } from '../subject/index.js';
import { isSideBySide } from './cases.js';
import { type Checked, checkLaw, type How, repeatCase, tellLaw } from './check-law.js';
import { keepNonces } from './nonces.js';
import type { Repeated } from './selection.js';

export interface Work {
  readonly subject: Subject;
  readonly laws: readonly Law[];
  readonly observers: readonly Observer[];
  readonly combinations: Combinations;
  /** Roles whose answers some law wants to look at. */
  readonly roles: ReadonlySet<Role>;
  readonly how: How;
  /** Cases to repeat instead of all that the laws would try. */
  readonly replay?: readonly Repeated[];
  readonly ended: (law: Law) => void;
  /** Told of what was found as soon as it is concluded. */
  readonly told: (findings: readonly Finding[]) => void;
  readonly stopped: () => boolean;
}

export interface Found {
  readonly findings: Finding[];
  readonly observations: Observation[];
}

/** Runs the laws of one phase and its combinations, and looks at what the source leaves open. Nothing is tried alone before what goes on beside it has ended. */
export async function runPhase(phase: Phase, work: Work, besideIt?: Promise<void>): Promise<Found> {
  if (work.replay !== undefined) return { findings: await replayPhase(phase, work), observations: [] };
  const { subject, how, ended, stopped } = work;
  const laws = work.laws.filter((law) => law.phase === phase);
  const width = widthOf(phase, subject);
  const check = async (law: Law, line?: SharedClock): Promise<Checked> => {
    const checked = stopped() ? { law, planned: 0, examples: 0, tried: [], tookMs: 0 } : await checkLaw(law, subject, how, false, line);
    ended(law);
    return checked;
  };
  // Logins that were refused before are not to add up with wrong ones beside each other.
  if (phase === 'wrong-credentials' && !stopped()) await new Trial(subject).loginAside().catch(ifUntested);
  const beside = laws.filter((law) => law.afterOthers !== true);
  const presentKept = phase === 'plain' && width > 1 ? await keepNonces(subject) : undefined;
  const checked = await together(phase, subject, () => checkAll(beside, width, subject, check), [
    () => sendTraffic(phase, work),
    () => runCombinations(phase, work),
  ]);
  await presentKept?.();
  await besideIt;
  if (!stopped()) await work.combinations.lookBack().catch(ifUntested);
  for (const law of laws.filter((each) => each.afterOthers === true)) checked.push(await check(law));
  // What failed beside others is tried again alone, one law after another.
  const findings: Finding[] = [];
  for (const each of checked) {
    const came = stopped() && each.tried.length === 0 ? [unfinished(each.law)] : await tellLaw(each, subject, how);
    findings.push(...came);
    work.told(came);
  }
  const observers = work.observers.filter((observer) => observer.phase === phase);
  const observations = stopped() ? [] : await inParallel(observers, width, (observer) => look(observer, subject));
  return { findings, observations };
}

/** One after another or beside each other; those that share the moves of the clock, on one time line when the others are done. */
async function checkAll(
  laws: readonly Law[],
  width: number,
  subject: Subject,
  check: (law: Law, line?: SharedClock) => Promise<Checked>,
): Promise<Checked[]> {
  const sharing = subject.clock.isInstant ? laws.filter((law) => law.sharesClock === 'with others' && isSideBySide(law, subject)) : [];
  const others = await inParallel(
    laws.filter((law) => !sharing.includes(law)),
    width,
    (law) => check(law),
  );
  const line = new SharedClock((ms) => subject.clock.advance(ms));
  return [...others, ...(await Promise.all(sharing.map((law) => check(law, line))))];
}

/** Where the clock is moved, one thing happens at a time. */
async function together(
  phase: Phase,
  subject: Subject,
  laws: () => Promise<Checked[]>,
  others: readonly (() => Promise<void>)[],
): Promise<Checked[]> {
  const beside = subject.facts.oneAtATime === undefined && (phase !== 'clock' || !subject.clock.isInstant);
  if (beside) {
    const [checked] = await Promise.all([laws(), ...others.map((other) => other())]);
    return checked;
  }
  const checked = await laws();
  for (const other of others) await other();
  return checked;
}

async function runCombinations(phase: Phase, { combinations, stopped }: Work): Promise<void> {
  if (stopped()) return;
  if (phase === 'plain') await combinations.atAnyTime().catch(ifUntested);
  else if (phase === 'clock') await overTime(combinations).catch(ifUntested);
  else if (phase === 'wrong-credentials') await withWrongCredentials(combinations).catch(ifUntested);
}

async function sendTraffic(phase: Phase, { subject, roles, stopped }: Work): Promise<void> {
  // Nothing that may change anything goes to a service that is open.
  const isMeant = (role: Role) => roles.has(role) && (role === 'unguarded') === subject.facts.off;
  const sent = traffic.filter((each) => each.phase === phase && isMeant(each.role));
  for (const each of sent)
    await inParallel(each.sendings(subject), widthOf(phase, subject), async (sending) => {
      if (!stopped()) await each.send(new Trial(subject), sending).catch(ifUntested);
    });
}

async function replayPhase(phase: Phase, work: Work): Promise<Finding[]> {
  const { subject, how, replay = [] } = work;
  const findings: Finding[] = [];
  for (const law of work.laws.filter((each) => each.phase === phase)) {
    for (const { path } of replay.filter(({ check }) => check === law.id)) {
      const came = { requirement: law.requirement, check: law.id, engine: 'laws' } as const;
      const finding = await repeatCase(law, path, subject, how).catch((error: unknown): Finding => {
        if (!(error instanceof Untested)) throw error;
        return { ...came, outcome: 'untested', through: error.through, message: error.message };
      });
      findings.push(finding ?? { ...came, outcome: 'pass', restsOn: 'the one case that was repeated' });
    }
  }
  await runCombinations(phase, work);
  await work.combinations.lookBack().catch(ifUntested);
  return findings;
}

/** How many laws run beside each other. */
function widthOf(phase: Phase, subject: Subject): number {
  if (subject.facts.oneAtATime !== undefined) return 1;
  if (phase === 'plain' || phase === 'wrong-credentials') return subject.concurrency;
  // Real time passes for all at once; a clock that is moved is moved for one at a time.
  return phase === 'clock' && !subject.clock.isInstant ? subject.concurrency : 1;
}

function unfinished(law: Law): Finding {
  return {
    requirement: law.requirement,
    check: law.id,
    engine: 'laws',
    outcome: 'untested',
    through: 'target',
    message: 'the run ended before this check',
  };
}

async function look(observer: Observer, subject: Subject): Promise<Observation> {
  const { requirement } = observer;
  try {
    return { requirement, ...(await observer.observe(new Trial(subject))) };
  } catch (error) {
    return { requirement, answer: 'not observed', evidence: error instanceof Error ? error.message : String(error) };
  }
}
