import { describe, expect, test } from 'vitest';
import { createReferenceServer } from '../index.js';
import { expectChallenge, get, missingCommon } from './support.js';

describe('rule 1: every request is protected', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];
  test.each(methods)('%s', async (method) => expectChallenge(await get(createReferenceServer(), '/api/books', {}, method)));

  const paths = [
    '/',
    '/api',
    '/api/',
    '/api/vocab',
    '/api/none',
    '/other',
    '/%zz',
    '/api/%62ooks',
    '/api//books',
    '/api/../api/books',
    '/api/books/',
    '/API/BOOKS',
    '/api/books?x=%zz',
    '/api/books;a=b',
    '/api/books%00',
    '/favicon.ico',
  ];
  test.each(paths)('%s', async (path) => expectChallenge(await get(createReferenceServer(), path)));

  const headers = [
    { cookie: 'bad=" cookie' },
    { 'x-http-method-override': 'OPTIONS' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-original-url': '/public' },
    { origin: 'https://elsewhere.example' },
    { accept: 'text/html' },
    { 'content-type': 'application/json', 'content-length': '0' },
    { range: 'bytes=0-1' },
    { 'if-none-match': '*' },
    { host: '' },
    { upgrade: 'websocket', connection: 'upgrade' },
  ];
  test.each(headers)('%j', async (lines) =>
    expectChallenge(await get(createReferenceServer(), '/api/books', lines as Record<string, string>)),
  );

  test('a request with a body', async () => {
    expectChallenge(await createReferenceServer().inject({ method: 'POST', url: '/api/books', payload: { a: 1 } }));
  });

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
});
