import { expect, test } from 'vitest';
import type { Circumstance, Dimension } from '../../circumstances/index.js';
import type { Allowance } from '../../oracle/index.js';
import { Trial } from '../../subject/index.js';
import { answer, exchanged, grant, read, refusal, resource } from '../../test/messages.js';
import { closed, late, scriptedSubject } from '../../test/scripted-subject.js';
import type { Answer, Exchange, WireProblem } from '../../wire/index.js';
import type { Case } from '../case.js';
import { verdictOf } from '../verdict.js';
import { cause, state } from './scene.js';

const valid = state('fresh token');
const unknown = state('unknown token');
const stranger = state('nothing');

/** A circumstance of which only what it allows matters. */
function allowing(allows?: Allowance): Case['causes'] {
  const circumstance: Circumstance = { id: 'x', words: 'it rains', change: (draft) => draft, ...(allows === undefined ? {} : { allows }) };
  const dimension: Dimension = { name: 'weather', values: () => [circumstance], tells: {} };
  return [{ dimension, circumstance }];
}

const inMessage = (came: Answer | WireProblem, method = 'GET'): Exchange =>
  'code' in came ? { request: { ...read(), method }, problem: came, sentAtMs: 0, durationMs: 1 } : exchanged({ ...read(), method }, came);

function verdict(tried: Case, came: Answer | WireProblem, { challengeStatus = 401, method = 'GET' } = {}) {
  const subject = scriptedSubject();
  subject.facts.challengeStatus = challengeStatus;
  return verdictOf(tried, inMessage(came, method), new Trial(subject));
}

const status = (number: number) => answer(number);
const instead = { instead: { statuses: [406], row: 'protection.challenge-first' } };
const insteadAny = { instead: { statuses: 'any' as const, row: 'protection.path-spellings-challenged' } };

test.each<[Allowance | undefined, Answer | WireProblem, string]>([
  [undefined, resource, 'holds'],
  [undefined, grant('abc'), 'holds'],
  [undefined, refusal, 'fails'],
  [undefined, status(404), 'fails'],
  [undefined, status(500), 'fails'],
  [undefined, answer(200, [], '{"401":"no"}'), 'fails'],
  [undefined, closed, 'fails'],
  [undefined, late, 'open'],
  [undefined, status(429), 'open'],
  [undefined, status(503), 'open'],
  [{ granted: [404] }, status(404), 'holds'],
  [{ granted: [404] }, resource, 'holds'],
  [{ granted: [404] }, status(500), 'open'],
  [{ granted: [404] }, status(400), 'open'],
  [{ granted: [404] }, closed, 'open'],
  [{ granted: [404] }, status(401), 'fails'],
  [{ granted: [404] }, status(403), 'fails'],
  [{ granted: [404] }, status(407), 'fails'],
  [{ granted: [404] }, status(302), 'fails'],
  [{ granted: [302] }, status(302), 'holds'],
  [{ granted: [] }, refusal, 'fails'],
  [instead, refusal, 'fails'],
  [{ grantIsOpen: true }, refusal, 'open'],
  [{ grantIsOpen: true }, resource, 'holds'],
  [{ anyRefusal: true }, closed, 'open'],
  [{ anyRefusal: true }, refusal, 'fails'],
])('of a valid token, where %j is allowed, %#', (allows, came, expected) => {
  expect(verdict({ state: valid, causes: allows === undefined ? [] : allowing(allows) }, came).kind).toBe(expected);
});

test('the status of the challenge is a refusal, whatever it is', () => {
  const tried = { state: valid, causes: allowing({ granted: [405] }) };
  expect(verdict(tried, status(418)).kind).toBe('open');
  expect(verdict(tried, status(418), { challengeStatus: 418 }).kind).toBe('fails');
});

test.each<[Allowance | undefined, Answer | WireProblem, string]>([
  [undefined, refusal, 'holds'],
  [undefined, status(404), 'holds'],
  [undefined, status(500), 'holds'],
  [undefined, answer(200, [], '{"401":"no"}'), 'holds'],
  [undefined, closed, 'holds'],
  [undefined, late, 'open'],
  [undefined, status(429), 'open'],
  [undefined, resource, 'fails'],
  [undefined, grant('abc'), 'fails'],
  [{ granted: [200] }, resource, 'fails'],
  [{ grantIsOpen: true, anyRefusal: true }, resource, 'fails'],
  [{ anyRefusal: true }, closed, 'open'],
])('of an unknown token, where %j is allowed, %#', (allows, came, expected) => {
  expect(verdict({ state: unknown, causes: allows === undefined ? [] : allowing(allows) }, came).kind).toBe(expected);
});

test.each<[Allowance | undefined, Answer | WireProblem, string, string | undefined]>([
  [undefined, refusal, 'holds', undefined],
  [undefined, status(403), 'fails', undefined],
  [undefined, status(404), 'fails', undefined],
  [undefined, closed, 'fails', undefined],
  [undefined, late, 'open', undefined],
  [undefined, status(429), 'open', undefined],
  [undefined, resource, 'fails', undefined],
  [{ granted: [404] }, status(404), 'fails', undefined],
  [instead, status(406), 'fails', 'protection.challenge-first'],
  [instead, status(415), 'fails', undefined],
  [instead, refusal, 'holds', undefined],
  [instead, resource, 'fails', undefined],
  [insteadAny, status(404), 'fails', 'protection.path-spellings-challenged'],
  [insteadAny, resource, 'fails', undefined],
  [{ anyRefusal: true }, status(400), 'holds', undefined],
  [{ anyRefusal: true }, closed, 'open', undefined],
  [{ anyRefusal: true }, resource, 'fails', undefined],
])('of a stranger, where %j is allowed, %#', (allows, came, expected, row) => {
  const seen = verdict({ state: stranger, causes: allows === undefined ? [] : allowing(allows) }, came);
  expect([seen.kind, seen.kind === 'fails' ? seen.row : undefined]).toEqual([expected, row]);
});

test('what one of several circumstances allows is allowed', () => {
  const causes = [...allowing({ granted: [404] }), ...allowing(), ...allowing({ granted: [406] })];
  expect(verdict({ state: valid, causes }, status(406)).kind).toBe('holds');
  expect(verdict({ state: stranger, causes: [...allowing({ granted: [404] }), ...allowing(instead)] }, status(406))).toMatchObject({
    row: 'protection.challenge-first',
  });
});

test('where the challenge is a 2xx, HEAD cannot tell it from a resource', () => {
  const tried = { state: stranger, causes: [] };
  expect(verdict(tried, status(200), { challengeStatus: 200, method: 'HEAD' }).kind).toBe('open');
  expect(verdict(tried, status(200), { challengeStatus: 401, method: 'HEAD' }).kind).toBe('fails');
});

test('says what failed in a sentence', () => {
  const causes = [cause('query', '?page=1'), cause('method', 'HEAD')];
  expect(verdict({ state: valid, causes }, refusal)).toMatchObject({
    expected: 'A valid token is served when the query is ?page=1 and the method is HEAD',
    actual: '401',
  });
  expect(verdict({ state: stranger, causes: [] }, status(404))).toMatchObject({
    expected: 'A request without credentials gets the challenge (401)',
    actual: '404',
  });
  expect(verdict({ state: unknown, causes: [] }, grant('abc'))).toMatchObject({
    expected: 'A token that was never issued is refused, with no token and no resource',
    actual: '200 with a token',
    given: 'token',
  });
});
