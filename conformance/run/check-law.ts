import fc from 'fast-check';
import { count, OptionError } from '../../spec/index.js';
import { SharedClock } from '../clock/index.js';
import { truncateBodies } from '../evidence/index.js';
import { isOfGateway } from '../expect/index.js';
import { type Finding, failure, lastOf, mostKinds, present, severityOf, triesAlone } from '../finding.js';
import type { Law } from '../laws/index.js';
import { inParallel } from '../parallel.js';
import { type Subject, Trial, Untested, Violation } from '../subject/index.js';

export interface How {
  readonly runs: number;
  /** Only the plainest case of each law, which is its first. */
  readonly once?: boolean;
  readonly seed: number;
}

/** What became of one case of a law. */
interface Tried<Outcome = 'held' | Untested | Violation> {
  /** Its number among the cases of the law, by which it can be repeated. */
  readonly index: number;
  readonly value: unknown;
  readonly outcome: Outcome;
}

export interface Checked {
  readonly law: Law;
  /** How many cases there are: the examples, which are chosen, then the random ones. */
  readonly planned: number;
  readonly examples: number;
  readonly tried: readonly Tried[];
  readonly tookMs: number;
}

/** Cases of one law under way at a time; the client bounds how many requests of all laws are. */
const width = 4;
/** A law none of whose first cases could be tried is not tried further. */
const hopelessTries = 3;
/** So many violations show what there is to show. */
const enoughViolations = 12;
/** Tries after a failure, to shrink it: enough for a short chain, and no longer than a slow target allows. */
const shrinkTries = 40;
const shrinkMs = 4000;

const isViolated = (each: Tried): each is Tried<Violation> => each.outcome instanceof Violation;
const saysSomething = ({ outcome }: Tried) => !(outcome instanceof Untested);

/** Which laws try their cases side by side: no histories. Accounts that are given wrong credentials are borrowed for it. */
export function isSideBySide(law: Pick<Law, 'phase' | 'sharesClock'>, { concurrency, clock, facts, oracle }: Subject): boolean {
  if (concurrency === 1 || facts.oneAtATime !== undefined) return false;
  if (law.phase === 'clock') return !clock.isInstant || (law.sharesClock !== undefined && !oracle.tokens.hasRepetitions);
  return law.phase !== 'history';
}

/** Tries the examples of a law and its random cases, side by side where that is fair. */
export async function checkLaw(
  law: Law,
  subject: Subject,
  how: How,
  alone = false,
  line = new SharedClock((ms) => subject.clock.advance(ms)),
): Promise<Checked> {
  const beganMs = performance.now();
  const cases = casesOf(law, subject, how);
  const values = fc.sample(propertyOf(law, subject), cases).map(([value]) => value);
  const indexes = [...values.keys()];
  const tried: Tried[] = [];
  const isPointless = () => {
    const violations = tried.filter(isViolated).length;
    return violations >= enoughViolations || (tried.length >= hopelessTries && !tried.some(saysSomething));
  };
  const attempt = async (index: number, how: ConstructorParameters<typeof Trial>[1] = {}) => {
    if (isPointless()) return;
    const value = values[index];
    tried.push({ index, value, outcome: await outcomeOf(law, value, new Trial(subject, how)) });
  };
  if (alone || !isSideBySide(law, subject)) for (const index of indexes) await attempt(index);
  else if (law.phase !== 'clock')
    await inParallel(indexes, Math.min(subject.concurrency, width), (index) => attempt(index, { sharesNonces: true }));
  // Real time passes for all anyway; a clock that is moved is moved for all at once.
  else if (!subject.clock.isInstant) await Promise.all(indexes.map((index) => attempt(index)));
  else await Promise.all(indexes.map((index) => line.take((moveClock) => attempt(index, { moveClock }))));
  return { law, planned: values.length, examples: cases.examples.length, tried, tookMs: performance.now() - beganMs };
}

