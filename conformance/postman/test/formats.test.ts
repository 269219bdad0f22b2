import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { applyFixtures, faults, variants } from '../../../fixtures/index.js';
import { sample } from '../../../fixtures/test/depth.js';
import { needs } from '../../../fixtures/test/needs.js';
import { startReferenceServer } from '../../../reference-server/index.js';
import { spec } from '../../../spec/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { brunoFiles, hurlText, runPostman } from '../index.js';
import { ids, options, user } from './running.js';

/** Each violates another requirement. */
const everyFault = [
  'challenge-403 content-type-json-on-challenge allow-origin-echoed chunked date-iso authenticate-missing nonce-missing',
  'nonce-not-looked-up nonce-without-hyphens nonce-constant challenge-other-text exchange-201 token-in-another-header token-base64',
  'sliding token-of-the-user nonce-not-needed credentials-not-needed token-once one-token-a-user token-not-looked-up',
  'vocabulary-open expires-in-seconds expires-never routing-before-authentication',
].flatMap((names) => names.split(' '));
const broken = sample(everyFault, 7);
/** Unusual in several ways at once. */
const unusual = 'link-relative media-type-parameters wrong-credentials-403 nonce-reusable nonce-on-every-answer';

async function reference(name: string) {
  const changes = [...faults, ...variants].filter(({ id }) => name.split(' ').includes(id));
  const { url, clockUrl, close } = await startReferenceServer(applyFixtures(changes, options));
  return { name, base_url: url, clock_url: clockUrl as string, close };
}

const variablesOf = ({ base_url, clock_url }: Awaited<ReturnType<typeof reference>>) => {
  return { base_url, clock_url, collection: 'books', user_id: user.id, paraphrase: user.paraphrase, no_clock: 'false' };
};
type Variables = ReturnType<typeof variablesOf>;

/** What a judge says of every server, by its name; each judge gets servers of its own. */
async function verdicts<T>(judge: (given: readonly Variables[]) => Promise<readonly T[]>): Promise<Record<string, T>> {
  const servers = await Promise.all(['the reference server', unusual, ...broken].map(reference));
  const told = await judge(servers.map(variablesOf)).finally(() => Promise.all(servers.map(({ close }) => close())));
  return Object.fromEntries(servers.map(({ name }, index) => [name, told[index] as T]));
}

const inTurn =
  <T>(judge: (given: Variables) => Promise<T>) =>
  async (all: readonly Variables[]): Promise<T[]> => {
    const told: T[] = [];
    for (const given of all) told.push(await judge(given));
    return told;
  };

const [bru, hurl] = [needs('bru'), needs('hurl')];
const folder = scratch();
let failedByNewman: Record<string, string[]>;

beforeAll(async () => {
  if (bru.skip && hurl.skip) return;
  for (const [path, text] of [...brunoFiles(spec), ['hydrauth.hurl', hurlText(spec)] as const]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const given = { spec, collection: 'books', user, timeoutMs: 60_000, selected: () => true };
  failedByNewman = await verdicts(
    inTurn(async ({ base_url: baseUrl, clock_url: clockUrl }) => ids(await runPostman({ ...given, baseUrl, clockUrl }), 'fail')),
  );
  expect(Object.keys(failedByNewman).filter((name) => failedByNewman[name]?.length !== 0)).toEqual(broken);
}, 900_000);

const ended = (program: string, words: readonly string[]) =>
  new Promise<boolean>((resolve) => {
    execFile(program, words, { cwd: folder, maxBuffer: 2 ** 26 }, (error) => resolve(error === null));
  });

test.skipIf(bru.skip)(`Bruno fails the requirements that Newman fails${bru.note}`, { timeout: 900_000 }, async () => {
  type Tests = { description: string; status: string }[];
  const failed = await verdicts(async (all) => {
    writeFileSync(join(folder, 'servers.json'), JSON.stringify(all));
    const files = ['--json-file-path', 'servers.json', '--reporter-json', 'report.json'];
    await ended(bru.path, ['run', '-r', '--disable-cookies', '--sandbox', 'developer', '--env', 'target', ...files]);
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
      results: { testResults: Tests; preRequestTestResults: Tests }[];
    }[];
    return report.map(({ results }) => {
      const tests = results.flatMap(({ testResults, preRequestTestResults }) => [...preRequestTestResults, ...testResults]);
      return [...new Set(tests.flatMap(({ description, status }) => (status === 'pass' ? [] : description.split(':', 1))))].sort();
    });
  });
  expect(failed).toEqual(failedByNewman);
});

test.skipIf(hurl.skip)(`Hurl fails the servers that Newman fails${hurl.note}`, { timeout: 900_000 }, async () => {
  const passed = await verdicts(
    inTurn((given) => {
      const words = Object.entries(given).flatMap(([name, value]) => ['--variable', `${name}=${value}`]);
      return ended(hurl.path, ['--test', '--continue-on-error', ...words, 'hydrauth.hurl']);
    }),
  );
  expect(Object.keys(passed).filter((name) => !passed[name])).toEqual(broken);
});
