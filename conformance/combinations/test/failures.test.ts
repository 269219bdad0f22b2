import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Case, Cause } from '../case.js';
import { again, type Failure, shrink, type Try } from '../failures.js';
import { cause, state } from './scene.js';

const causes = [
  cause('forwarded name', 'Via: 1.1 gateway'),
  cause('user of a gateway', 'X-Debug: 1'),
  cause('Cookie', 'own cookie'),
  cause('User-Agent', 'User-Agent: curl/8.0'),
  cause('Accept', 'Accept: text/plain'),
  cause('query', '?page=1'),
  cause('method', 'HEAD'),
  cause('address', '/people'),
] as const;
const all: Case = { state: state('fresh token'), causes };

const failureOf = (tried: Case, row?: string): Failure => ({
  tried,
  verdict: { kind: 'fails', expected: 'it is honoured', actual: '401', ...(row === undefined ? {} : { row }) },
  chain: [],
});

/** Fails when all of these causes stand together. */
function failingWith(...needed: readonly Cause[]): { attempt: Try; tries: Case[] } {
  const tries: Case[] = [];
  const attempt: Try = async (tried) => {
    tries.push(tried);
    return needed.every((each) => tried.causes.includes(each)) ? failureOf(tried) : undefined;
  };
  return { attempt, tries };
}

test('shrinks to exactly the causes that matter, whichever they are, and in few tries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray([...causes]), fc.subarray([...causes]), async (present, needed) => {
      const tried = { ...all, causes: causes.filter((each) => present.includes(each) || needed.includes(each)) };
      const { attempt, tries } = failingWith(...needed);
      expect((await shrink(failureOf(tried), attempt)).tried.causes).toEqual(needed);
      expect(tries.length).toBeLessThanOrEqual(2 * causes.length);
    }),
    { seed: 3, numRuns: 200 },
  );
});

test('does not take away what makes it fail in another way', async () => {
  const attempt: Try = async (tried) => failureOf(tried, tried.causes.includes(causes[4]) ? 'protection.challenge-first' : undefined);
  const shrunk = await shrink(failureOf(all, 'protection.challenge-first'), attempt);
  expect(shrunk.tried.causes).toEqual([causes[4]]);
});

test('tries a failure again until it fails, five times at the most', async () => {
  let tries = 0;
  const failingAt =
    (number: number): Try =>
    async (tried) =>
      ++tries === number ? failureOf(tried) : undefined;
  expect(await again(failureOf(all), failingAt(5))).toEqual(failureOf(all));
  tries = 0;
  expect(await again(failureOf(all), failingAt(6))).toBeUndefined();
  expect(tries).toBe(5);
});
