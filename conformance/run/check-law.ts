import fc from 'fast-check';
import { count } from '../../spec/index.js';
import type { SharedClock } from '../clock/index.js';
import { truncateBodies } from '../evidence/index.js';
import { type Finding, mostKinds, severityOf, told, triesAlone } from '../finding.js';
import type { Law } from '../laws/index.js';
import { type Subject, Trial, Untested, Violation } from '../subject/index.js';
import { isSideBySide, outcomeOf, type Tried, tryCases } from './cases.js';
import { seedOf } from './seed.js';

export interface How {
  readonly runs: number;
  /** Only the plainest case of each law, which is its first. */
  readonly once?: boolean;
  readonly seed: number;
}

/** A law and what became of its cases. */
export interface Checked {
  readonly law: Law;
  /** How many cases there are: the examples, which are chosen, then the random ones. */
  readonly planned: number;
  readonly examples: number;
  readonly tried: readonly Tried<unknown>[];
  readonly tookMs: number;
}

/** Tries after a failure, to shrink it: enough for a short chain, and no longer than a slow target allows. */
const shrinkTries = 40;
const shrinkMs = 4000;

/** Tries the examples of a law and its random cases. */
export async function checkLaw(law: Law, subject: Subject, how: How, alone = false, line?: SharedClock): Promise<Checked> {
  const beganMs = performance.now();
  const cases = casesOf(law, subject, how);
  const values = fc.sample(propertyOf(law, subject), cases).map(([value]) => value);
  const tried = await tryCases(law, values, subject, alone, line);
  return { law, planned: values.length, examples: cases.examples.length, tried, tookMs: performance.now() - beganMs };
}

/** What became of a law, with the time that it took. */
export async function tellLaw(checked: Checked, subject: Subject, how: How): Promise<Finding[]> {
  const beganMs = performance.now();
  const came = await withoutGaps(checked, subject, how);
  const [first, ...others] = await findingsOf(came, subject, how);
  const durationMs = Math.round(checked.tookMs + performance.now() - beganMs);
  const run = came.tried.filter(({ outcome }) => !(outcome instanceof Untested)).length;
  return first === undefined ? [] : [{ ...first, cases: { planned: came.planned, run }, durationMs }, ...others];
}

/** What came to nothing beside others is tried once more with nothing beside it: all of it, or the examples, none of which may be missing. */
async function withoutGaps(checked: Checked, subject: Subject, how: How): Promise<Checked> {
  const { law, examples } = checked;
  if (checked.tried.every(({ outcome }) => outcome instanceof Untested)) return checkLaw(law, subject, how, true);
  const tried: Tried<unknown>[] = [];
  for (const each of checked.tried) {
    const isGap = each.index < examples && each.outcome instanceof Untested && each.outcome.through === 'target';
    tried.push(isGap ? { ...each, outcome: await outcomeOf(law, each.value, new Trial(subject)) } : each);
  }
  return { ...checked, tried };
}

/** Tries with nothing beside it what failed, and shrinks what fails again. */
async function findingsOf(came: Checked, subject: Subject, how: How): Promise<Finding[]> {
  const { law } = came;
  const failed = kindsOf(came.tried);
  if (failed.length === 0) return [passOrUntested(came, how)];
  const wasBeside = law.phase === 'plain' || isSideBySide(law, subject);
  const expected = failed.map(({ outcome }) => (outcome as Violation).expected);
  const findings: Finding[] = [];
  for (const { index, value, outcome } of failed) {
    const seen = failureOf(law, outcome as Violation, how);
    const again = await repeatCase(law, String(index), subject, how, expected).catch((error: unknown) => {
      if (error instanceof Untested) return seen;
      throw error;
    });
    findings.push(again === undefined ? await notAgain(seen, came, value, wasBeside, subject, how) : inDoubt(again, law));
  }
  // What was shrunk to the same example is the same kind.
  const kinds = [...new Map(findings.map((each) => [`${each.expected} ${each.doubt}`, { ...each, rate: rateOf(came) }])).values()];
  return kinds.sort((one, other) => severityOf(other) - severityOf(one));
}

