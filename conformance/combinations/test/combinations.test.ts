import { expect, test } from 'vitest';
import { header } from '../../../fixtures/changes.js';
import { refuseToken } from '../../../fixtures/states.js';
import { failedOf, failuresOf, judged, warnedOf } from '../../test/seen/judging.js';

test.each([
  ['one cause is told alone', 'token-refused-with-head', 'token.sufficient', /^A valid token is served when the method is HEAD$/],
  [
    'two causes that only fail together are told together, once',
    'stranger-let-in-by-an-overridden-post',
    'protection.headers',
    /^A request without credentials gets the challenge \(401\) when the request has "X-HTTP-Method-Override: (GET|OPTIONS)" and the method is POST$/,
  ],
  [
    'what comes instead of the challenge is told by a row of its own',
    'stranger-not-acceptable',
    'protection.challenge-first',
    /^A request without credentials gets the challenge \(401\) when the request has "Accept: text\/plain"$/,
  ],
  [
    'a use that prolongs a token in one circumstance is told by that circumstance',
    'prolonged-by-a-condition',
    'expiry.not-sliding',
    /^A token is refused after it expired, also when before that [^,]*If-None-Match[^,]*$/,
  ],
])('%s', async (_, fault, row, sentence) => {
  const report = await judged([fault], { only: [row] }, { clock: 'manual' });
  expect([...failedOf(report), ...warnedOf(report)]).toEqual([row]);
  for (const { expected } of failuresOf(report, row)) expect(expected).toMatch(sentence);
});

test('what stands beside a cause that was told is told, too', async () => {
  const cases = ['user of a gateway=X-Debug: 1', 'user of a gateway=X-Debug: 1 | method=HEAD'].map((each) => `fresh token | ${each}`);
  const report = await judged([refuseToken((request) => header(request, 'x-debug') !== undefined), 'token-refused-with-head'], {
    replay: cases.map((path) => ({ check: 'token.sufficient/combinations', path })),
  });
  expect(
    failuresOf(report, 'token.sufficient')
      .map(({ expected }) => expected?.replace(/^.* when /, ''))
      .sort(),
  ).toEqual(['the method is HEAD', 'the request has "X-Debug: 1"']);
});
