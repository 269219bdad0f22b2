import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { entriesText, makeReport, newEntries, readBaseline } from '../index.js';
import { cleanReport, failingReport, finding, input } from './samples.js';

const file = join(scratch(), 'known.json');
const parse = (value: unknown) => {
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return readBaseline(file, spec.catalogue);
};
const entry = { requirement: 'challenge.status', reason: 'Known.' };

describe('a baseline', () => {
  test('is an array of requirements with reasons', () => {
    expect(parse([entry])).toEqual([entry]);
    expect(parse([])).toEqual([]);
  });

  test.each([
    ['{', /known\.json: not JSON: .*; a baseline is a JSON array/],
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
  });
});
