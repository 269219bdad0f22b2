import { SharedClock } from '../clock/index.js';
import { type Combinations, overTime, withWrongCredentials } from '../combinations/index.js';
import { type Finding, type Observation, present, untested } from '../finding.js';
import { history } from '../history/index.js';
import { laws as allLaws, answerLaws, type Law, type Phase, traffic } from '../laws/index.js';
import { observers as allObservers, type Observer } from '../observe/index.js';
import type { RunOptions } from '../options.js';
import { inParallel } from '../parallel.js';
import type { NewmanProcess } from '../postman/index.js';
import { selectedIds, stepTitles } from '../report/index.js';
import { ifUntested, type Role, type Subject, Trial, Untested } from '../subject/index.js';
import type { Allowance } from './allowance.js';
import type { AnswerMonitor } from './answer-monitor.js';
import { type Checked, checkLaw, type How, isSideBySide, repeatCase, tellLaw } from './check-law.js';
import { keepNonces } from './probes.js';
import type { ProgressTeller } from './progress.js';
import type { OpenTarget } from './target.js';
import type { ConformanceOptions } from './validate-options.js';

/** What the parts of a run share. */
export interface Run {
  readonly options: RunOptions;
  readonly selection: ReturnType<typeof select>;
  /** Cases to repeat instead of all that the laws would try. */
  readonly replay: ConformanceOptions['replay'];
  readonly signal: AbortSignal | undefined;
  readonly target: OpenTarget;
  readonly monitor: AnswerMonitor;
  readonly allowance: Allowance;
  readonly progress: ProgressTeller;
  readonly newman: NewmanProcess | undefined;
}

/** What a run is asked to judge, and what it tries for that. */
export function select(options: RunOptions, replay: ConformanceOptions['replay']) {
  const rows: ReadonlySet<string> = new Set(selectedIds(options));
  const withLaws = options.engines.includes('laws');
  const isSelected = ({ requirement }: { readonly requirement: string }) => withLaws && rows.has(requirement);
  const isRepeated = ({ id }: Law) => replay === undefined || replay.some(({ check }) => check === id);
  const isAskedFor = ({ leastRuns = 0 }: Law) => options.runs >= leastRuns;
  const { catalogue } = options.spec;
  const judged = answerLaws.filter(isSelected);
  // What is judged of every refusal shows only where the laws of that step bring refusals about.
  const ofRefusals = judged.filter(({ roles }) => !roles.some((role) => role === 'challenge' || role === 'exchange' || role === 'use'));
  const steps = new Set(ofRefusals.map(({ requirement }) => catalogue.requirement(requirement).step));
  const isNeeded = (law: Law) => isSelected(law) || steps.has(catalogue.requirement(law.requirement).step);
  const laws = [...allLaws, history as Law].filter((law) => isNeeded(law) && isAskedFor(law) && isRepeated(law));
  const observers = options.auth === 'on' ? allObservers.filter(isSelected) : [];
  const part = laws.length / allLaws.length;
  return { rows, withLaws, laws, part, answerLaws: judged, observers };
}

export interface Work {
  readonly laws: readonly Law[];
  readonly observers: readonly Observer[];
  readonly combinations: Combinations;
  /** Roles whose answers some law wants to look at. */
  readonly roles: ReadonlySet<Role>;
  readonly how: How;
  readonly told: (findings: readonly Finding[]) => void;
}

export interface Found {
  readonly findings: Finding[];
  readonly observations: Observation[];
}

const isStopped = ({ signal, target, allowance }: Run) =>
  signal?.aborted === true || target.patience.over !== undefined || allowance.hasBailed;

