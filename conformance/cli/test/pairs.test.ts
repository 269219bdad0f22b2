import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchFile } from '../../../spec/test/scratch.js';
import { complaint, examineRow, isRight } from '../../self-test/index.js';
import { drawPairs, replacedFunctions, specimenOf } from '../self-test/specimens.js';
import { calling } from './calling.js';

const idsOf = (count: number, seed: number, only: readonly string[] = []) => drawPairs(count, seed, only).map(({ id }) => id);

test('the same seed draws the same pairs, another seed draws others', () => {
  expect(idsOf(20, 1)).toEqual(idsOf(20, 1));
  expect(idsOf(20, 2)).not.toEqual(idsOf(20, 1));
  expect(new Set(idsOf(200, 1)).size).toBe(200);
});

test('the members of a pair replace different functions, and none changes settings alone', () => {
  const replaced = new Map([...replacedFunctions()].map(([{ id }, names]) => [id, names]));
  expect(replaced.get('token-in-capitals')).toEqual(['tokens.draw']);
  expect(['off', 'no-base-path', 'off-without-link'].filter((id) => replaced.has(id))).toEqual([]);
  const shared = idsOf(1000, 1).filter((id) => {
    const names = id.split('+').flatMap((member) => replaced.get(member) ?? []);
    return names.length === 0 || new Set(names).size < names.length;
  });
  expect(shared).toEqual([]);
});

test('are of faults, or of a fault and a variant, and can be drawn around one of them', () => {
  const drawn = drawPairs(1000, 1, []);
  expect(drawn.some(({ id }) => id.startsWith('token-in-capitals+'))).toBe(true);
  expect(drawn.every(({ kind, expected }) => kind === 'pair' && expected.length > 0)).toBe(true);
  expect(idsOf(5, 1, ['sliding']).filter((id) => !id.split('+').includes('sliding'))).toEqual([]);
});

test('a pair is listed with both sentences', async () => {
  const { code, out } = await calling(['self-test', '--pairs', '3', '--only', 'sliding', '--list']);
  expect(code).toBe(0);
  expect(out.trim().split('\n')).toHaveLength(3);
  expect(out).toContain('Every use ');
});

test('a pair is told whole by both engines together', async () => {
  const row = await examineRow(specimenOf('token-in-capitals+link-missing-on-exchange'), {
    seed: 1,
    runs: 1,
    only: ['headers', 'exchange.token', 'token.sufficient'],
  });
  expect(isRight(row) ? '' : complaint(row)).toBe('');
  expect(row.examination?.found['headers.link']).toMatchObject({ laws: [expect.any(String)], postman: [expect.any(String)] });
});

/** In each of these the one was once taken for the reason of the other, or kept it from being repeated. */
test.each([
  'token-in-query-honoured+query-hides-the-path',
  'few-nonces+unknown-user-accepted-from-inside',
  'token-while-it-lives+token-refused-to-another-user-agent',
  'address-locked+token-refused-beside-credentials-with-a-query',
  'nonce-before-token+counted-from-the-nonce',
  'few-nonces+login-refused-from-another-address',
  'token-of-a-sequence+almost-token-accepted-with-an-origin',
  'last-thirty-tokens+context-document-open',
  'credentials-before-token+life-from-process-start',
  'token-refused-beside-a-nonce-with-head+five-tokens-a-user',
  'nonce-ends-with-a-login+token-refused-after-the-post-of-a-stranger',
  'connection-refuses-after-a-refusal+expires-after-two-thirds',
  'token-while-it-lives+expires-after-two-thirds',
  'token-while-it-lives+sliding',
  'expires-a-little-late+counted-from-the-last-login',
  'expired-token-ends-young-ones+token-refused-behind-a-proxy',
  'token-bound-to-its-collection+context-is-a-number',
  'expired-token-ends-young-ones+refusal-in-plain-text',
  'expired-token-ends-young-ones+id-read-loosely',
  'expired-token-ends-young-ones+stale-token-refused-first',
  'token-in-cookie-honoured+escapes-open',
  'body-in-latin-1+nonce-missing',
  'token-of-user-and-second+login-dies-after-bad-octets',
])('neither mistake of %s hides the other', async (id) => {
  const specimen = specimenOf(id);
  // What a stranger does to others, what almost a token is among few numbers, and what nonces of others are good for is seen in what is sent for others.
  const selected = /of-a-(stranger$|sequence)|(from-inside|bad-octets)$/.test(id) ? {} : { only: specimen.expected };
  const row = await examineRow(specimen, { seed: 12, runs: 1, engine: 'laws', ...selected });
  expect(isRight(row) ? '' : complaint(row)).toBe('');
});

test('the self-test judges in processes of its own, prints the matrix, and ends with 1 where it differs from the golden file', async () => {
  const golden = scratchFile('golden', '{"id":"challenge-403","seed":1,"failed":[],"untested":[]}\n');
  const json = `${golden}.json`;
  const words = ['self-test', '--quick', '--only', 'challenge-403', '--workers', '1', '--seed', '1', '--golden', golden, '--json', json];
  const { code, out } = await calling(words);
  expect(out).toMatch(/challenge-403 +found +all/);
  expect(out).toContain('Golden: challenge-403: now failed: challenge.status\n');
  expect(JSON.parse(readFileSync(json, 'utf8')).counts).toMatchObject({ faults: 1, missed: 0, alarms: 0 });
  expect(code).toBe(1);
});
