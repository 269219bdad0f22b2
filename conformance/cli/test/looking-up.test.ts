import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Catalogue, spec } from '../../../spec/index.js';
import { scratch, scratchFile } from '../../../spec/test/scratch.js';
import { optionTable } from '../../option-table.js';
import { jsonReport } from '../../report/index.js';
import { failingReport } from '../../report/test/samples.js';
import { calling } from './calling.js';

const folder = scratch();

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

describe('explain', () => {
  test('tells what a requirement says, what checks it, a fault that breaks it, and the exchange as curl', async () => {
    const { code, out } = await calling(['explain', 'expiry.not-sliding'], { columns: 120 });
    expect(code).toBe(0);
    for (const part of [
      /^expiry\.not-sliding {2}MUST\n/,
      /Says +Using a token does not extend/,
      /Checked by +expiry\.not-sliding, the Postman/,
    ])
      expect(out).toMatch(part);
    expect(out).toMatch(/Broken by +--fault sliding: Every use/);
    expect(out).toContain(`-H "${spec.protocol.headers.token}: <token>"`);
  });

  test.each([
    ['headers.link', '\nStep A, when everything is right:\n'],
    ['exchange.unknown-user-refused', '\nSteps A and B, when everything is right:\n'],
    ['expiry.refused-after', '\nSteps A, B and C, when everything is right:\n'],
    ['off.served', '\nA read, with authentication switched off:\n'],
  ])('says of %s what the exchange is', async (id, title) => {
    expect((await calling(['explain', id])).out).toContain(title);
    expect((await calling(['explain', 'config.users'])).out).not.toContain('curl');
  });

  test('explains every row of the catalogue, and suggests one for a slip', async () => {
    for (const { id } of allRows) expect(await calling(['explain', id])).toMatchObject({ code: 0, err: '' });
    expect((await calling(['explain', 'client.token-reused'])).out).toMatch(/Checked by +hydrauth check-client, hydrauth watch/);
    const near = async (id: string) => calling(['explain', id]);
    expect(await near('tokn.reusable')).toMatchObject({ code: 2, err: expect.stringContaining('Near it is token.reusable') });
    for (const [id, kind] of [
      ['sliding', 'fault'],
      ['lenient-router', 'variant'],
    ] as const)
      expect(await near(id)).toMatchObject({
        code: 2,
        err: expect.stringContaining(`there is no requirement ${id}. It is a ${kind}: hydrauth ${kind}s ${id}.`),
      });
    expect(await near('nonce')).toMatchObject({ code: 2, err: expect.stringMatching(/Near it are challenge\.nonce, challenge\.nonce-/) });
  });
});

describe.each([
  ['faults', 'sliding', /^sliding +Every use lengthens the life of a token\. \(expiry\.not-sliding\)/m],
  ['variants', 'router', /^lenient-router +With a token/m],
])('%s', (kind, word, row) => {
  test('lists all, or those with a word, in sentences', async () => {
    const found = await calling([kind, word], { columns: 200 });
    expect(found.out).toMatch(row);
    expect((await calling([kind, word.slice(0, -1)], { columns: 200 })).out).toMatch(row);
    expect((await calling([kind])).out.length).toBeGreaterThan(found.out.length);
    expect(await calling([kind, word.slice(1)])).toMatchObject({ code: 2 });
    expect(await calling([kind, 'no such word'])).toMatchObject({ code: 2, err: expect.stringContaining('lists all') });
  });
});

describe('report and replay --curl', () => {
  const file = scratchFile('report.json', jsonReport(failingReport()), folder);

  test('a report in JSON becomes the other formats, which name it', async () => {
    const [junit, html] = [join(folder, 'r.xml'), join(folder, 'r.html')];
    expect(await calling(['report', file, '--junit', junit, '--html', html])).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(junit, 'utf8')).toContain(`hydrauth replay ${file}`);
    expect(readFileSync(html, 'utf8')).toContain('<!doctype html>');
  });

  test('of failures that are not there, the nearest ten that are there are named, each once', async () => {
    const report = failingReport();
    const [check] = report.requirements.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'fail'));
    const checks = Array.from({ length: 24 }, (_, index) => ({ ...check, id: `way-${index % 12}` }));
    const many = {
      ...report,
      requirements: report.requirements.map((each, index) => (index === 0 ? { ...each, checks } : { ...each, checks: [] })),
    };
    const { code, err } = await calling(['replay', scratchFile('many.json', jsonReport(many as typeof report)), 'wya-11']);
    expect([code, err]).toEqual([2, expect.stringMatching(/; it records way-11, (way-\d+, ){8}way-\d+ and 3 more\n/)]);
  });

  test('the scripts of failures are printed, and nothing is run', async () => {
    const { code, out } = await calling(['replay', file, '--curl', 'expiry.refused-after']);
    expect(code).toBe(0);
    expect(out).toMatch(/^# expiry\/refused-after: [\s\S]*#!\/bin\/sh/);
  });
});
