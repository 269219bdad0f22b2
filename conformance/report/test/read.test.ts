import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from '../../../spec/test/scratch.js';
import { jsonReport, makeReport, parseReport, readReport, reportSchema } from '../index.js';
import { hostileReport } from './hostile.js';
import { brokenReport, cleanFindings, cleanReport, failingReport, input } from './samples.js';

test('what was written is read back', () => {
  const file = join(scratch(), 'report.json');
  writeFileSync(file, jsonReport(brokenReport()));
  expect(readReport(file)).toEqual(JSON.parse(JSON.stringify(brokenReport())));
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
  ['text', 'hello', /^r\.json: not JSON: .*; a report written by hydrauth with --json is expected$/],
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
