import { Combinations, isCombination } from '../combinations/index.js';
import { capital, type Finding, present, sentence, told, untested } from '../finding.js';
import type { Phase } from '../laws/index.js';
import { type Report, visible } from '../report/index.js';
import type { Role } from '../subject/index.js';
import { type Found, type Run, runPhase, type Work } from './phases.js';
import { startPostman } from './postman.js';
import { collectionWeight } from './progress.js';
import { endedLogins } from './remarks.js';

/** The phases in their order, and what they try. */
const phases = {
  plain: 'requests of every kind',
  clock: 'how long tokens live',
  'wrong-credentials': 'wrong credentials',
  history: 'random sequences of steps',
} as const satisfies Record<Phase, string>;
const phaseNames = Object.keys(phases) as Phase[];

export type Judged = Awaited<ReturnType<typeof judge>>;

/** Runs everything that was selected, phase by phase, against a target that the preflight found fit. `answerMs`: what an answer takes. */
export async function judge(run: Run, answerMs: number) {
  const { options, selection, replay, signal, target, monitor, allowance, progress, newman } = run;
  const { findings, observations }: Found = { findings: [], observations: [] };
  const combinations = combinationsOf(run);
  const planned = combinations.cases.length;
  const room = allowance.room(planned, answerMs);
  combinations.keepFirst(room.combinations);
  progress.expected += combinations.cases.length;
  const work: Work = {
    laws: selection.laws,
    observers: selection.observers,
    combinations,
    roles: new Set(selection.answerLaws.flatMap((law) => law.roles)),
    how: { runs: room.randomCases ? options.runs : 1, seed: options.seed },
    told: violationsTold(run),
  };
  const depths = [{ what: 'before judging', depth: target.client.depth }];
  const engines = room.collection ? options.engines : options.engines.filter((engine) => engine !== 'postman');
  const postman = startPostman({ ...options, engines }, target, selection.rows, [signal ?? [], allowance.signal].flat(), newman);
  if (options.bail !== undefined) work.told(await monitor.findings());
  const plainly = allowance.isLimited && replay === undefined ? await tryPlainly(run, work) : [];
  if (engines.includes('postman')) progress.expected += collectionWeight;
  for (const phase of allowance.hasBailed ? [] : phaseNames) {
    progress.trying(phases[phase]);
    const beside = phase === 'plain' && postman?.isApart && options.bail === undefined ? postman.beforeClock() : undefined;
    const found = await runPhase(phase, run, work, beside);
    findings.push(...found.findings);
    observations.push(...found.observations);
    if (allowance.hasBailed) break;
    // Where the collection uses the account of the laws, it does not run beside them.
    if (phase === 'plain') await (beside ?? postman?.beforeClock());
    depths.push({ what: `for ${phases[phase]}`, depth: target.client.depth });
    if (phase !== 'clock') continue;
    findings.push(...((await postman?.atClock()) ?? []));
    if (options.engines.includes('postman')) progress.ended('the Postman collection', collectionWeight);
  }
  const endings = replay === undefined && selection.withLaws ? await endedLogins(target, selection.rows) : [];
  const { unsteady } = target.facts;
  const own = [
    ...endings,
    ...(unsteady === undefined || replay !== undefined ? [] : [unsteady]),
    ...combinations.findings(),
    ...(replay === undefined ? await monitor.findings() : []),
  ];
  findings.push(...own.filter(({ requirement }) => selection.rows.has(requirement)));
  const { tuples: pairs, cases } = combinations;
  const { strength } = options;
  return {
    observations,
    depths,
    findings: options.budget === undefined && !allowance.hasBailed ? findings : withCut(withPlain(findings, plainly), run),
    coverage: target.facts.challengeStatus === undefined || pairs === 0 ? undefined : { pairs, combinations: cases.length, strength },
    cases: casesOf([...findings, ...plainly], combinations, planned, allowance.isSpent),
    leftOut: allowance.hasBailed ? [sentence(capital(allowance.spent))] : allowance.leftOut(planned, room),
    requests: postman?.requests() ?? 0,
    brokenCollection: postman?.broken(),
  };
}

