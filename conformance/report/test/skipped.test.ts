import { expect, test } from 'vitest';
import {
  compareReports,
  earlReport,
  htmlReport,
  jsonReport,
  junitReport,
  makeReport,
  markdownReport,
  matrixHtml,
  matrixMarkdown,
  parseReport,
  type Report,
  terminalReport,
} from '../index.js';
import { cleanReport, input } from './samples.js';
import { elementsOf } from './well-formed.js';

const skipped = ['challenge.nonce-single-use', 'token.reusable'];
const { spec, findings } = input();
const selected = spec.catalogue.rows.map(({ id }) => id).filter((id) => !skipped.includes(id));
const report = () => makeReport(input({ selected, findings: findings.filter(({ requirement }) => !skipped.includes(requirement)) }));
const matrix = () =>
  compareReports([
    { name: 'a', report: cleanReport() },
    { name: 'b', report: report() },
  ]);

test('the report lists what was left out of the selection, and only what applies to the mode', () => {
  expect(new Set(report().skipped)).toEqual(new Set(skipped));
  expect(cleanReport().skipped).toEqual([]);
  expect(makeReport(input({ skipped: ['token.reusable'] })).skipped).toEqual(['token.reusable']);
});

test('it is written and read, and a report that does not say is read as one that skipped nothing', () => {
  expect(new Set(parseReport(jsonReport(report()), 'r.json').skipped)).toEqual(new Set(skipped));
  const { skipped: _, ...older } = JSON.parse(jsonReport(report())) as Report;
  expect(parseReport(JSON.stringify(older), 'r.json').skipped).toEqual([]);
});

test.each([
  ['terminal', terminalReport, /Skipped \(1, and 1 open point\)\n.*token\.reusable.*--skip[\s\S]*, 1 skipped, /],
  ['Markdown', markdownReport, /, 1 skipped; [\s\S]*<summary>Skipped \(1, and 1 open point\)<\/summary>[\s\S]*token\.reusable/],
  ['HTML', htmlReport, /<b>1<\/b> skipped[\s\S]*<h3 id="skipped">Skipped \(1, and 1 open point\)<\/h3>[\s\S]*token\.reusable/],
  [
    'JUnit',
    junitReport,
    /tests="71"[\s\S]*<testsuite name="Skipped" tests="1" failures="0" errors="0" skipped="1"[\s\S]*name="token.reusable"/,
  ],
  ['EARL', earlReport, /1 skipped[\s\S]*Left out by --skip or --only/],
  ['comparison in Markdown', () => matrixMarkdown(matrix()), /of 70 passed, 1 skipped[\s\S]*\| token\.reusable \|.* passed \| skipped \|/],
  ['comparison in HTML', () => matrixHtml(matrix()), /token\.reusable.*<span class="unseen">skipped[\s\S]*of 70 passed, 1 skipped/],
] as [string, (given: Report) => string, RegExp][])(
  '%s tells and counts it, and says nothing when there is nothing',
  (name, write, expected) => {
    expect(write(report())).toMatch(expected);
    if (!name.startsWith('comparison')) expect(write(cleanReport())).not.toMatch(/\d(<\/b>)? skipped|--skip/);
  },
);

test('counts as many rows, whatever was skipped', () => {
  const number = (given: Report) =>
    [...terminalReport(given).matchAll(/(\d+) (?:passed|untested|skipped)/g)].slice(-3).reduce((sum, [, each]) => sum + Number(each), 0);
  const few = makeReport(
    input({
      selected: ['token.reusable', 'config.users'],
      findings: findings.filter(({ requirement }) => requirement === 'token.reusable'),
    }),
  );
  expect(number(few)).toBe(cleanReport().requirements.length);
});

test('the JUnit report stays well-formed', () => {
  expect(elementsOf(junitReport(report())).filter((name) => name === 'testcase')).toHaveLength(71);
});
