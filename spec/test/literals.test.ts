import { describe, expect, test } from 'vitest';
import { durationWords, type Json, spec } from '../index.js';

const reached = new Set(spec.literals.flatMap(({ at }) => at.map((place) => `${place.in} ${place.pointer.join('/')}`)));

/** Every place of the document that says something about the messages of the protocol. */
function places(value: Json, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const here = [...path, name];
    const key = `key ${here.join('/')}`;
    if (name === 'const' || name === 'pattern' || name.startsWith('x-')) return leaves(member, here, name === 'const');
    if (path[0] === 'paths' && path.at(-1) === 'responses' && /^\d{3}$/.test(name)) return [key];
    if (path.includes('responses') && path.at(-1) === 'headers') return [key];
    if (path.includes('responses') && path.at(-1) === 'content') return [key, ...places(member, here)];
    if (path.at(-2) === 'securitySchemes' && name === 'name') return [`value ${here.join('/')}`];
    return places(member, here);
  });
}

function leaves(value: Json, path: readonly string[], keysCount: boolean): string[] {
  if (typeof value !== 'object' || value === null) return [`value ${path.join('/')}`];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(keysCount ? [`key ${[...path, name].join('/')}`] : []),
    ...leaves(member, [...path, name], keysCount),
  ]);
}

describe('the literals of the protocol', () => {
  test('are found at every place where the document has one', () => {
    const all = places(spec.source.openapi);
    expect(all.length).toBeGreaterThan(30);
    expect(all.filter((place) => !reached.has(place))).toEqual([]);
  });

  test('are those of the source text', () => {
    const { headers, challenge, exchange, token, link, mediaType, allowOrigin } = spec.protocol;
    expect({ mediaType, allowOrigin, link, token }).toEqual({
      mediaType: 'application/ld+json',
      allowOrigin: '*',
      link: { relation: 'http://www.w3.org/ns/hydra/core#apiDocumentation', path: '/vocab' },
      token: { lifetime: 'PT45M', lifetimeMs: 45 * 60 * 1000 },
    });
    expect(headers).toEqual({
      contentType: 'Content-Type',
      authorization: 'Authorization',
      nonce: 'X-Authentication',
      token: 'X-Authorization',
      authenticate: 'WWW-Authenticate',
      link: 'Link',
      allowOrigin: 'Access-Control-Allow-Origin',
      contentLength: 'Content-Length',
      date: 'Date',
    });
    expect(challenge).toMatchObject({
      status: 401,
      body: { '401': 'Need credentials to authenticate' },
      authenticate: 'Basic realm="Login required"',
      scheme: 'Basic',
      realm: 'Login required',
    });
    expect(exchange).toMatchObject({ status: 200, body: { '200': 'User token generated' } });
  });
});

test.each([
  [2_700_000, '45 minutes'],
  [2_701_000, '45 minutes and 1 second'],
  [3_600_000, '1 hour'],
  [90_061_500, '1 day, 1 hour, 1 minute, 1 second and 500 ms'],
  [0, '0 ms'],
])('%i ms are %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