/** Shows each violated MUST requirement as soon as it is beyond doubt, and ends the run when there are enough of them. */
function violationsTold({ options, selection, allowance, progress, target }: Run): Work['told'] {
  const { catalogue } = options.spec;
  const known = new Set(options.baseline.map(({ requirement }) => requirement));
  const violated = new Set<string>();
  return (findings) => {
    for (const { requirement, outcome, doubt, expected = '', actual = '' } of findings) {
      const isNew = outcome === 'fail' && doubt === undefined && selection.rows.has(requirement) && !violated.has(requirement);
      if (!isNew || known.has(requirement) || catalogue.requirement(requirement).level !== 'MUST') continue;
      violated.add(requirement);
      progress.found(visible(target.redactor.sentence(`${requirement}: ${told(expected, actual)}`)));
    }
    allowance.violated(violated.size);
  };
}

/** Every MUST once, plainly, by one law or one combination: what a budget must not cut before anything is tried deeply. */
async function tryPlainly(run: Run, work: Work): Promise<Finding[]> {
  const { rows } = run.selection;
  const musts = run.options.spec.catalogue.requirements.flatMap(({ id, level }) => (level === 'MUST' && rows.has(id) ? [id] : []));
  const laws = musts.flatMap((id) => work.laws.find(({ requirement }) => requirement === id) ?? []);
  const combinations = combinationsOf(run);
  combinations.keepPlainest(musts);
  const once = { ...work, laws, combinations, how: { ...work.how, once: true }, observers: [], roles: new Set<Role>() };
  const findings: Finding[] = [];
  for (const phase of phaseNames) {
    findings.push(...(await runPhase(phase, run, once)).findings);
    if (run.allowance.hasBailed) break;
  }
  return [...findings, ...combinations.findings().filter(({ requirement }) => rows.has(requirement))];
}

/** What the budget cut stands as it was found by the one plain case, and so does what failed then. */
function withPlain(findings: readonly Finding[], plainly: readonly Finding[]): Finding[] {
  const isCut = ({ outcome, through }: Finding) => outcome === 'untested' && through === 'budget';
  const of = (check: string) => findings.filter((each) => each.check === check);
  const kept = plainly.filter(({ check, outcome }) =>
    of(check).every((each) => isCut(each) || (outcome === 'fail' && each.outcome !== 'fail')),
  );
  const told = new Set(kept.filter((each) => !isCut(each)).map(({ check }) => check));
  return [...findings.filter(({ check }) => !told.has(check)), ...kept.filter(({ check }) => told.has(check))];
}

/** Rows to which nobody came within the budget, unless the target left nothing to come to. */
function withCut(findings: readonly Finding[], { options, selection, allowance, target: { facts } }: Run): Finding[] {
  const said = new Set(findings.map(({ requirement }) => requirement));
  const cut = options.spec.catalogue.requirements.filter(
    ({ id, engines }) => selection.rows.has(id) && selection.withLaws && engines.includes('laws') && !said.has(id),
  );
  const hindrance = allowance.isSpent ? undefined : (facts.noNonce ?? facts.noLogin ?? facts.noUse);
  const [through, because] = hindrance === undefined ? (['budget', allowance.leftOutWords] as const) : (['target', hindrance] as const);
  return [...findings, ...cut.map(({ id }) => untested({ requirement: id, check: id, engine: 'laws' }, because, through))];
}

function combinationsOf({ options, selection, replay, target }: Run): Combinations {
  const { runs, seed, strength } = options;
  const { rows: selected, withLaws, answerLaws } = selection;
  const wanted = (rows: readonly string[], role?: Role) =>
    withLaws && (rows.some((row) => selected.has(row)) || answerLaws.some(({ roles }) => role !== undefined && roles.includes(role)));
  const paths = replay?.filter(isCombination).map(({ path }) => path);
  return new Combinations(target, { runs, seed, strength, wanted, ...present({ paths }) });
}

function casesOf(findings: readonly Finding[], combinations: Combinations, wanted: number, isSpent: boolean): Report['cases'] {
  const tried = combinations.counted();
  const counted = [...findings.flatMap(({ cases }) => cases ?? []), { ...tried, planned: wanted }];
  const planned = counted.reduce((all, each) => all + each.planned, 0);
  const run = counted.reduce((all, each) => all + each.run, 0);
  const leftOut = isSpent ? planned - run : wanted - tried.planned;
  return planned === 0 ? undefined : { planned, run, couldNotRun: planned - run, ...(leftOut === 0 ? {} : { leftOut }) };
}
