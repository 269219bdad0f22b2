import { staleSentence } from './baseline.js';
import { byStep } from './document.js';
import { clip, visible, xml } from './escape.js';
import { counterexamples, explanation } from './finding.js';
import { headline, skippedRequirements } from './headline.js';
import type { Report, ReportRequirement } from './report.js';
import { failsStrictly } from './verdict.js';
import { skippedBecause } from './words.js';

interface JunitOptions {
  /** Warnings and untested MUSTs are failures, as they are for the exit code. */
  readonly strict?: boolean;
  /** The JSON report that is written beside, for a replay. */
  readonly json?: string | undefined;
}

/** One test case of JUnit. */
export interface Case {
  readonly className: string;
  readonly name: string;
  readonly kind: 'pass' | 'failure' | 'error' | 'skipped';
  readonly type?: string;
  readonly message?: string;
  readonly text?: string;
  readonly output?: string;
  readonly tookMs?: number;
}

/** JUnit XML: a test suite per step, a test case per requirement. It is red whenever the exit code is not 0, for CI systems that see nothing else. */
export function junitReport(report: Report, options: JunitOptions = {}): string {
  return junitXml(`hydrauth ${clip(report.target.url, 500)}`, report, junitSuites(report, options));
}

type Suite = { readonly name: string; readonly cases: readonly Case[] };

export function junitSuites(report: Report, { strict = report.kit.strict === true, json }: JunitOptions): Suite[] {
  const shareOf = wallTimes(report);
  const skipped = skippedRequirements(report).map(
    (id): Case => ({ className: `hydrauth.${id.split('.')[0]}`, name: id, kind: 'skipped', message: skippedBecause }),
  );
  return [
    ...byStep(report.requirements).map(({ step, title, rows }) => ({
      name: title,
      cases: rows.map((row) => ({
        ...{ className: `hydrauth.${step}`, name: row.id, tookMs: shareOf(row) },
        ...resultOf(row, { strict, json }),
      })),
    })),
    { name: 'Skipped', cases: skipped },
    { name: 'Run', cases: runCases(report, strict) },
  ].filter(({ cases }) => cases.length > 0);
}

export function junitXml(name: string, run: Pick<Report, 'startedAt' | 'durationMs'>, suites: readonly Suite[]): string {
  const began = xml(run.startedAt.replace(/\.\d+Z$|Z$/, ''));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(name)}" ${tallies(suites.flatMap(({ cases }) => cases))} time="${seconds(run.durationMs)}">`,
    ...suites.flatMap(({ name: suite, cases }) => [
      `  <testsuite name="${xml(suite)}" ${tallies(cases)} time="${seconds(cases.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0))}" timestamp="${began}">`,
      ...cases.map(caseXml),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

/**
 * How much of the run each requirement took. Checks run beside each other and their own times add up to more, so each gets its share,
 * in whole milliseconds whose sum is that of the run.
 */
function wallTimes({ requirements, durationMs }: Report): (requirement: ReportRequirement) => number {
  const own = ({ checks }: ReportRequirement) => checks.reduce((sum, { durationMs: ms = 0 }) => sum + ms, 0);
  const all = requirements.reduce((sum, each) => sum + own(each), 0);
  const upTo = (ms: number) => (all === 0 ? 0 : Math.round((ms / all) * durationMs));
  const shares = new Map<ReportRequirement, number>();
  let before = 0;
  for (const each of requirements) {
    shares.set(each, upTo(before + own(each)) - upTo(before));
    before += own(each);
  }
  return (requirement) => shares.get(requirement) ?? 0;
}

function tallies(cases: readonly Case[]): string {
  const of = (kind: Case['kind']) => cases.filter((each) => each.kind === kind).length;
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"`;
}

function resultOf(requirement: ReportRequirement, { strict, json }: JunitOptions): Omit<Case, 'className' | 'name' | 'tookMs'> {
  const { outcome, level, reason = '', restsOn } = requirement;
  const [check] = counterexamples(requirement);
  const found = clip(check?.message ?? check?.actual ?? requirement.statement, 2000);
  const text = explanation(requirement, { json });
  if (outcome === 'fail' || (strict === true && failsStrictly(requirement)))
    return { kind: 'failure', type: level, message: outcome === 'untested' ? reason : found, text };
  if (outcome === 'untested') return { kind: 'skipped', message: reason };
  if (outcome === 'known-failure') return { kind: 'skipped', message: `Known failure: ${reason}`, output: text };
  if (outcome === 'warn' || outcome === 'flaky')
    return { kind: 'pass', output: `${outcome === 'warn' ? 'Warning' : 'Flaky'}: ${found}\n${text}` };
  return { kind: 'pass', ...(restsOn === undefined ? {} : { output: `Based on: ${clip(restsOn, 2000)}` }) };
}

/** Cases for what is to be known beside requirements: no verdict, an incomplete run, cases left out, a stale baseline. */
function runCases(report: Report, strict: boolean): Case[] {
  const { word, sentence } = headline(report);
  const verdict = { name: 'verdict', type: report.verdict, message: `${word}: ${sentence}` };
  const hasVerdict = report.verdict !== 'error' && report.verdict !== 'incomplete';
  return [
    ...(hasVerdict ? [] : [{ ...verdict, kind: 'error' as const }]),
    ...(report.verdict === 'conformant' && report.cases?.leftOut !== undefined
      ? [{ ...verdict, kind: strict ? 'failure' : 'skipped' } as const]
      : []),
    ...(report.staleBaseline ?? []).map((id) => ({
      ...{ name: `baseline ${id}`, kind: 'failure' as const, type: 'baseline', message: staleSentence(id) },
    })),
  ].map((each) => ({ className: 'hydrauth.run', ...each }));
}

function caseXml({ className, name, kind, type, message = '', text = '', output, tookMs = 0 }: Case): string {
  const typed = type === undefined ? '' : ` type="${xml(type)}"`;
  const inner = [
    ...(kind === 'pass' ? [] : [`      <${kind}${typed} message="${xml(clip(message, 2000))}">${xmlText(text)}</${kind}>`]),
    ...(output === undefined ? [] : [`      <system-out>${xmlText(output)}</system-out>`]),
  ];
  const head = `    <testcase classname="${xml(className)}" name="${xml(name)}" time="${seconds(tookMs)}"`;
  return inner.length === 0 ? `${head}/>` : [`${head}>`, ...inner, '    </testcase>'].join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function xmlText(text: string): string {
  return visible(text).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
