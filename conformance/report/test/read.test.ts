import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { scratchFile } from '../../../spec/test/scratch.js';
import { baselineOf, entriesText, jsonReport, makeReport, newEntries, parseReport, readReport, reportSchema } from '../index.js';
import { hostileReport } from './hostile.js';
import { brokenReport, cleanFindings, cleanReport, failingReport, finding, input } from './samples.js';

test('what was written is read back', () => {
  expect(readReport(scratchFile('report.json', jsonReport(brokenReport())))).toEqual(JSON.parse(JSON.stringify(brokenReport())));
});

test.each([
  ['clean', cleanReport()],
  ['failing', failingReport()],
  ['hostile', hostileReport()],
  ['partial', makeReport(input({ coverage: undefined }))],
  ['error', makeReport(input({ findings: [], error: 'Unreachable.' }))],
  ['interrupted', makeReport(input({ interrupted: 'Stopped by SIGINT.' }))],
  ['stale', makeReport(input({ options: { ...input().options, baseline: [{ requirement: 'challenge.status', reason: 'x' }] } }))],
  ['off', makeReport(input({ options: { ...input().options, auth: 'off' }, findings: cleanFindings('off') }))],
])('the %s report follows the schema', (_, report) => {
  expect(parseReport(jsonReport(report), 'report.json').verdict).toBe(report.verdict);
});

test('no object of the schema may have members that it does not name', () => {
  const objects: unknown[] = [];
  JSON.stringify(reportSchema(), (_, each) => {
    if (each?.type === 'object') objects.push(each.additionalProperties);
    return each;
  });
  expect(objects.length).toBeGreaterThan(15);
  expect(new Set(objects)).toEqual(new Set([false]));
});

const changed = (members: object) => JSON.stringify({ ...JSON.parse(jsonReport(cleanReport())), ...members });

test.each([
  ['text that may be secret', 'hello', /^r\.json: not JSON; a report written by hydrauth with --json is expected$/],
  ['another document', '[]', /^r\.json: at \/: must be an object;/],
  ['an unknown member', changed({ extra: 1 }), /at \/: has an unknown member \(extra\);/],
  ['an unknown verdict', changed({ verdict: 'fine' }), /at \/verdict: .*\(conformant, non-conformant, incomplete, error\)/],
  [
    'a strength that there is not',
    changed({ coverage: { pairs: 1, combinations: 1, strength: 4 } }),
    /at \/coverage\/strength: .*\(2, 3\)/,
  ],
  ['a missing member', changed({ requirements: undefined }), /at \/: has no requirements;/],
  ['a date that is none', changed({ startedAt: 'today' }), /at \/startedAt: must match format "date-time"/],
  [
    'a version without end',
    changed({ $schema: 'deep' }).replace('"deep"', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
    /at \/\$schema: must be equal to constant/,
  ],
  [
    'another version',
    changed({ $schema: 'https://hydrauth.example/schema/report-9.json' }),
    /its format is .*report-9\.json.*; this kit reads .*report-1\.json/,
  ],
])('%s is refused', (_, text, message) => {
  expect(() => parseReport(text, 'r.json')).toThrow(message);
});

const parse = (value: unknown) =>
  baselineOf(scratchFile('known.json', typeof value === 'string' ? value : JSON.stringify(value)), spec.catalogue);
const entry = { requirement: 'challenge.status', reason: 'Known.' };

describe('a baseline', () => {
  test('is an array of requirements with reasons', () => {
    expect(parse([entry])).toEqual([entry]);
    expect(parse([])).toEqual([]);
  });

  test.each([
    ['{', /known\.json: not JSON.*; a baseline is a JSON array/],
    [{}, /known\.json: a baseline is a JSON array of .*, not an object$/],
    [[null], /known\.json: entry 1: null; a baseline is/],
    [[entry, { requirement: 'challenge.status', reason: 'Again.' }], /entry 2: challenge\.status is already listed by entry 1/],
    [
      [{ ...entry, since: 'May' }],
      /entry 1: there is no member "since"; the members are "requirement" and "reason", and "owner", "until" and "profile"/,
    ],
    [[{ requirement: 7, reason: 'x' }], /entry 1: "requirement" is a number; the id of a requirement is expected/],
    [[{ reason: 'x' }], /entry 1: "requirement" is missing/],
    [[{ requirement: 'challenge.status' }], /challenge\.status has no "reason"/],
    [[{ requirement: 'challenge.status', reason: ' ' }], /challenge\.status has no "reason"/],
    [
      [{ requirement: 'challenge.colour', reason: 'x' }],
      /there is no requirement "challenge\.colour"; of its step there are challenge\.status, /,
    ],
    [[{ ...entry, until: [2030] }], /"until" is an array; the last day/],
    [[{ requirement: 'nonsense', reason: 'x' }], /there is no requirement "nonsense"; "hydrauth requirements" lists them/],
    [[{ requirement: 'expiry.instant', reason: 'x' }], /expiry\.instant is an open point; it is observed, never judged/],
  ])('%j is refused', (value, message) => {
    expect(() => parse(value)).toThrow(message);
  });

  test('is offered ready to paste after a failing run, and is one', () => {
    expect(parse(entriesText(newEntries(failingReport()))).map(({ requirement }) => requirement)).toEqual([
      'challenge.www-authenticate',
      'expiry.refused-after',
    ]);
    expect(newEntries(cleanReport())).toEqual([]);
    const findings = [finding('challenge.body', 'fail', { expected: 'one member', actual: 'two members\n  in two lines\n' })];
    expect(parse(entriesText(newEntries(makeReport(input({ findings })))))).toEqual([
      { requirement: 'challenge.body', reason: 'two members; in two lines' },
    ]);
    // A report that somebody else wrote takes no longer for its blanks.
    const blank = finding('challenge.body', 'fail', { expected: 'x', actual: `a${' '.repeat(400_000)}b` });
    expect(newEntries(makeReport(input({ findings: [blank] })))).toHaveLength(1);
  });
});