/** How many of the cases that said something failed. */
function rateOf({ tried }: Checked): NonNullable<Finding['rate']> {
  const said = tried.filter(({ outcome }) => !(outcome instanceof Untested));
  return { failed: said.filter(({ outcome }) => outcome instanceof Violation).length, of: said.length };
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
  // With a clock it may take long, and wrong credentials are given to an account but a few times.
  if (law.phase !== 'plain' && law.phase !== 'history') return wasBeside ? { ...finding, doubt: 'beside others' } : inDoubt(finding, law);
  const failed = tried.filter(({ outcome }) => outcome instanceof Violation).length;
  const again = failed === 1 && (await holdsAgain(law, value, wasBeside, subject, how)) ? { heldAgain: triesAlone } : {};
  return { ...finding, doubt: wasBeside ? 'beside others' : 'not again', ...again };
}

/** Whether a case that held once holds as often as it is tried, alone and, where it failed so, beside the others of its law. */
async function holdsAgain(law: Law, value: unknown, wasBeside: boolean, subject: Subject, how: How): Promise<boolean> {
  for (let more = 1; more < triesAlone; more += 1) if ((await outcomeOf(law, value, new Trial(subject))) !== 'held') return false;
  return !wasBeside || (await checkLaw(law, subject, how)).tried.every(({ outcome }) => !(outcome instanceof Violation));
}

function inDoubt(finding: Finding, { isDoubtful }: Law): Finding {
  return isDoubtful === true ? { ...finding, doubt: 'other causes' } : finding;
}

/**
 * One case alone, by the path that leads to it, shrunk, but not into another of the kinds told; undefined when it does not fail. Where
 * the call leaves no room for it, such as a budget that is spent, that is thrown.
 */
export async function repeatCase(
  law: Law,
  path: string,
  subject: Subject,
  how: How,
  kinds: readonly string[] = [],
): Promise<Finding | undefined> {
  const [place, replayPath] = path.split('#');
  let kind: string | undefined;
  let failedAtMs = 0;
  let tries = -1;
  let noRoom: Untested | undefined;
  const property = propertyOf(law, subject, replayPath, async (value) => {
    if (tries >= 0 && (++tries > shrinkTries || performance.now() - failedAtMs > shrinkMs)) return;
    const outcome = await outcomeOf(law, value, new Trial(subject));
    if (outcome instanceof Untested && outcome.through !== 'target') noRoom = outcome;
    if (!(outcome instanceof Violation)) return;
    kind ??= outcome.expected;
    if (outcome.expected !== kind && kinds.includes(outcome.expected)) return;
    if (tries < 0) [tries, failedAtMs] = [0, performance.now()];
    throw outcome;
  });
  const details = await fc.check(property, { ...casesOf(law, subject, how), path: place ?? '0', numRuns: 1 });
  const error: unknown = details.failed ? details.errorInstance : undefined;
  if (!(error instanceof Violation)) {
    if (noRoom !== undefined) throw noRoom;
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

function casesOf(law: Law, subject: Subject, { runs, seed, once = false }: How) {
  const examples = (law.examples?.(subject) ?? []).map((example): [unknown] => [example]);
  if (once) return { seed: seedOf(seed, law.id), numRuns: 1, examples: examples.slice(0, 1) };
  const random = law.randomCases?.(runs, subject) ?? runs;
  return { seed: seedOf(seed, law.id), numRuns: Math.max(1, examples.length + random), examples };
}

/** Each way of failing once. */
function kindsOf(tried: readonly Tried<unknown>[]): Tried<unknown>[] {
  const kinds = new Map<string, Tried<unknown>>();
  for (const each of tried)
    if (each.outcome instanceof Violation && !kinds.has(each.outcome.expected)) kinds.set(each.outcome.expected, each);
  return [...kinds.values()].slice(0, mostKinds);
}

function failureOf({ requirement, id }: Law, { expected, actual, chain, about, given }: Violation, { seed }: How): Finding {
  return {
    requirement,
    check: id,
    engine: 'laws',
    outcome: 'fail',
    expected,
    actual,
    message: told(expected, actual),
    chain: truncateBodies(chain ?? []),
    seed,
    rate: { failed: 1, of: 1 },
    ...(about === undefined ? {} : { about }),
    ...(given === undefined ? {} : { given }),
  };
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
  const message = first?.message ?? 'no case could be run';
  return {
    ...finding,
    outcome: 'untested',
    message: held === 0 ? message : `${count(reasons.length, 'case')} could not be run (${planned} planned): ${message}`,
    through: first?.through ?? (phase === 'clock' ? 'call' : 'target'),
  };
}
