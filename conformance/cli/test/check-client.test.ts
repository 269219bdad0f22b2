import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../fixtures/test/needs.js';
import { packageFile } from '../../../spec/index.js';
import { scratch, scratchFile } from '../../../spec/test/scratch.js';
import { readReport } from '../../report/index.js';
import { type Called, calling } from './calling.js';

const folder = scratch();
const file = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(file(name), 'utf8');

const client = [process.execPath, packageFile('conformance', 'client', 'test', 'client.mjs')];
/** The same client with a prefix before its token. */
const broken = scratchFile(
  'broken.mjs',
  readFileSync(client[1] as string, 'utf8').replaceAll("'X-Authorization': token", "'X-Authorization': 'Bearer ' + token"),
  folder,
);

const row = 'client.token-as-received';
const judged = (words: readonly string[], ...options: string[]) =>
  calling(['check-client', '--timeout', '30000', ...options, '--only', row, 'client.tells-success', '--', ...words]);

describe('hydrauth check-client', () => {
  describe('with a client that does not conform', () => {
    const formats = ['json', 'junit', 'earl', 'html', 'markdown'];
    let called: Called;
    beforeAll(async () => {
      called = await judged([process.execPath, broken], ...formats.flatMap((name) => [`--${name}`, file(`report.${name}`)]));
    });

    test('ends with 1, and tells clause, what came, and how to repeat it', () => {
      expect(called.code).toBe(1);
      expect(called.out).toContain('The token is sent exactly as it was received.');
      expect(called.out).toContain('another value');
      expect(called.out).toMatch(new RegExp(`hydrauth replay \\S*report\\.json ${row} --run-recorded-command\n`));
      expect(called.out).toContain(`{"requirement":"${row}"`);
    });

    test('writes reports that follow the schema, in every format', () => {
      const report = readReport(file('report.json'));
      expect(report.target.client).toEqual({ way: 'command', name: `${process.execPath} ${broken}`, command: [process.execPath, broken] });
      expect(report.requirements.find(({ id }) => id === row)?.checks[0]?.curl).toBeNull();
      for (const name of formats) expect(read(`report.${name}`)).toContain(row);
      expect(read('report.html')).toContain('client, started anew for each scenario');
      expect(read('report.html')).toContain('<li class="ask offending is-fail">');
    });

    test('can be replayed, with a command that the caller has seen', async () => {
      const replayed = (...words: string[]) => calling(['replay', file('report.json'), '--timeout', '30000', ...words]);
      for (const words of [['--run-recorded-command'], ['--', process.execPath, broken]])
        expect(await replayed(...words)).toMatchObject({ code: 1, out: expect.stringContaining('Replayed 1: 1 failed again') });
      const { code, out, err } = await replayed();
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(`${process.execPath} ${broken}\nGive the command behind --, or --run-recorded-command`);
    });

    test('is known to a baseline, and the rest has no verdict', async () => {
      await judged([process.execPath, broken], '--write-baseline', file('baseline.json'));
      const [entry] = JSON.parse(read('baseline.json'));
      expect(entry.requirement).toBe(row);
      const until = (day: string) => writeFileSync(file('baseline.json'), JSON.stringify([{ ...entry, owner: 'Ada', until: day }]));
      until('2001-12-31');
      const past = await judged([process.execPath, broken], '--baseline', file('baseline.json'));
      expect(past).toMatchObject({ code: 1, out: expect.stringMatching(/until 2001-12-31, which is past; ask\s+Ada\./) });
      until('tomorrow');
      expect((await judged(client, '--baseline', file('baseline.json'))).err).toContain('"until" is "tomorrow"; the last day');
      until('2999-12-31');
      const { code, out } = await judged([process.execPath, broken], '--baseline', file('baseline.json'));
      expect(out).toContain('1 known failure');
      expect(code).toBe(3);
    });
  });

  test.each<[string[], string]>([
    [[], '<COMMAND> is missing'],
    [['--only', 'challenge.status', '--', 'true'], '"challenge.status" matches no requirement'],
    [['--jobs', '0', '--', 'true'], '--jobs is 0; a whole number from 1 to 64 is allowed'],
    [['--baseline', '/no/such/file', '--', 'true'], 'the baseline cannot be read (ENOENT)'],
  ])('refuses %j', async (words, message) => {
    expect(await calling(['check-client', ...words])).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});

const python = needs('python3');

test.skipIf(python.skip)(`the script of the guide tells a stranger the token when it follows redirects${python.note}`, async () => {
  const guide = readFileSync(packageFile('docs', 'test-my-client.md'), 'utf8');
  const script = /```python\n(.*?)```/s.exec(guide)?.[1] ?? '';
  expect(script).toContain('build_opener(StayHere)');
  const follows = scratchFile('follows.py', script.replace('build_opener(StayHere)', 'build_opener()'));
  const rows = ['client.redirect-secrets', 'client.link-secrets', 'client.renews-token', 'client.header-blanks', 'client.utf8'];
  const words = ['check-client', '--timeout', '60000', '--only', ...rows, '--', 'python3', follows];
  const { code, out } = await calling(words, { columns: 140 });
  expect(code).toBe(1);
  const shown = /```text\n(1\. client\.redirect-secrets.*?)```/s.exec(guide)?.[1] ?? '';
  expect(shown).not.toBe('');
  expect(out).toContain(shown.trimEnd());
});