/** Runs the laws of one phase and its combinations, and looks at what the source leaves open. Nothing is tried alone before what goes on beside it has ended. */
export async function runPhase(phase: Phase, run: Run, work: Work, besideIt?: Promise<void>): Promise<Found> {
  const { target: subject, progress, options } = run;
  const { how, combinations } = work;
  const laws = work.laws.filter((law) => law.phase === phase);
  if (run.replay !== undefined) return { findings: await replayPhase(phase, laws, run, work), observations: [] };
  const width = widthOf(phase, subject);
  const check = async (law: Law, line?: SharedClock): Promise<Checked> => {
    const checked = isStopped(run)
      ? { law, planned: 0, examples: 0, tried: [], tookMs: 0 }
      : await checkLaw(law, subject, how, false, line);
    if (how.once !== true) progress.ended(stepTitles[options.spec.catalogue.requirement(law.requirement).step]);
    return checked;
  };
  // Logins that were refused before are not to add up with wrong ones beside each other.
  if (phase === 'wrong-credentials' && !isStopped(run)) await new Trial(subject).loginAside().catch(ifUntested);
  const line = new SharedClock((ms) => subject.clock.advance(ms));
  const when = (afterOthers: Law['afterOthers']) => laws.filter((law) => law.afterOthers === afterOthers);
  const presentKept = phase === 'plain' && width > 1 ? await keepNonces(subject) : undefined;
  const checked: Checked[] = [];
  const findings: Finding[] = [];
  // Where a few violations are enough, what was tried so far is looked into before more is tried.
  const isHasty = options.bail !== undefined;
  /** What failed beside others is tried again alone, one law after another. */
  const lookBack = async () => {
    if (!isStopped(run)) await combinations.lookBack().catch(ifUntested);
    for (const each of checked.splice(0)) {
      const isCut = isStopped(run) && each.tried.length === 0;
      const came = isCut ? [untested(about(each.law), 'the run ended before this check', 'target')] : await tellLaw(each, subject, how);
      findings.push(...came);
      work.told(came);
    }
    if (isHasty) work.told([...combinations.findings(), ...(await run.monitor.findings())]);
  };
  const parts = [
    async () => void checked.push(...(await checkAll(when(undefined), width, subject, check, line))),
    () => sendTraffic(phase, run, work),
    () => runCombinations(phase, run, combinations, isHasty ? lookBack : undefined),
  ];
  // Where the clock is moved, one thing happens at a time.
  const isOneByOne = isHasty || width === 1;
  await inParallel(parts, isOneByOne ? 1 : parts.length, (part) => part().then(isHasty ? lookBack : undefined));
  await presentKept?.();
  await besideIt;
  if (!isStopped(run)) await combinations.lookBack().catch(ifUntested);
  const observers = isStopped(run) ? [] : work.observers.filter((observer) => observer.phase === phase);
  const observations: Observation[] = [];
  const isShared = subject.clock.isInstant && isSideBySide({ phase, sharesClock: 'with others' }, subject);
  const observe = async () => {
    const seen = isShared
      ? Promise.all(observers.map((observer) => line.take((moveClock) => look(observer, subject, moveClock))))
      : inParallel(observers, width, (observer) => look(observer, subject));
    observations.push(...(await seen));
  };
  const afterwards = async () => void checked.push(...(await inParallel(when(true), width, (law) => check(law))));
  // Observers leave refusals behind, to which wrong credentials beside them would add.
  await inParallel([afterwards, observe], isOneByOne || phase === 'wrong-credentials' ? 1 : 2, (part) => part());
  for (const law of when('at the end')) checked.push(await check(law));
  await lookBack();
  return { findings, observations };
}

const about = ({ requirement, id }: Law) => ({ requirement, check: id, engine: 'laws' }) as const;

/** One after another or beside each other; those that share the moves of the clock, on one time line when the others are done. */
async function checkAll(
  laws: readonly Law[],
  width: number,
  subject: Subject,
  check: (law: Law, line?: SharedClock) => Promise<Checked>,
  line: SharedClock,
): Promise<Checked[]> {
  const isSharing = (law: Law) => subject.clock.isInstant && law.sharesClock === 'with others' && isSideBySide(law, subject);
  const sharing = laws.filter(isSharing);
  const alone = laws.filter((law) => !sharing.includes(law));
  const others = await inParallel(alone, width, (law) => check(law));
  return [...others, ...(await Promise.all(sharing.map((law) => check(law, line))))];
}

async function runCombinations(phase: Phase, run: Run, combinations: Combinations, lookBack?: () => Promise<void>): Promise<void> {
  if (isStopped(run)) return;
  if (phase === 'plain') await combinations.atAnyTime(lookBack).catch(ifUntested);
  else if (phase === 'clock') await overTime(combinations).catch(ifUntested);
  else if (phase === 'wrong-credentials') await withWrongCredentials(combinations).catch(ifUntested);
}

async function sendTraffic(phase: Phase, run: Run, { roles, combinations }: Work): Promise<void> {
  const { target: subject } = run;
  // Where every combination is tried, it is among them.
  if (combinations.tuples > 0 && subject.facts.challengeStatus !== undefined) return;
  // Nothing that may change anything goes to a service that is open.
  const isMeant = (role: Role) => phase === 'plain' && roles.has(role) && (role === 'unguarded') === subject.facts.off;
  for (const { sendings, send } of traffic.filter(({ role }) => isMeant(role)))
    await inParallel(sendings(subject), widthOf(phase, subject), async (sending) => {
      if (!isStopped(run)) await send(new Trial(subject), sending).catch(ifUntested);
    });
}

async function replayPhase(phase: Phase, laws: readonly Law[], run: Run, { combinations, how }: Work): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const law of laws)
    for (const { path } of run.replay?.filter(({ check }) => check === law.id) ?? []) {
      if (isStopped(run)) break;
      const again = repeatCase(law, path, run.target, how).catch((error: unknown): Finding => {
        if (!(error instanceof Untested)) throw error;
        return untested(about(law), error, error.through);
      });
      findings.push((await again) ?? { ...about(law), outcome: 'pass', restsOn: 'the one case that was repeated' });
    }
  await runCombinations(phase, run, combinations);
  await combinations.lookBack().catch(ifUntested);
  return findings;
}

/** How many laws run beside each other. */
function widthOf(phase: Phase, { facts, concurrency, clock }: Subject): number {
  // Real time passes for all at once; a clock that is moved is moved for one at a time.
  const isAlone = phase === 'history' || (phase === 'clock' && clock.isInstant);
  return facts.oneAtATime !== undefined || isAlone ? 1 : concurrency;
}

async function look(observer: Observer, subject: Subject, moveClock?: (ms: number) => Promise<void>): Promise<Observation> {
  const { requirement } = observer;
  try {
    const trial = new Trial(subject, { sharesNonces: true, ...present({ moveClock }) });
    return { requirement, ...(await observer.observe(trial)) };
  } catch (error) {
    return { requirement, answer: 'not observed', evidence: error instanceof Error ? error.message : String(error) };
  }
}
