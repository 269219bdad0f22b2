import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { jsonReport } from '../../report/index.js';
import { failingReport } from '../../report/test/samples.js';
import { calling } from './calling.js';

const folder = scratch();

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
    const rows = [...spec.catalogue.rows, ...spec.clientCatalogue.rows];
    for (const { id } of rows) expect(await calling(['explain', id])).toMatchObject({ code: 0, err: '' });
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
  const file = join(folder, 'report.json');
  writeFileSync(file, jsonReport(failingReport()));

  test('a report in JSON becomes the other formats, which name it', async () => {
    const [junit, html] = [join(folder, 'r.xml'), join(folder, 'r.html')];
    expect(await calling(['report', file, '--junit', junit, '--html', html])).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(junit, 'utf8')).toContain(`hydrauth replay ${file}`);
    expect(readFileSync(html, 'utf8')).toContain('<!doctype html>');
  });

  test('without a format it is printed', async () => {
    expect((await calling(['report', file])).out).toMatch(/\nNot conformant: 2 MUST.*\n$/);
  });

  test('of failures that are not there, the nearest ten that are there are named, each once', async () => {
    const report = failingReport();
    const [check] = report.requirements.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'fail'));
    const checks = Array.from({ length: 24 }, (_, index) => ({ ...check, id: `way-${index % 12}` }));
    const many = {
      ...report,
      requirements: report.requirements.map((each, index) => (index === 0 ? { ...each, checks } : { ...each, checks: [] })),
    };
    writeFileSync(join(folder, 'many.json'), jsonReport(many as typeof report));
    const { code, err } = await calling(['replay', join(folder, 'many.json'), 'wya-11']);
    expect([code, err]).toEqual([2, expect.stringMatching(/; it records way-11, (way-\d+, ){8}way-\d+ and 3 more\n/)]);
  });

  test('the scripts of failures are printed, and nothing is run', async () => {
    const { code, out } = await calling(['replay', file, '--curl', 'expiry.refused-after']);
    expect(code).toBe(0);
    expect(out).toMatch(/^# expiry\/refused-after: [\s\S]*#!\/bin\/sh/);
  });
});
