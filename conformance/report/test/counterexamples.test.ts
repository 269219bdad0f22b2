import { describe, expect, test } from 'vitest';
import type { Finding } from '../../finding.js';
import {
  earlReport,
  htmlReport,
  jsonReport,
  junitReport,
  makeReport,
  markdownReport,
  parseReport,
  type ReportRequirement,
  terminalReport,
} from '../index.js';
import { challenge, cleanFindings, input, served } from './samples.js';

const refused: Finding = {
  requirement: 'token.reusable',
  check: 'token/reusable',
  engine: 'laws',
  outcome: 'fail',
  expected: 'the first kind is served',
  actual: 'status 401',
  message: 'A token was refused at its third use.',
  chain: [served],
  rate: { failed: 3, of: 412 },
  explains: [
    { what: 'a read with a valid token was refused', count: 9 },
    { what: 'a login was refused', count: 1 },
  ],
  seed: 42,
  path: '1',
};
const second: Finding = {
  requirement: 'token.reusable',
  check: 'token/reusable',
  engine: 'laws',
  outcome: 'fail',
  expected: 'the second kind is served',
  actual: 'status 500',
  message: 'A token broke the service.',
  chain: [challenge],
  seed: 42,
  path: '7',
};
const byPostman: Finding = { ...second, check: 'token: reusable', engine: 'postman', expected: 'the third kind is served' };
const passed: Finding = { ...cleanFindings()[0], outcome: 'pass', restsOn: '37 cases, 12 controls granted' } as Finding;
const others = cleanFindings().filter(({ requirement }) => requirement !== refused.requirement && requirement !== passed.requirement);
const report = () => makeReport(input({ findings: [...others, passed, refused, second, byPostman] }));
const row = (id: string) => report().requirements.find((each) => each.id === id) as ReportRequirement;

/** How a text goes: these, one after the other. */
const inOrder = (text: string, parts: readonly string[]) => {
  const places = parts.map((part) => text.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((one, other) => one - other));
};

test('the report keeps every counterexample in the order given, with rate and what it explains', () => {
  const read = parseReport(jsonReport(report()), 'r.json').requirements.find(({ id }) => id === 'token.reusable');
  expect(read?.checks.map(({ expected }) => expected)).toEqual([refused.expected, second.expected, byPostman.expected]);
  expect(read?.checks[0]).toMatchObject({ rate: refused.rate, explains: refused.explains });
  expect(row(passed.requirement).checks[0]).toMatchObject({ restsOn: passed.restsOn });
});

test('the order holds even where only a later counterexample has exchanges', () => {
  const { chain: _, ...bare } = refused;
  const text = terminalReport(makeReport(input({ findings: [...others, bare, second] })), { width: 200 });
  inOrder(text, ['the first kind is served', '2. GET /api/things: A token broke', 'the second kind is served']);
});

describe.each([
  ['Markdown', (text: string) => text.slice(text.indexOf('<b>token.reusable')), markdownReport],
  ['JUnit', (text: string) => text.slice(text.indexOf('<failure')), junitReport],
] as const)('%s', (_, from, write) => {
  test('tells the same fields in the same order, every counterexample, one script', () => {
    const text = from(write(report()));
    inOrder(text, [
      'Clause',
      'the first kind is served',
      'status 401',
      'failed 3 of 412 times',
      'a read with a valid token was refused (9 times)',
      'a login was refused (1 time)',
      'Advice',
      'Exchanges',
      'By hand',
      '2. GET /api/things: A token broke the service.',
      'the second kind is served',
      'status 500',
      'token: reusable (postman)',
    ]);
    expect(text.split('/bin/sh')).toHaveLength(2);
    expect(text).not.toContain('the third kind');
  });
});

test.each([
  ['terminal', (given) => terminalReport(given, { width: 120, verbose: true })],
  ['Markdown', markdownReport],
  ['JUnit', junitReport],
  ['EARL', earlReport],
  ['HTML', htmlReport],
] as [string, (given: ReturnType<typeof report>) => string][])('%s says what a pass rests upon', (_, write) => {
  expect(write(report())).toContain('37 cases, 12 controls granted');
});

test('EARL and HTML tell every counterexample, its rate and what it explains', () => {
  for (const text of [earlReport(report()), htmlReport(report())])
    inOrder(text, ['the first kind is served', 'a login was refused (1 time)', 'the second kind is served']);
  expect(htmlReport(report())).toContain('<h5>Counterexample 2</h5>');
  expect(htmlReport(report()).match(/Copy the curl script/g)).toHaveLength(2);
});

describe('no empty pass', () => {
  const part = (findings: readonly Finding[]) => makeReport(input({ findings: [...others, ...findings] }));
  const untried: Finding = { ...second, check: 'token/late', outcome: 'untested', message: 'There is no clock.' };
  const tried: Finding = { requirement: 'token.reusable', check: 'token/reusable', engine: 'laws', outcome: 'pass', restsOn: '5 cases' };
  const found = (findings: readonly Finding[]) => part(findings).requirements.find(({ id }) => id === 'token.reusable');

  test('a requirement none of whose own checks passed does not pass', () => {
    expect(found([untried])).toMatchObject({ outcome: 'untested', reason: 'There is no clock.' });
    expect(found([untried])?.restsOn).toBeUndefined();
  });

  test('one of whose checks some were not tried passes, and says so', () => {
    const restsOn = '5 cases; token/late was not tried: There is no clock';
    expect(found([tried, untried])).toMatchObject({ outcome: 'pass', restsOn });
    expect(terminalReport(part([tried, untried]), { verbose: true })).toContain(`Passed in part (1)\n  token.reusable: ${restsOn}`);
    expect(terminalReport(part([tried]), { verbose: true })).not.toContain('Passed in part');
    expect(found([{ ...tried, restsOn: undefined } as never, untried])?.restsOn).toBe('token/late was not tried: There is no clock');
  });
});
