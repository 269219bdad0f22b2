import { expect, test, vi } from 'vitest';
import type { Finding } from '../../finding.js';
import { Trial } from '../../subject/index.js';
import { refusal } from '../../test/messages.js';
import { scriptedSubject } from '../../test/scripted-subject.js';
import { withCulprits } from '../culprit.js';
import type { OpenTarget } from '../target.js';

test('a target that fails in many ways and takes its time does not stretch the search for what brought it about', async () => {
  const token = 'x-authorization';
  const carriesToken = (headers: readonly (readonly [string, string])[]) => headers.some(([name]) => name.toLowerCase() === token);
  let nowMs = 0;
  const answerMs = 1000;
  const subject = scriptedSubject({
    answers(plan, usual) {
      nowMs += answerMs;
      return carriesToken(plan.headers) ? refusal : usual();
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
  const told = await withCulprits(findings, Object.assign(subject, { patience: { over: undefined } }) as unknown as OpenTarget, new Set());
  now.mockRestore();
  expect(told).toEqual(findings);
  expect(nowMs - beganMs).toBeGreaterThan(0);
  expect(nowMs - beganMs).toBeLessThanOrEqual(12_000 + 3 * answerMs);
});
