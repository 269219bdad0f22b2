import { expect, test } from 'vitest';
import { answer, protocol, read, refusal, resource } from '../../test/messages.js';
import type { RequestPlan } from '../../wire/index.js';
import { inWords } from '../index.js';
import { Asking } from './asking.js';

const at = (target: string, more: Partial<RequestPlan> = {}): RequestPlan => ({ method: 'GET', target, headers: [], ...more });

test.each([
  ['the first collection', at('/api/things'), 'protection.collections'],
  ['another collection', at('/api/people'), 'protection.collections'],
  ['HEAD', at('/api/things', { method: 'HEAD' }), 'protection.collections'],
  ['the vocabulary', at(`/api${protocol.link.path}`), 'protection.vocabulary'],
  ['another method', at('/api/things', { method: 'POST' }), 'protection.methods'],
  ['a query', at('/api/things?page=1'), 'protection.queries'],
  ['an empty query', at('/api/things?'), 'protection.queries'],
  ['another header', at('/api/things', { headers: [['X-Debug', '1']] }), 'protection.headers'],
  ['another method with a query and a header', at('/api/things?x', { method: 'PUT', headers: [['X', '1']] }), 'protection.methods'],
  ['a target with scheme and host', at('http://127.0.0.1:8080/api/things'), 'protection.collections'],
  ['a slash at the end', at('/api/things/'), 'protection.path-spellings'],
  ['two slashes at the end', at('/api/things//'), 'protection.path-spellings'],
  ['capitals', at('/api/THINGS'), 'protection.path-spellings'],
  ['an ending', at('/api/things.json'), 'protection.path-spellings'],
  ['a dot segment', at('/api/x/../things'), 'protection.path-spellings'],
  ['a percent-encoded letter', at('/api/%74hings'), 'protection.path-spellings'],
  ['the base', at('/api'), 'protection.unknown-paths'],
  ['the base with a slash', at('/api/'), 'protection.unknown-paths'],
  ['a path that nobody has', at('/api/no-such/path'), 'protection.unknown-paths'],
  ['a member of a collection', at('/api/things/1'), 'protection.unknown-paths'],
])('a stranger is refused: %s', (_, plan, requirement) => {
  const asking = new Asking();
  expect(asking.ask(plan, refusal)).toBeUndefined();
  expect(asking.ask(plan, resource)?.expectation).toMatchObject({ about: 'stranger', must: 'challenged', requirement });
  expect(asking.oracle.rate('stranger')).toEqual({ of: 2, contradicted: 1 });
});

test('of a contradiction no more of a body is kept than a report shows, and its length is told', () => {
  const asking = new Asking();
  const found = asking.ask(at('/api/things'), { ...resource, body: Buffer.alloc(5_000_000, ' ') });
  expect(found?.exchange.answer?.body.length).toBeLessThan(20_000);
  expect(found && inWords(found.exchange, protocol)).toContain('a body of 5000000 octets');
});

test.each([
  ['a WebSocket that stays open', 'WebSocket', { staysOpen: true }, 'protection.headers'],
  ['a WebSocket that brings a text', 'WebSocket', { body: Buffer.from([0x81, 0]) }, 'protection.headers'],
  ['a WebSocket that is closed at once', 'WebSocket', { body: Buffer.from([0x88, 0]) }, undefined],
  ['HTTP/2, whose answer is still to come', 'h2c', { staysOpen: true }, undefined],
] as const)('a stranger is refused a change to %s, or given nothing', (_, upgrade, after, requirement) => {
  const came = { ...answer(101, [['Upgrade', upgrade]], ''), ...after };
  const told = new Asking().ask(at('/api/things', { headers: [['Upgrade', upgrade]] }), came);
  expect(told?.expectation.requirement).toBe(requirement);
});

test.each([
  ['outside the base', at('/other')],
  ['a sibling that begins like the base', at('/apis/things')],
  ['OPTIONS, which has rows of its own', at('/api/things', { method: 'OPTIONS' })],
])('of a stranger nothing is said: %s', (_, plan) => {
  const asking = new Asking();
  expect(asking.ask(plan, resource)).toBeUndefined();
  expect(asking.oracle.rate('stranger')).toEqual({ of: 0, contradicted: 0 });
});

test('an answer that limits rates, or none, says nothing', () => {
  const asking = new Asking();
  for (const status of [423, 429, 503]) asking.ask(read(), answer(status, [], '{"@id":"x"}'));
  asking.ask(read());
  expect(asking.oracle.rate('stranger')).toEqual({ of: 0, contradicted: 0 });
});

test('a 2xx that holds only an error keyed by its status is a refusal', () => {
  const asking = new Asking();
  asking.ask(read(), answer(200, [], '{"401":"Need credentials to authenticate"}'));
  expect(asking.rows).toEqual([]);
  asking.ask(read(), answer(200, [], '{"200":"Welcome"}'));
  asking.ask(read(), answer(204));
  expect(asking.rows).toEqual(['protection.collections', 'protection.collections']);
});

test('where the challenge itself is a 2xx, HEAD cannot tell it from a resource', () => {
  const asking = new Asking();
  asking.oracle.challengeStatus = 200;
  asking.ask({ ...read(), method: 'HEAD' }, answer(200));
  expect(asking.oracle.rate('stranger')).toEqual({ of: 0, contradicted: 0 });
  asking.ask({ ...read(), method: 'HEAD' }, answer(206));
  expect(asking.rows).toEqual(['protection.collections']);
});
