import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import type { Finding } from '../../finding.js';
import type { Report, ReportRequirement } from '../index.js';
import * as room from '../index.js';
import { challenge, cleanBut, cleanFindings, cleanReport, finding, input, rows, served } from './samples.js';
import { elementsOf } from './well-formed.js';

const { compareReports, earlReport, htmlReport, jsonReport, junitReport, makeReport, markdownReport, parseReport, terminalReport } = room;

const refused = finding('token.reusable', 'fail', {
  check: 'token/reusable',
  expected: 'the first kind is served',
  actual: '500 Internal Server Error',
  message: 'A token was refused at its third use.',
  chain: [served],
  rate: { failed: 3, of: 412 },
  explains: [
    { what: 'a read with a valid token was refused', count: 9 },
    { what: 'a login was refused', count: 1 },
  ],
  seed: 42,
  path: '1',
});
const second: Finding = {
  ...{ requirement: 'token.reusable', check: 'token/reusable', engine: 'laws', outcome: 'fail', chain: [challenge], seed: 42, path: '7' },
  ...{ expected: 'the second kind is served\n', actual: 'status 500', message: 'A token broke the service.' },
};
const byPostman: Finding = { ...second, check: 'token: reusable', engine: 'postman', expected: 'the third kind is served' };
const passed = { ...cleanFindings()[0], outcome: 'pass', restsOn: '37 cases, 12 controls granted' } as Finding;
const report = (findings: readonly Finding[] = [refused, second, byPostman]) =>
  makeReport(input({ findings: cleanBut(passed, ...findings) }));
const row = (of: Report, id = 'token.reusable') => of.requirements.find((each) => each.id === id) as ReportRequirement;

const skippedIds = ['challenge.nonce-single-use', 'token.reusable'];
const selected = spec.catalogue.rows.map(({ id }) => id).filter((id) => !skippedIds.includes(id));
const skipping = makeReport(input({ selected, findings: cleanFindings().filter(({ requirement }) => !skippedIds.includes(requirement)) }));
const both = compareReports([
  { name: 'a', report: cleanReport() },
  { name: 'b', report: skipping },
]);

/** Each format, and how it tells what was skipped. */
const writers: readonly (readonly [string, (given: Report) => string, RegExp])[] = [
  [
    'terminal',
    (given) => terminalReport(given, { width: 120, verbose: true }),
    /Skipped \(1, and 1 open point\)\n.*token\.reusable.*--skip[\s\S]*, 1 skipped, /,
  ],
  ['Markdown', markdownReport, /, 1 skipped; [\s\S]*<summary>Skipped \(1, and 1 open point\)<\/summary>[\s\S]*token\.reusable/],
  ['HTML', htmlReport, /<b>1<\/b> skipped[\s\S]*<h3 id="skipped">Skipped \(1, and 1 open point\)<\/h3>[\s\S]*token\.reusable/],
  [
    'JUnit',
    junitReport,
    new RegExp(
      `tests="${rows}"[\\s\\S]*<testsuite name="Skipped" tests="1" failures="0" errors="0" skipped="1"[\\s\\S]*name="token.reusable"`,
    ),
  ],
  ['EARL', earlReport, /1 skipped[\s\S]*Not selected for this run/],
];

/** How a text goes: these, one after the other. */
const inOrder = (text: string, parts: readonly string[]) => {
  let at = 0;
  for (const part of parts) {
    const next = text.indexOf(part, at);
    expect(next, part).toBeGreaterThanOrEqual(at);
    at = next;
  }
};

describe.each(writers)('%s', (name, write, skippedWords) => {
  test('tells every way of failing, the rate, what is explained, and what a pass rests upon', () => {
    const text = write(report());
    inOrder(text.slice(text.indexOf(name === 'Markdown' ? '<b>token' : 'token.reusable')), ['the first kind', 'the second kind is served']);
    for (const words of ['failed 3 of 412 times', 'a login was refused (1 time)', '37 cases, 12 controls granted'])
      expect(text).toContain(words);
    expect(text).not.toMatch(/the third kind|, ; got|\d of \d:/);
  });

  test('says of a run that left cases out that its verdict is about those that were tried', () => {
    const cases = { planned: 2000, run: 800, couldNotRun: 1200, leftOut: 1200 };
    expect(write({ ...cleanReport(), cases })).toMatch(
      /Conformant in the cases that were tried[\s\S]*hold, in the 800 cases that were tried; the budget left out 1,200\./,
    );
    expect(write(cleanReport())).not.toContain('cases that were tried');
  });

  test('tells and counts what was skipped, and says nothing when nothing was', () => {
    expect(write(skipping)).toMatch(skippedWords);
    expect(write(cleanReport())).not.toMatch(/\d(<\/b>)? skipped|--skip/);
  });
});

test('comparisons tell and count what was skipped', () => {
  expect(room.matrixMarkdown(both)).toMatch(
    new RegExp(`of ${rows - 1} passed, 1 skipped[\\s\\S]*\\| token\\.reusable \\|.* passed \\| skipped \\|`),
  );
  expect(room.matrixHtml(both)).toMatch(
    new RegExp(`token\\.reusable.*<span class="unseen">skipped[\\s\\S]*of ${rows - 1} passed, 1 skipped`),
  );
});

