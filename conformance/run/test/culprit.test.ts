import { expect, test, vi } from 'vitest';
import type { Finding } from '../../finding.js';
import { Trial } from '../../subject/index.js';
import { openSubject } from '../../test/open-subject.js';
import { withCulprits } from '../culprit.js';

test('a target that fails in many ways and takes its time does not stretch the search for what brought it about', async () => {
  let nowMs = 0;
  const answerMs = 1000;
  const subject = await openSubject({
    answers({ headers, base }, parts) {
      nowMs += answerMs;
      return headers['x-authorization'] === undefined ? undefined : parts.answers.error(401, base, parts);
    },
  });
  const trial = new Trial(subject);
  const given = await trial.login();
  const findings: Finding[] = [];
  for (let time = 0; time < 30; time += 1)
    findings.push({
      ...{ requirement: 'token.sufficient', check: `c${time}`, engine: 'laws', outcome: 'fail' },
      chain: [await trial.use(given)],
    });
  const beganMs = nowMs;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const told = await withCulprits(findings, subject, new Set());
  now.mockRestore();
  expect(told).toEqual(findings);
  expect(nowMs - beganMs).toBeGreaterThan(0);
  expect(nowMs - beganMs).toBeLessThanOrEqual(12_000 + 3 * answerMs);
});

test.each([
  ['is right', false, [undefined, 'token.reusable']],
  ['is wrong', true, [undefined, undefined]],
])('a warning that %s alone is told by a violation about the same asker, or itself', async (_, staysWrong, by) => {
  let isBroken = true;
  const subject = await openSubject({
    answers({ headers, base }, parts) {
      const isWrong = isBroken || (staysWrong && headers.authorization !== undefined);
      return isWrong && headers['x-authorization'] !== undefined ? parts.answers.error(401, base, parts) : undefined;
    },
  });
  const trial = new Trial(subject);
  const given = await trial.login();
  const failed = async (requirement: string, ...headers: (readonly [string, string])[]): Promise<Finding> => ({
    ...{ requirement, check: requirement, engine: 'laws', outcome: 'fail', about: 'valid-token' },
    chain: [await trial.use(given, { headers })],
  });
  const findings = [await failed('token.reusable'), await failed('token.beside-other-credentials', ['Authorization', 'Other x'])];
  isBroken = false;
  expect((await withCulprits(findings, subject, new Set())).map(({ toldBy }) => toldBy)).toEqual(by);
});
