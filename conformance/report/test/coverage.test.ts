import { expect, test } from 'vitest';
import { htmlReport, jsonReport, makeReport, markdownReport, parseReport, type Report, terminalReport } from '../index.js';
import { cleanReport, input } from './samples.js';

const words = '8,997 pairs of values in 701 combinations';
const without = makeReport(input({ coverage: undefined }));

test.each([
  ['terminal', (report: Report) => terminalReport(report, { verbose: true })],
  ['Markdown', markdownReport],
  ['HTML', htmlReport],
] as const)('the %s report says how many pairs were covered, where that is known', (_, write) => {
  expect(write(cleanReport()).replace(/\s+/g, ' ')).toContain(words);
  expect(write(without)).not.toContain('combinations');
});

test('triples are called triples', () => {
  const report = makeReport(input({ coverage: { pairs: 327_306, combinations: 4195, strength: 3 } }));
  expect(terminalReport(report, { verbose: true }).replace(/\s+/g, ' ')).toContain('327,306 triples of values in 4,195 combinations');
});

test('it is written and read back', () => {
  expect(parseReport(jsonReport(cleanReport()), 'r.json').coverage).toEqual({ pairs: 8997, combinations: 701, strength: 2 });
  expect(parseReport(jsonReport(without), 'r.json').coverage).toBeUndefined();
});
