import { describe, expect, test } from 'vitest';
import {
  complaint,
  countsOf,
  type Examination,
  examineRow,
  goldenDifferences,
  goldenText,
  isRight,
  matrixTable,
  parseGolden,
  type Row,
  type Specimen,
  withoutLaw,
} from '../index.js';
import { pairFigures } from '../page.js';

const examination = (found: Examination['found'], verdict: Examination['verdict'] = 'non-conformant'): Examination => ({
  verdict,
  found,
  untested: [],
  requests: 10,
  durationMs: 1,
});

const sliding: Row = {
  kind: 'fault',
  id: 'sliding',
  sentence: 'Every use lengthens the life of a token.',
  expected: ['expiry.not-sliding'],
  hidden: [],
  examination: examination({ 'expiry.not-sliding': { laws: ['expiry.not-sliding'] } }),
  missed: [],
  alarms: [],
};
const missed: Row = { ...sliding, id: 'missed', examination: examination({}), missed: ['expiry.not-sliding'] };
const accused: Row = {
  ...sliding,
  kind: 'variant',
  id: 'accused',
  expected: [],
  examination: examination({ 'headers.link': { postman: ['headers.link'] } }),
  alarms: [{ engines: ['postman'], requirement: 'headers.link' }],
};
const pair: Row = {
  ...sliding,
  kind: 'pair',
  id: 'a+b',
  expected: ['expiry.not-sliding', 'headers.link'],
  examination: examination({ 'headers.link': { laws: ['headers.link'] } }, 'conformant'),
  missed: ['expiry.not-sliding'],
  error: 'conformant',
};
const rows = [sliding, missed, accused];

describe('the matrix', () => {
  test('is right when nothing is missed and nobody is accused wrongly', () => {
    expect(rows.map(isRight)).toEqual([true, false, false]);
  });

  test('says in words what is wrong', () => {
    expect(complaint(missed)).toBe('fault missed: misses expiry.not-sliding');
    expect(complaint(accused)).toBe('variant accused: accuses wrongly (Postman): headers.link');
  });

  test('is a table with a line for each server, and the counts', () => {
    const table = matrixTable({ rows, counts: countsOf(rows) });
    expect(table).toContain('sliding   found    all      -        expiry.not-sliding');
    expect(table).toContain('missed    MISSED   -        -        expiry.not-sliding');
    expect(table).toContain('accused   ALARM');
    expect(table).toContain('2 faults with 2 violations: laws find 1, Postman finds 0.');
    expect(table).toContain('Missed: 1. False alarms: 1. No verdict, or a wrong one: 0.');
  });
});

test('a golden file tells what fails now, what no longer does, and what is new', () => {
  const golden = goldenText([sliding, accused], 1);
  expect(golden.split('\n')[0]).toBe('{"id":"sliding","seed":1,"failed":["expiry.not-sliding"],"untested":[]}');
  const before = parseGolden(golden);
  expect(goldenDifferences(before, [sliding, accused], 1)).toEqual([]);
  expect(goldenDifferences(before, [{ ...missed, id: 'sliding' }], 1)).toEqual(['sliding: no longer failed: expiry.not-sliding']);
  const untested = { ...accused, examination: { ...examination({}), untested: ['headers.link'] } };
  expect(goldenDifferences(before, [untested, missed], 1)).toEqual([
    'accused: no longer failed: headers.link',
    'accused: now untested: headers.link',
    'missed: not in the golden file',
  ]);
  expect(goldenDifferences(before, [sliding], 2)).toEqual(['sliding: the golden file has seed 1, this run seed 2']);
});

test('pairs are told in words, in the table and on the page', () => {
  const said = 'pair a+b: misses expiry.not-sliding; ended conformant';
  expect(complaint(pair)).toBe(said);
  expect(matrixTable({ rows: [pair], counts: countsOf([pair]) })).toContain('1 pairs: 0 told whole, 1 ended conformant, 0 with a stranger');
  const kit = { name: 'hydrauth', version: '0', seed: 7, runs: 10, engine: 'all' } as const;
  expect(pairFigures({ kit, counts: countsOf([pair]), rows: [pair] })).toContain(`- ${said}`);
});

test('a law that always passes is noticed where nothing else finds the fault', () => {
  const law = { id: 'expiry.not-sliding', requirement: 'expiry.not-sliding' };
  expect(withoutLaw(sliding, law).missed).toEqual(['expiry.not-sliding']);
});

test('a specimen that cannot be started is an error and no proof of anything', async () => {
  const broken: Specimen = {
    kind: 'fault',
    id: 'broken',
    sentence: 'It does not start.',
    expected: ['headers.link'],
    hidden: [],
    auth: 'on',
    start: () => Promise.reject(new Error('no port')),
  };
  const row = await examineRow(broken, {});
  expect(row).toMatchObject({ error: 'no port', missed: ['headers.link'] });
  expect(isRight(row)).toBe(false);
});
