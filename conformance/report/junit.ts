import { staleSentence } from './baseline.js';
import { byStep } from './document.js';
import { clip, xml, xmlText } from './escape.js';
import { explained, findingOf } from './finding.js';
import { headline, skippedRequirements } from './headline.js';
import type { Report, ReportRequirement } from './report.js';
import { failsStrictly } from './verdict.js';
import { skippedBecause } from './words.js';

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

type Suite = { readonly name: string; readonly cases: readonly Case[] };
/** The JSON report that is written beside, for a replay. */
type Beside = { readonly json?: string | undefined };

/** JUnit XML: a test suite per step, a test case per requirement. It is red whenever the exit code is not 0, for CI systems that see nothing else. */
export function junitReport(report: Report, beside: Beside = {}): string {
  return junitXml(`hydrauth ${clip(report.target.url, 500)}`, report, junitSuites(report, beside));
}

export function junitSuites(report: Report, { json }: Beside): Suite[] {
  const strict = report.kit.strict === true;
  const took = wallTimes(report);
  return [
    ...byStep(report.requirements).map(({ step, title, rows }) => ({
      name: title,
      cases: rows.map(
        (row): Case => ({ className: `hydrauth.${step}`, name: row.id, tookMs: took.get(row) ?? 0, ...resultOf(row, strict, json) }),
      ),
    })),
    {
      name: 'Skipped',
      cases: skippedRequirements(report).map(
        (id): Case => ({ className: `hydrauth.${id.split('.')[0]}`, name: id, kind: 'skipped', message: skippedBecause }),
      ),
    },
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
function wallTimes({ requirements, durationMs }: Report): ReadonlyMap<ReportRequirement, number> {
  const own = ({ checks }: ReportRequirement) => checks.reduce((sum, { durationMs: ms = 0 }) => sum + ms, 0);
  const all = requirements.reduce((sum, each) => sum + own(each), 0);
  let [before, given] = [0, 0];
  return new Map(
    requirements.map((each) => {
      before += own(each);
      const share = (all === 0 ? 0 : Math.round((before / all) * durationMs)) - given;
      given += share;
      return [each, share];
    }),
  );
}

function tallies(cases: readonly Case[]): string {
  const of = (kind: Case['kind']) => cases.filter((each) => each.kind === kind).length;
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"`;
}

function resultOf(row: ReportRequirement, strict: boolean, json: string | undefined): Omit<Case, 'className' | 'name'> {
  const { outcome, level, reason = '', restsOn, statement } = row;
  const finding = findingOf(row, json);
  const check = finding.ways[0]?.check;
  const found = clip(check?.message ?? check?.actual ?? statement, 2000);
  const text = explained(finding);
  if (outcome === 'fail' || (strict && failsStrictly(row)))
    return { kind: 'failure', type: level, message: outcome === 'untested' ? reason : found, text };
  if (outcome === 'untested') return { kind: 'skipped', message: reason };
  if (outcome === 'known-failure') return { kind: 'skipped', message: `Known failure: ${reason}`, output: text };
  if (outcome === 'warn' || outcome === 'flaky')
    return { kind: 'pass', output: `${outcome === 'warn' ? 'Warning' : 'Flaky'}: ${found}\n${text}` };
  return { kind: 'pass', ...(restsOn === undefined ? {} : { output: `Based on: ${clip(restsOn, 2000)}` }) };
}

/** Cases for what is to be known beside requirements: no verdict, an incomplete run, cases left out, a stale baseline. */
function runCases(report: Report, strict: boolean): Case[] {
  const { verdict, cases, staleBaseline = [] } = report;
  const { word, sentence } = headline(report);
  const className = 'hydrauth.run';
  const told = (kind: Case['kind']): Case => ({ className, name: 'verdict', type: verdict, message: `${word}: ${sentence}`, kind });
  const isCut = verdict === 'conformant' && cases?.leftOut !== undefined;
  return [
    ...(verdict === 'error' || verdict === 'incomplete' ? [told('error')] : []),
    ...(isCut ? [told(strict ? 'failure' : 'skipped')] : []),
    ...staleBaseline.map((id): Case => {
      return { className, name: `baseline ${id}`, kind: 'failure', type: 'baseline', message: staleSentence(id) };
    }),
  ];
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

const seconds = (ms: number) => (ms / 1000).toFixed(3);
