import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { durationWords, packageFile, spec } from '../../spec/index.js';
import { type Block, blocksOf, pages } from './blocks.js';
import { freed } from './following.js';
import { ways } from './ways.js';
import { Workplace } from './workplace.js';

afterAll(freed);

test('every block of every guide is followed, or left with a reason', () => {
  const there = Object.fromEntries(
    pages.map((page) => [page, blocksOf(page).map(({ text }) => text)]).filter(([, texts]) => texts?.length),
  );
  const known = Object.fromEntries(
    Object.entries(ways).map(([page, steps]) => [
      page,
      steps.map(([begins]) => expect.stringMatching(new RegExp(`^${begins.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`))),
    ]),
  );
  expect(there).toEqual(known);
});

test('the README tells the three steps with the values of the spec', () => {
  const { headers, challenge, exchange, token } = spec.protocol;
  const text = readFileSync(packageFile('README.md'), 'utf8');
  const told = [headers.authenticate, headers.nonce, headers.authorization, headers.token, challenge.authenticate];
  const bodies = [challenge.body, exchange.body].map((body) => JSON.stringify(body).replace(':', ': '));
  for (const each of [...told, ...bodies, durationWords(token.lifetimeMs)]) expect(text).toContain(each);
});

test('a fault of tokens that is shown for some requests is shown for those with a token', () => {
  const uses = pages.flatMap((page) =>
    blocksOf(page).flatMap(({ text }) => text.split('\n').filter((line) => /token-once.*next|next.*token-once/i.test(line))),
  );
  expect(uses.length).toBeGreaterThan(3);
  expect(uses.filter((line) => !line.includes('valid token'))).toEqual([]);
});

describe.each(Object.entries(ways))('%s', (page, steps) => {
  const place = new Workplace();
  afterAll(() => place.close());
  const blocks = blocksOf(page);
  for (const [at, [begins, follow]] of steps.entries()) {
    const { skip = false, note = '' } = follow.needed ?? {};
    test.skipIf(skip)(`line ${blocks[at]?.line}: ${begins}${note}`, async () => void (await follow(blocks[at] as Block, place)));
  }
});
