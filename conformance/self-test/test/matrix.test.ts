import { describe, expect, test } from 'vitest';
import {
  allRight,
  complaint,
  countsOf,
  type Examination,
  examineRow,
  isRight,
  matrixPage,
  matrixPicture,
  matrixTable,
  type Row,
  type Specimen,
  stabilityOf,
  withoutLaw,
} from '../index.js';

const examination = (found: Record<string, string[]>, verdict: Examination['verdict'] = 'non-conformant'): Examination => ({
  verdict,
  found,
  answered: [],
  requests: 10,
  durationMs: 1,
});

const sliding: Row = {
  kind: 'fault',
  id: 'sliding',
  sentence: 'Every use lengthens the life of a token.',
  expected: ['expiry.not-sliding'],
  engines: { laws: examination({ 'expiry.not-sliding': ['expiry.not-sliding'] }), postman: examination({}) },
  missed: [],
  alarms: [],
};
const missed: Row = { ...sliding, id: 'missed', engines: { laws: examination({}) }, missed: ['expiry.not-sliding'] };
const accused: Row = {
  ...sliding,
  kind: 'variant',
  id: 'accused',
  expected: [],
  engines: { laws: examination({}, 'conformant'), postman: examination({ 'headers.link': ['headers.link'] }) },
  alarms: [{ engine: 'postman', requirement: 'headers.link' }],
};
const rows = [sliding, missed, accused];

describe('the matrix', () => {
  test('counts what each engine finds alone', () => {
    expect(countsOf(rows)).toEqual({
      faults: 2,
      variants: 1,
      violations: 2,
      missed: 1,
      alarms: 1,
      errors: 0,
      foundBy: { laws: 1, postman: 0 },
      requests: 50,
    });
  });

  test('is right when nothing is missed and nobody is accused wrongly', () => {
    expect(rows.map(isRight)).toEqual([true, false, false]);
    expect(allRight({ rows: [sliding] })).toBe(true);
    expect(allRight({ rows })).toBe(false);
  });

  test('says in words what is wrong', () => {
    expect(complaint(missed)).toBe('fault missed: misses expiry.not-sliding');
    expect(complaint(accused)).toBe('variant accused: accuses wrongly (Postman): headers.link');
  });

  test('is a table with a line for each server, and the counts', () => {
    const table = matrixTable({ rows, counts: countsOf(rows) });
    expect(table).toContain('sliding   found    -        expiry.not-sliding');
    expect(table).toContain('missed    MISSED   -        expiry.not-sliding');
    expect(table).toContain('accused   pass     ALARM');
    expect(table).toContain('2 faults with 2 violations: laws alone find 1, Postman alone finds 0.');
    expect(table).toContain('Missed: 1. False alarms: 1. Not judged: 0.');
  });

  test('is a picture with a mark for each violation', () => {
    const picture = matrixPicture({ rows, counts: countsOf(rows) });
    expect(picture.match(/<title>/g)).toHaveLength(2);
    expect(picture).toContain('<title>sliding: Every use lengthens the life of a token. (expiry.not-sliding)</title>');
  });

  test('is a page that names every fault and variant', () => {
    const kit = { name: 'hydrauth', version: '0', seed: 1, runs: 10 } as const;
    const page = matrixPage({ kit, startedAt: '', durationMs: 0, counts: countsOf(rows), rows }, undefined);
    expect(page).toContain('| `sliding` | Every use lengthens the life of a token. | expiry.not-sliding | L |');
    expect(page).toContain('| `accused` |');
  });
});

describe('a law that always passes', () => {
  const law = { id: 'expiry.not-sliding', requirement: 'expiry.not-sliding' };

  test('is noticed where nothing else finds the fault', () => {
    expect(withoutLaw(sliding, law).missed).toEqual(['expiry.not-sliding']);
  });

  test('is not noticed where another law finds it', () => {
    const twice: Row = {
      ...sliding,
      engines: { laws: examination({ 'expiry.not-sliding': ['expiry.not-sliding', 'expiry.not-sliding/other'] }) },
    };
    expect(isRight(withoutLaw(twice, law))).toBe(true);
  });

  test('takes with it what was found in passing', () => {
    const passing: Row = { ...sliding, engines: { laws: examination({ 'expiry.not-sliding': ['expiry.not-sliding/in-passing'] }) } };
    expect(withoutLaw(passing, { ...law, id: 'expiry.not-sliding/burst' }).missed).toEqual(['expiry.not-sliding']);
  });
});

test('a specimen that cannot be started is an error and no proof of anything', async () => {
  const broken: Specimen = {
    kind: 'fault',
    id: 'broken',
    sentence: 'It does not start.',
    expected: ['headers.link'],
    auth: 'on',
    start: () => Promise.reject(new Error('no port')),
  };
  const row = await examineRow(broken, ['laws'], {});
  expect(row).toMatchObject({ error: 'no port', missed: ['headers.link'] });
  expect(isRight(row)).toBe(false);
});

test('stability names the faults that chance lets through, and the conformant servers that it accuses', () => {
  const often = [sliding, sliding, { ...sliding, id: 'rare' }, { ...missed, id: 'rare' }, accused, { ...accused, alarms: [] }];
  expect(stabilityOf([3, 4], often)).toEqual({
    seeds: [3, 4],
    variants: 1,
    accused: [{ id: 'accused', times: 1 }],
    faults: 2,
    inexact: [{ id: 'rare', times: 1 }],
  });
});
