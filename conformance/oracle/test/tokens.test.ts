import { expect, test } from 'vitest';
import { ada, challenge, credentialsLine, grant, nonceLine, read, refusal, resource, tokenLine } from '../../test/messages.js';
import { type Answer, type Exchange, isClockMove } from '../../wire/index.js';
import { Asking, lifetimeMs, toleranceMs } from './asking.js';

const use = (token: string) => read(tokenLine(token));

/** A oracle in which each of these tokens was given to a user, in this order. */
function given(...tokens: string[]): Asking {
  const asking = new Asking();
  tokens.forEach((token, index) => {
    give(asking, token, `n${index}`);
  });
  return asking;
}

function give(asking: Asking, token: string, nonce: string, user = ada): void {
  asking.ask(read(), challenge(nonce));
  asking.ask(read(nonceLine(nonce), credentialsLine(user)), grant(token));
}

test('a valid token is granted, and the row tells what happened to it before', async () => {
  const asking = given('t');
  expect(asking.ask(use('t'), refusal)?.expectation).toMatchObject({
    about: 'valid-token',
    must: 'granted',
    requirement: 'token.sufficient',
  });
  asking.ask(use('t'), resource);
  expect(asking.ask(use('t'), refusal)?.expectation.requirement).toBe('token.reusable');
  await asking.move(lifetimeMs / 2 + toleranceMs);
  expect(asking.ask(use('t'), refusal)?.expectation.requirement).toBe('expiry.valid-until');
  expect(asking.oracle.rate('valid-token')).toEqual({ of: 4, contradicted: 3 });
});

test('beside a wrong paraphrase, what is given says which of the two was honoured', async () => {
  const asking = given('t');
  await asking.move(lifetimeMs + toleranceMs);
  const wrong = credentialsLine({ ...ada, paraphrase: 'wrong' });
  const rowOf = (nonce: string, came: Answer) => {
    asking.ask(read(), challenge(nonce));
    return asking.ask(read(tokenLine('t'), nonceLine(nonce), wrong), came)?.expectation.requirement;
  };
  expect([rowOf('a', grant('u')), rowOf('b', resource)]).toEqual(['exchange.wrong-paraphrase-refused', 'expiry.refused-after']);
});

test('what went out before a request was answered may be the cause of its answer, the latest first', () => {
  const asking = given('t');
  const [first, refused, last] = [read(), use('t'), read()];
  const answers = [first, refused, last].map((plan) => asking.begin(plan));
  answers[1]?.(refusal);
  answers[0]?.(refusal);
  expect(asking.oracle.sentBefore(refused).slice(0, 2)).toEqual([last, first]);
});

test('real time ends a token too', () => {
  const asking = new Asking({ runs: true });
  give(asking, 't', 'n');
  asking.nowMs += lifetimeMs + toleranceMs;
  expect(asking.ask(use('t'), resource)?.expectation.about).toBe('expired-token');
});

test.each([0, -toleranceMs, toleranceMs - 1])('about its end nothing is said of a token (%i ms after it)', async (afterMs) => {
  const asking = given('t');
  await asking.move(lifetimeMs + afterMs);
  expect(asking.ask(use('t'), refusal)).toBeUndefined();
  expect(asking.ask(use('t'), resource)).toBeUndefined();
  expect(asking.oracle.rate('valid-token').of + asking.oracle.rate('expired-token').of).toBe(0);
});

test('nothing is said of a token whose use overlaps the move that ends it', async () => {
  const asking = given('t');
  const end = asking.begin(use('t'));
  await asking.move(2 * lifetimeMs);
  expect(end(refusal)).toBeUndefined();
});

test('a token in another letter case says nothing', () => {
  const asking = given('abcdef');
  expect(asking.ask(use('ABCDEF'), resource)).toBeUndefined();
  expect(asking.ask(use('ABCDEF'), refusal)).toBeUndefined();
  expect(asking.oracle.tokens.has('AbCdEf')).toBe(true);
});

test('where tokens are a sequence, one that is issued later was not unknown', () => {
  const asking = given('1001');
  expect(asking.ask(use('1002'), resource)).toBeDefined();
  expect(asking.rows).toEqual(['token.unknown-refused']);
  give(asking, '1002', 'n9');
  expect(asking.rows).toEqual([]);
});

test('a token that is handed out twice is as old as its first issue at the most, and as its last at the least', async () => {
  const asking = given('t');
  await asking.move(lifetimeMs);
  give(asking, 't', 'n9');
  await asking.move(toleranceMs);
  expect(asking.ask(use('t'), refusal)).toBeUndefined();
  expect(asking.ask(use('t'), resource)).toBeUndefined();
  expect([asking.oracle.tokens.hasRepetitions, asking.oracle.tokens.wasHandedOutAgain('t')]).toEqual([true, true]);
  const { leastMs, mostMs } = asking.oracle.tokens.ageOf('t', { sentAtMs: asking.nowMs, durationMs: 1 } as Exchange);
  expect(leastMs).toBe(toleranceMs);
  expect(mostMs).toBeGreaterThan(lifetimeMs + toleranceMs);
  await asking.move(lifetimeMs);
  expect(asking.ask(use('t'), resource)?.expectation.about).toBe('expired-token');
});

test('a contradiction is shown with challenge, login, and the moves of the clock since as one', async () => {
  const asking = given('t');
  asking.ask(read(), challenge('m'));
  await asking.move(lifetimeMs);
  await asking.move(lifetimeMs);
  const { chain = [] } = asking.ask(use('t'), resource) ?? {};
  expect(chain.map((link) => (isClockMove(link) ? link.advancedMs : link.request.headers.length))).toEqual([0, 2, 2 * lifetimeMs, 1]);
});
