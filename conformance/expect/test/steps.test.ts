import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { authenticate, member, nonce, nonceOf, nonceShape, statusKeyed, token, tokenOf, tokenShape, tokenUnseparated } from '../index.js';
import { answer } from './answers.js';

const { protocol } = spec;
const uuid = '6F9619FF-8b86-d011-b42d-00cf4fc964ff';

describe('the question for credentials', () => {
  const judged = (...values: string[]) => authenticate(answer(values.map((value) => ['www-authenticate', value] as const)), protocol).ok;

  test.each([
    'Basic realm="Login required"',
    'basic REALM="Login required"',
    'Basic realm="Login\\ required", charset="UTF-8"',
    'Basic charset="UTF-8", realm = "Login required"',
    'Bearer, Basic realm="Login required"',
    'Negotiate abc==, Digest realm="x, y", nonce="n", Basic realm="Login required", Bearer scope="a b"',
    ', Basic  realm="Login required" ,',
  ])('%s', (value) => {
    expect(judged(value)).toBe(true);
    expect(judged('Bearer realm="x"', value)).toBe(true);
  });

  test.each([
    '',
    'Basic',
    'Basic realm="login required"',
    'Basic realm=Login required',
    "Basic realm='Login required'",
    'Basic realm="Login required',
    'Bearer realm="Login required"',
    'Basic, realm2="Login required"',
    'Basic Bearer realm="Login required"',
    'realm="Login required"',
    'Basic realm="other", realm="Login required"',
    'Basic realm="x", Bearer realm="Login required"',
    'Basic error="realm=\\"Login required\\""',
  ])('not %s', (value) => {
    expect(judged(value)).toBe(false);
  });

  test('an unquoted realm is the same where it can be one', () => {
    const other = { ...protocol, challenge: { ...protocol.challenge, realm: 'here' } };
    expect(authenticate(answer([['WWW-Authenticate', 'Basic realm=here']]), other).ok).toBe(true);
  });
});

test('nonce and token: there, and in shape', () => {
  const got = (name: string, ...values: string[]) => answer(values.map((value) => [name, value] as const));
  expect([nonce(got('x-authentication', uuid), protocol).ok, nonceShape(got('x-authentication', uuid), protocol).ok]).toEqual([true, true]);
  expect(nonceOf(got('x-authentication', uuid), protocol)).toBe(uuid);
  expect(nonceOf(got('X-Authentication', '', ` ${uuid} `, 'x'), protocol)).toBe(uuid);
  expect(tokenOf(got('X-Authorization', ' ', '0aF'), protocol)).toBe('0aF');
  expect(tokenOf(got('X-Authorization', '', ' '), protocol)).toBeUndefined();
  expect(nonce(answer(), protocol)).toMatchObject({ ok: false, actual: 'no X-Authentication header' });
  expect(nonce(got('X-Authentication', ''), protocol).ok).toBe(false);
  for (const wrong of [`{${uuid}}`, uuid.replace(/f$/, 'g'), `"${uuid}"`, uuid.replaceAll('-', ''), `${uuid}, ${uuid}`, 'x'])
    expect(nonceShape(got('X-Authentication', wrong), protocol).ok).toBe(false);
  expect([token(got('X-Authorization', '0aF'), protocol).ok, tokenShape(got('X-Authorization', '0aF'), protocol).ok]).toEqual([true, true]);
  for (const wrong of ['', '0x12', 'xyz', '-', 'ab cd']) expect(tokenShape(got('X-Authorization', wrong), protocol).ok).toBe(false);
  // Separators among the digits are another row's.
  for (const separated of ['ab-cd', 'a.b:c_d']) {
    expect(tokenShape(got('X-Authorization', separated), protocol).ok).toBe(true);
    expect(tokenUnseparated(got('X-Authorization', separated), protocol).ok).toBe(false);
  }
  expect(tokenUnseparated(got('X-Authorization', '0aF'), protocol).ok).toBe(true);
  expect(tokenShape(answer(), protocol).ok).toBe(false);
  expect([tokenShape(got('X-Authorization', '', '0aF'), protocol).ok, tokenShape(got('X-Authorization', '0aF', 'x'), protocol).ok]).toEqual(
    [true, false],
  );
});

describe('a body of one member', () => {
  const judged = (body: string | Buffer, headers: [string, string][] = []) => member(answer(headers, body), protocol.challenge.body).ok;

  test('is that member and nothing else', () => {
    expect(judged('{"401": "Need credentials to authenticate"}')).toBe(true);
    expect(judged('\n{"\\u003401":"Need credentials to authenticate"} ')).toBe(true);
    for (const other of [
      '',
      '{}',
      '[]',
      'null',
      '"401"',
      '{"401":"need credentials to authenticate"}',
      '{401:"Need credentials to authenticate"}',
      '{"401":["Need credentials to authenticate"]}',
      '[{"401":"Need credentials to authenticate"}]',
      '{"401":"Need credentials to authenticate","x":1}',
      '{"__proto__":{"401":"Need credentials to authenticate"}}',
      '{"401":"Need credentials to authenticate"}{}',
    ]) {
      expect(judged(other)).toBe(false);
    }
  });

  test('is read behind its content coding', () => {
    const packed = gzipSync('{"401": "Need credentials to authenticate"}');
    expect(judged(packed, [['Content-Encoding', 'gzip']])).toBe(true);
    expect(judged(packed)).toBe(false);
  });

  test('a failure shows what came', () => {
    expect(member(answer([], ''), { a: 'b' })).toEqual({ ok: false, expected: '{"a":"b"}', actual: 'an empty body' });
    const long = member(answer([], 'x'.repeat(5000)), { a: 'b' });
    expect(long.ok === false && long.actual.length).toBeLessThan(4200);
  });
});

test('error bodies are keyed by status', () => {
  const judged = (status: number, body: string) => statusKeyed(answer([], body, status), protocol).ok;
  expect([judged(404, '{"404":"Not here"}'), judged(500, '{"500":""}')]).toEqual([true, true]);
  for (const wrong of ['{"400":"x"}', '{"404":1}', '{"404":"x","a":"y"}', '']) expect(judged(404, wrong)).toBe(false);
});