test('Markdown and JUnit tell the same fields in the same order, with one script', () => {
  for (const text of [markdownReport(report()), junitReport(report())]) {
    const told = text.slice(text.indexOf('Clause'));
    inOrder(told, [
      'Clause',
      'Found',
      'Expected',
      'Actual',
      'How often',
      'Explains',
      'Advice',
      'Exchanges',
      'Replay',
      'By hand',
      'Further: 2. GET /api/things: ',
    ]);
    inOrder(told, ['Further', 'token: reusable (postman)']);
    expect(told.split('/bin/sh')).toHaveLength(2);
  }
  expect(htmlReport(report())).toContain('<h5>Counterexample 2</h5>');
  expect(htmlReport(report()).match(/Copy the curl script/g)).toHaveLength(2);
});

test('the order of the findings does not depend on the order in which they came, and the JSON keeps them all', () => {
  const findings = [byPostman, second, refused];
  expect(jsonReport(report(findings))).toBe(jsonReport(report([...findings].reverse())));
  const read = row(parseReport(jsonReport(report(findings)), 'r.json'));
  expect(read.checks.map(({ expected }) => expected)).toEqual([refused.expected, second.expected, byPostman.expected]);
  expect(read.checks[0]).toMatchObject({ rate: refused.rate, explains: refused.explains });
});

test('a terminal counts further ways of failing and what they explain, unless it is verbose', () => {
  const text = terminalReport(report(), { width: 200 });
  expect(text).toMatch(/Explains {2}10 more wrong answers of this run\n[\s\S]*Further {3}1 more way of failing, which --verbose shows\n/);
  expect(text).not.toContain('a login was refused');
});

test('ways of failing that differ only in the user are joined', () => {
  const of = (id: number) => ({ ...second, expected: `the token of user ${id} is served`, message: `User ${id}`, path: String(id) });
  const alike = [1, 2, 3].map((id) => ({ ...of(id), message: 'A token broke the service.' }));
  const text = terminalReport(report(alike), { width: 200 });
  expect(text).toContain('Alike     the same for users 2, 3\n');
  expect(text).not.toContain('Further');
});

test('an answer that came is told, and beside it what was wrong with it', () => {
  const cut = { ...served, problem: { code: 'length' as const, message: 'The connection ended after 29 octets.' } };
  const { answer: _, ...none } = cut;
  const told = (link: typeof none) => terminalReport(report([{ ...refused, chain: [link] }]), { width: 200, verbose: true });
  expect(told(cut)).toContain('->  200 OK, but: The connection ended after 29 octets.');
  expect(told(none)).toMatch(/-> {2}The connection ended after 29 octets\.\n/);
});

test('the times of JUnit add up to the run', () => {
  const timed = makeReport(input({ findings: cleanFindings().map((each, index) => ({ ...each, durationMs: index * 37 })) }));
  const seconds = [...junitReport(timed).matchAll(/<testcase [^>]*time="([\d.]+)"/g)].map(([, time]) => Number(time));
  expect(Math.round(1000 * seconds.reduce((sum, each) => sum + each, 0))).toBe(timed.durationMs);
  expect(() => elementsOf(junitReport(timed))).not.toThrow();
});

test('every clause of a requirement stands on the page, as the catalogue says it; an older report names the sections', () => {
  const page = htmlReport(cleanReport());
  const linked = [...page.matchAll(/href="#c-([^"]+)"/g)].map(([, point]) => point as string);
  expect(linked.length).toBeGreaterThan(100);
  const points = spec.catalogue.sources.filter(({ point }) => linked.includes(point));
  expect(new Set(points.map(({ point }) => point))).toEqual(new Set(linked));
  for (const { point } of points) expect(page).toContain(`<tr id="c-${point}">`);
  const older = cleanReport().requirements.map(({ clauses: _, ...each }) => each);
  expect(htmlReport({ ...cleanReport(), requirements: older })).toContain(
    '<dd>Section 5 Step A; 5 Rules; 7 Errors; 3 States and transitions</dd>',
  );
});

test('the report says what was left out of the selection and what the combinations cover; an older one need not', () => {
  expect(new Set(skipping.skipped)).toEqual(new Set(skippedIds));
  const { skipped: _, coverage: __, ...older } = JSON.parse(jsonReport(skipping)) as Report;
  expect(parseReport(JSON.stringify(older), 'r.json').skipped).toEqual([]);
  for (const write of [writers[0]?.[1], markdownReport, htmlReport] as ((given: Report) => string)[]) {
    expect(write(cleanReport()).replace(/\s+/g, ' ')).toContain('8,997 pairs of values in 701 combinations');
    expect(write(makeReport(input({ coverage: undefined })))).not.toContain('combinations');
  }
  const triples = makeReport(input({ coverage: { pairs: 327_306, combinations: 4195, strength: 3 } }));
  expect(markdownReport(triples)).toContain('327,306 triples of values in 4,195 combinations');
});

test('beside the verdict stands how many cases were planned and run', () => {
  const counted = (run: number) => makeReport(input({ cases: { planned: 1306, run, couldNotRun: 1306 - run } }));
  for (const write of [terminalReport, markdownReport, htmlReport] as ((given: Report) => string)[]) {
    expect(write(counted(1306)).replace(/\s+/g, ' ')).toContain('1,306 cases planned, all run');
    expect(write(counted(1280)).replace(/\s+/g, ' ')).toContain('1,306 cases planned, 26 could not be run');
  }
});
