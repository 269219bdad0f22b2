import { describe, expect, test } from 'vitest';
import { type Catalogue, spec } from '../../../spec/index.js';
import { optionTable } from '../../option-table.js';
import { calling } from './calling.js';

const allRows = [...spec.catalogue.rows, ...spec.clientCatalogue.rows];

type Listed = Pick<Catalogue, 'version' | 'sources'> & { readonly requirements: Catalogue['rows'] };

async function listed(...words: string[]): Promise<Listed> {
  const { code, out } = await calling(['requirements', '--json', ...words]);
  expect(code).toBe(0);
  return JSON.parse(out);
}

describe('hydrauth requirements --json', () => {
  test('is the whole catalogue', async () => {
    const { version, sources, requirements } = await listed();
    expect(version).toBe(spec.catalogue.version);
    expect(sources).toEqual(spec.catalogue.sources);
    expect(requirements).toEqual(JSON.parse(JSON.stringify(allRows)));
    expect(requirements.filter(({ level }) => level === 'MUST').length).toBeGreaterThanOrEqual(25);
    expect(requirements.filter(({ level }) => level === 'OPEN').length).toBeGreaterThanOrEqual(7);
  });

  test('can be filtered by level and step together', async () => {
    const { requirements, sources } = await listed('--level', 'must', 'should', '--step', 'expiry');
    expect(requirements.length).toBeGreaterThan(0);
    expect(requirements.every(({ level, step }) => level !== 'OPEN' && step === 'expiry')).toBe(true);
    expect(new Set(sources.map(({ point }) => point))).toEqual(new Set(requirements.flatMap(({ source }) => source)));
  });

  test.each([
    [
      ['--id', 'token.sufficient', 'challenge.body'],
      ['challenge.body', 'token.sufficient'],
    ],
    [['--role', 'server'], spec.catalogue.rows.map(({ id }) => id)],
    [['--role', 'client'], spec.clientCatalogue.rows.map(({ id }) => id)],
  ])('can be filtered by %j', async (words, ids) => {
    expect((await listed(...words)).requirements.map(({ id }) => id)).toEqual(ids);
  });

  test('knows every step of the catalogue', () => {
    expect(new Set(allRows.map(({ step }) => step))).toEqual(new Set(optionTable.step[0].allowed));
  });
});

describe('hydrauth requirements', () => {
  test.each([40, 80, 100, 160])('is a table that fits %i columns', async (columns) => {
    const { code, out } = await calling(['requirements'], { columns });
    expect(code).toBe(0);
    // A word is never broken.
    expect(out.split('\n').filter((line) => line.length > columns && /\S\s+\S/.test(line.trim()))).toEqual([]);
    for (const { id } of allRows) expect(out).toContain(id);
  });

  test('has columns when there is room', async () => {
    const { out } = await calling(['requirements', '--id', 'challenge.status', 'challenge.nonce-single-use'], { columns: 130 });
    expect(out.split('\n')[0]).toBe('ID                          ROLE    LEVEL   SECTION               STATEMENT');
    expect(out).toContain('A read without credentials is answered with status 401.');
    expect(out).toContain('Can a nonce be used more than once?');
    expect(out).toContain('2 rows: 1 MUST, 0 SHOULD, 1 OPEN');
  });

  test.each([
    [['--id', 'token.sufficent'], 'there is no requirement token.sufficent. Did you mean token.sufficient?'],
    [['--level', 'MAY'], '--level is "MAY"; allowed: MUST, SHOULD, OPEN'],
    [['--step', 'tokens'], '--step is "tokens"; allowed: headers, challenge, exchange'],
    [['token'], 'unexpected argument "token"'],
  ])('refuses %j', async (words, message) => {
    const { code, out, err } = await calling(['requirements', ...words]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});
