import { expect, test } from 'vitest';
import { failedOf, failuresOf, judged } from './judging.js';

test.each([
  ['tokens-end-with-the-delete-of-a-stranger', 'DELETE'],
  ['token-refused-after-the-post-of-a-stranger', 'POST'],
])('%s: the request that is the cause stands in the chain and in the script, and no path leads past it', async (fault, method) => {
  const report = await judged([fault], { only: ['token', 'protection.methods'] });
  expect(failedOf(report)).toEqual(['token.independent']);
  const check = failuresOf(report, 'token.independent').find(({ cause }) => cause !== undefined);
  expect(check?.cause).toMatch(new RegExp(`^${method} .*, sent before it: without that request the answer is right$`));
  const methods = check?.exchanges.flatMap((each) => ('request' in each ? [each.request.method] : []));
  // The control, the cause, and the same request once more.
  expect(methods?.slice(-3)).toEqual(['GET', method, 'GET']);
  expect(check?.curl).toContain(method);
  expect(check?.path).toBeNull();
  const told = report.requirements.flatMap(({ id, checks }) => checks.map(({ message }) => [id, message?.split('reported under ')[1]]));
  expect(told.filter(([id, under]) => under !== undefined && (under === id || !/token\.independent|another check/.test(under)))).toEqual(
    [],
  );
});