/** What goes wrong in the judge itself says nothing of the target. */
async function outcomeOf(law: Law, value: unknown, trial: Trial): Promise<Tried['outcome']> {
  try {
    await law.judge(trial, value, trial.subject).finally(() => trial.subject.onCase?.(law.id, trial.chain));
    return 'held';
  } catch (error) {
    if (error instanceof Violation)
      return error.chain === undefined ? new Violation(error.expected, error.actual, trial.chain, error.about, error.given) : error;
    return error instanceof Untested
      ? error
      : new Untested(`the check itself failed with an error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export async function tellLaw(checked: Checked, subject: Subject, how: How): Promise<Finding[]> {
  const beganMs = performance.now();
  const came = await withoutGaps(checked, subject, how);
  const [first, ...others] = await findingsOf(came, subject, how);
  const durationMs = Math.round(checked.tookMs + performance.now() - beganMs);
  const cases = { planned: came.planned, run: came.tried.filter(saysSomething).length };
  return first === undefined ? [] : [{ ...first, cases, durationMs }, ...others];
}

/** What came to nothing beside others is tried once more with nothing beside it: all of it, or the examples, none of which may be missing. */
async function withoutGaps(checked: Checked, subject: Subject, how: How): Promise<Checked> {
  const { law, examples } = checked;
  if (!checked.tried.some(saysSomething)) return checkLaw(law, subject, how, true);
  const tried: Tried[] = [];
  for (const each of checked.tried) {
    const isGap = each.index < examples && each.outcome instanceof Untested && each.outcome.through === 'target';
    tried.push(isGap ? { ...each, outcome: await outcomeOf(law, each.value, new Trial(subject)) } : each);
  }
  return { ...checked, tried };
}

/** Tries with nothing beside it what failed, and shrinks what fails again. */
async function findingsOf(came: Checked, subject: Subject, how: How): Promise<Finding[]> {
  const { law, tried } = came;
  const violated = tried.filter(isViolated);
  const isFirst = ({ outcome }: Tried<Violation>, at: number) =>
    violated.findIndex((other) => other.outcome.expected === outcome.expected) === at;
  const kinds = violated.filter(isFirst).slice(0, mostKinds);
  if (kinds.length === 0) return [passOrUntested(came, how)];
  const rate = { failed: violated.length, of: tried.filter(saysSomething).length };
  const wasBeside = law.phase === 'plain' || isSideBySide(law, subject);
  const expected = kinds.map(({ outcome }) => outcome.expected);
  const findings: Finding[] = [];
  for (const { index, value, outcome } of kinds) {
    const seen = failureOf(law, outcome, how);
    const again = await repeatCase(law, String(index), subject, how, expected).catch((error: unknown) => {
      if (!(error instanceof Untested)) throw error;
      return error.through === 'target' ? undefined : seen;
    });
    findings.push(again === undefined ? await notAgain(seen, came, value, wasBeside, subject, how) : inDoubt(again, law));
  }
  // What was shrunk to the same example is the same kind.
  const distinct = new Map(findings.map((each) => [`${each.expected} ${each.doubt}`, { ...each, rate }]));
  return [...distinct.values()].sort((one, other) => severityOf(other) - severityOf(one));
}

/** A history that fails once may have met what fails now and then, of which another row speaks. */
async function notAgain(
  finding: Finding,
  { law, tried }: Checked,
  value: unknown,
  wasBeside: boolean,
  subject: Subject,
  how: How,
): Promise<Finding> {
  if (isOfGateway(lastOf(finding.chain)?.answer)) return { ...finding, doubt: 'not again' };
  // With a clock it may take long, and wrong credentials are given to an account but a few times.
  if (law.phase !== 'plain' && law.phase !== 'history') return wasBeside ? { ...finding, doubt: 'beside others' } : inDoubt(finding, law);
  const isOnly = tried.filter(isViolated).length === 1;
  const again = isOnly && (await holdsAgain(law, value, wasBeside, subject, how)) ? { heldAgain: triesAlone } : {};
  return { ...finding, doubt: wasBeside ? 'beside others' : 'not again', ...again };
}

/** Whether a case that held once holds as often as it is tried, alone and, where it failed so, beside the others of its law. */
async function holdsAgain(law: Law, value: unknown, wasBeside: boolean, subject: Subject, how: How): Promise<boolean> {
  for (let more = 1; more < triesAlone; more += 1) if ((await outcomeOf(law, value, new Trial(subject))) !== 'held') return false;
  return !wasBeside || !(await checkLaw(law, subject, how)).tried.some(isViolated);
}

function inDoubt(finding: Finding, { isDoubtful }: Law): Finding {
  return isDoubtful === true ? { ...finding, doubt: 'other causes' } : finding;
}

/**
 * One case alone, by the path that leads to it, shrunk, but not into another of the kinds told; undefined when it holds. Why it could not
 * be tried, such as a budget that is spent, is thrown, and so is a path without such a case.
 */
export async function repeatCase(
  law: Law,
  path: string,
  subject: Subject,
  how: How,
  kinds: readonly string[] = [],
): Promise<Finding | undefined> {
  const [place = '0', replayPath] = path.split('#');
  let nothing: Error | undefined = new OptionError('replay', `${JSON.stringify(path.slice(0, 80))} leads to no case of ${law.id}`);
  // A report that somebody else wrote may name one to which no walk comes in a lifetime.
  if (!/^\d{1,7}(:\d{1,7})*$/.test(place)) throw nothing;
  let kind: string | undefined;
  let failedAtMs = 0;
  let tries = -1;
  const property = propertyOf(law, subject, replayPath, async (value) => {
    if (tries >= 0 && (++tries > shrinkTries || performance.now() - failedAtMs > shrinkMs)) return;
    const outcome = await outcomeOf(law, value, new Trial(subject));
    nothing = outcome instanceof Untested ? outcome : undefined;
    if (!(outcome instanceof Violation)) return;
    kind ??= outcome.expected;
    if (outcome.expected !== kind && kinds.includes(outcome.expected)) return;
    if (tries < 0) [tries, failedAtMs] = [0, performance.now()];
    throw outcome;
  });
  const walk = async () => fc.check(property, { ...casesOf(law, subject, how), path: place, numRuns: 1 });
  const details = await walk().catch((error: unknown) => {
    throw nothing ?? error;
  });
  const error: unknown = details.failed ? details.errorInstance : undefined;
  if (!(error instanceof Violation)) {
    if (nothing !== undefined) throw nothing;
    return undefined;
  }
  const steps = /replayPath="([^"]*)"/.exec(fc.stringify(details.counterexample))?.[1];
  const example = law.words?.(details.counterexample?.[0], subject) ?? '';
  return {
    ...failureOf(law, error, how),
    path: `${details.counterexamplePath ?? place}${steps === undefined ? '' : `#${steps}`}`,
    ...(example === '' ? {} : { example }),
  };
}

function propertyOf(law: Law, subject: Subject, replayPath?: string, judge: (value: unknown) => Promise<void> = async () => {}) {
  return fc.asyncProperty(law.given(subject, replayPath), judge);
}

function casesOf(law: Law, subject: Subject, { runs, seed: ofRun, once = false }: How) {
  // A seed of its own for every law, so that a law repeats alone what it did in the whole run (FNV-1a).
  let seed = 0x811c9dc5 ^ ofRun;
  for (let at = 0; at < law.id.length; at += 1) seed = Math.imul(seed ^ law.id.charCodeAt(at), 0x01000193);
  const examples = (law.examples?.(subject) ?? []).map((example): [unknown] => [example]);
  if (once) return { seed: seed | 0, numRuns: 1, examples: examples.slice(0, 1) };
  const random = law.randomCases?.(runs, subject) ?? Math.ceil(runs / 10);
  return { seed: seed | 0, numRuns: Math.max(1, examples.length + random), examples };
}

function failureOf({ requirement, id }: Law, { expected, actual, chain = [], about, given }: Violation, { seed }: How): Finding {
  const shown = { chain: truncateBodies(chain), seed, rate: { failed: 1, of: 1 } };
  return failure(requirement, id, expected, actual, { ...shown, ...present({ about, given }) });
}

/** A law holds where all of its examples do: each stands for a way of violating its row that nothing else shows. */
function passOrUntested({ law, planned, examples, tried }: Checked, { seed }: How): Finding {
  const { requirement, id, phase } = law;
  const held = tried.filter(({ outcome }) => outcome === 'held').length;
  const finding = { requirement, check: id, engine: 'laws', seed } as const;
  const reasons = tried.flatMap(({ index, outcome }) => (outcome instanceof Untested && (held === 0 || index < examples) ? [outcome] : []));
  const cut = reasons.filter(({ through }) => through === 'budget').length;
  const first = reasons.find(({ through }) => through !== 'budget') ?? (held === 0 ? reasons[0] : undefined);
  if (held > 0 && first === undefined)
    return { ...finding, outcome: 'pass', restsOn: `${count(held, 'case')}${cut === 0 ? '' : `; the budget left out ${cut} more`}` };
  const said = (message: string) =>
    held === 0 ? message : `${count(reasons.length, 'case')} could not be run (${planned} planned): ${message}`;
  const { message = 'no case could be run', see, through = phase === 'clock' ? 'call' : 'target' }: Partial<Untested> = first ?? {};
  const pointing = see && { rows: see.rows, otherwise: said(see.otherwise) };
  return { ...finding, outcome: 'untested', message: said(message), ...present({ see: pointing }), through };
}
