import { staleSentence } from './baseline.js';
import { clip, visible, xml } from './escape.js';
import { explanation } from './explanation.js';
import type { Report, ReportRequirement } from './report.js';
import { byStep, counterexamples, headline, skippedRequirements } from './summary.js';
import { failsStrictly } from './verdict.js';
import { skippedBecause } from './words.js';

interface JunitOptions {
  /** Warnings and untested MUSTs are failures, as they are for the exit code. */
  readonly strict?: boolean;
  /** The JSON report that is written beside, for a replay. */
  readonly json?: string | undefined;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

interface Case {
  readonly kind: 'pass' | 'failure' | 'error' | 'skipped';
  readonly tookMs: number;
  readonly xml: string;
}

/** JUnit XML: a test suite per step, a test case per requirement. It is red whenever the exit code is not 0, for CI systems that see nothing else. */
export function junitReport(report: Report, { strict = report.kit.strict === true, json }: JunitOptions = {}): string {
  const steps = byStep(report.requirements).map(({ step, title, requirements }) => ({
    name: title,
    cases: requirements.map((each) => requirementCase(each, `hydrauth.${step}`, { strict, json })),
  }));
  const skipped = skippedRequirements(report).map((id) =>
    testCase(`hydrauth.${id.split('.')[0]}`, id, 'skipped', { message: skippedBecause }),
  );
  const suites: Suite[] = [...steps, { name: 'Skipped', cases: skipped }, { name: 'Run', cases: runCases(report) }].filter(
    ({ cases }) => cases.length > 0,
  );
  const body = suites.map((suite) => suiteXml(suite, report.startedAt));
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(`hydrauth ${clip(report.target.url, 500)}`)}" ${tallies(all)} time="${seconds(report.durationMs)}">`,
    ...body,
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteXml({ name, cases }: Suite, startedAt: string): string {
  const timestamp = xml(startedAt.replace(/\.\d+Z$|Z$/, ''));
  const head = `  <testsuite name="${xml(name)}" ${tallies(cases)} time="${seconds(cases.reduce((sum, { tookMs }) => sum + tookMs, 0))}" timestamp="${timestamp}">`;
  return [head, ...cases.map((each) => each.xml), '  </testsuite>'].join('\n');
}

function tallies(cases: readonly Case[]): string {
  const of = (kind: Case['kind']) => cases.filter((each) => each.kind === kind).length;
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"`;
}

/** Checks run beside each other, so that their times add up to more than the run took. */
function requirementCase(requirement: ReportRequirement, className: string, { strict, json }: JunitOptions): Case {
  const { id, outcome, reason = '' } = requirement;
  const [check] = counterexamples(requirement);
  const found = clip(check?.message ?? check?.actual ?? requirement.statement, 2000);
  const tookMs = requirement.checks.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  const ended = (kind: Case['kind'], parts: Parts) => testCase(className, id, kind, { ...parts, tookMs });
  if (outcome === 'fail' || (strict === true && failsStrictly(requirement)))
    return ended('failure', {
      type: requirement.level,
      message: outcome === 'untested' ? reason : found,
      text: explanation(requirement, { json }),
    });
  if (outcome === 'untested') return ended('skipped', { message: reason });
  if (outcome === 'known-failure')
    return ended('skipped', { message: `Known failure: ${reason}`, output: explanation(requirement, { json }) });
  if (outcome === 'warn') return ended('pass', { output: `Warning: ${found}\n${explanation(requirement, { json })}` });
  return ended('pass', requirement.restsOn === undefined ? {} : { output: `Rests on: ${clip(requirement.restsOn, 2000)}` });
}

/** Cases for what fails a run beside requirements: no verdict, an incomplete run, a stale baseline. */
function runCases(report: Report): Case[] {
  const stale = (report.staleBaseline ?? []).map((id) =>
    testCase('hydrauth.run', `baseline ${id}`, 'failure', {
      type: 'baseline',
      message: staleSentence(id),
    }),
  );
  if (report.verdict !== 'error' && report.verdict !== 'incomplete') return stale;
  const { word, sentence } = headline(report);
  const message = `${word}: ${sentence}`;
  return [testCase('hydrauth.run', 'verdict', 'error', { type: report.verdict, message }), ...stale];
}

interface Parts {
  readonly type?: string;
  readonly message?: string;
  readonly text?: string;
  readonly output?: string;
  readonly tookMs?: number;
}

function testCase(className: string, name: string, kind: Case['kind'], { type, message = '', text, output, tookMs = 0 }: Parts): Case {
  const typed = type === undefined ? '' : ` type="${xml(type)}"`;
  const result = kind === 'pass' ? [] : [`      <${kind}${typed} message="${xml(clip(message, 2000))}">${xmlText(text ?? '')}</${kind}>`];
  const printed = output === undefined ? [] : [`      <system-out>${xmlText(output)}</system-out>`];
  const inner = [...result, ...printed];
  const head = `    <testcase classname="${xml(className)}" name="${xml(name)}" time="${seconds(tookMs)}"`;
  return { kind, tookMs, xml: inner.length === 0 ? `${head}/>` : [`${head}>`, ...inner, '    </testcase>'].join('\n') };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function xmlText(text: string): string {
  return visible(text).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
