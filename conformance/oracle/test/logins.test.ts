import { describe, expect, test } from 'vitest';
import { ada, bob, challenge, credentialsLine, grant, nonceLine, read, refusal, tokenLine } from '../../test/messages.js';
import { Asking } from './asking.js';

const login = (nonce: string, user = ada) => read(nonceLine(nonce), credentialsLine(user));

function challenged(...nonces: string[]): Asking {
  // Real time, so that it is known how old a nonce was that opened.
  const asking = new Asking({ runs: true });
  for (const nonce of nonces) asking.ask(read(), challenge(nonce));
  return asking;
}

test('a fresh nonce with the right credentials is granted', () => {
  const asking = challenged('n1', 'n2');
  expect(asking.ask(login('n2'), grant('t1'))).toBeUndefined();
  asking.ask(read(), challenge('n3'));
  const seen = asking.ask(login('n3'), refusal);
  expect(seen?.expectation).toMatchObject({ about: 'login', must: 'granted', requirement: 'exchange.status' });
  expect(asking.oracle.rate('login')).toEqual({ of: 2, contradicted: 1 });
  expect(asking.rows).toEqual(['exchange.status']);
});

test('a peculiar login that is granted at another time is lost like any other; refused each time it is refused for what it is', () => {
  const asking = challenged();
  const elsewhere = (nonce: string, came = grant(`t${nonce}`), user = ada) => {
    asking.ask({ ...read(), target: '/api/people' }, challenge(nonce));
    return asking.ask(login(nonce, user), came);
  };
  expect(elsewhere('n0', refusal)?.expectation.requirement).toBe('exchange.nonce-of-another-request');
  expect(asking.rows).toEqual([]);
  elsewhere('n1', grant('t'), bob);
  elsewhere('n2', refusal);
  expect(asking.rows).toEqual(['exchange.nonce-of-another-request', 'exchange.nonce-of-another-request']);
  elsewhere('n3');
  expect(asking.rows).toEqual(['exchange.status', 'exchange.status']);
});

test('of a useless token and the nonce of another request, which stand beside each other, neither is blamed for a refusal', () => {
  const asking = challenged('n1');
  const beside = (nonce: string) => asking.ask(read(nonceLine(nonce), credentialsLine(ada), tokenLine('unknown')), refusal);
  expect(beside('n1')?.expectation.requirement).toBe('exchange.beside-stale-token');
  asking.ask({ ...read(), method: 'PUT' }, challenge('n2'));
  expect(beside('n2')).toBeUndefined();
});

test.each([
  ['was presented before, rightly', (asking: Asking) => asking.ask(login('n'), grant('t'))],
  ['was presented before, with wrong credentials', (asking: Asking) => asking.ask(login('n', { ...bob, paraphrase: 'x' }), refusal)],
  ['is under way in another request', (asking: Asking) => asking.begin(login('n', bob))],
])('a nonce says nothing that %s', (_, before) => {
  const asking = challenged('n');
  before(asking);
  asking.ask(login('n'), refusal);
  expect(asking.rows).toEqual([]);
});

test('a nonce that is handed out again is fresh again', () => {
  const asking = challenged('n');
  asking.ask(login('n'), grant('t'));
  asking.ask(read(), challenge('n'));
  expect(asking.ask(login('n'), refusal)?.expectation.about).toBe('login');
});

test('a nonce that a refusal echoes stays spent', () => {
  const asking = challenged('n');
  asking.ask(login('n', { ...bob, paraphrase: 'x' }), challenge('n'));
  expect(asking.ask(login('n'), refusal)).toBeUndefined();
});

test('an account that saw wrong paraphrases may be locked, until it is granted a login', () => {
  const asking = challenged('n1', 'n2', 'n3', 'n4');
  asking.ask(login('n1', { ...ada, paraphrase: 'x' }), refusal);
  expect(asking.ask(login('n2'), refusal)).toBeUndefined();
  asking.ask(login('n3'), grant('t'));
  expect(asking.ask(login('n4'), refusal)?.expectation.about).toBe('login');
});

test('the refusal of a nonce that another displaced is no contradiction in the end', () => {
  const asking = challenged('n1', 'n2');
  expect(asking.ask(login('n1'), refusal)).toBeDefined();
  expect(asking.rows).toEqual([]);
});

test('it is one when a nonce as far from the newest was seen to open', () => {
  const asking = challenged('n1', 'n2');
  asking.ask(login('n1'), refusal);
  asking.ask(read(), challenge('n3'));
  asking.ask(read(), challenge('n4'));
  asking.nowMs += 100;
  asking.ask(login('n3'), grant('t'));
  expect(asking.rows).toEqual(['exchange.status']);
});

test('a login may displace the nonces that were issued before it', () => {
  const asking = challenged('n1', 'n2');
  asking.ask(login('n2', bob), grant('t1'));
  asking.ask(login('n1'), refusal);
  expect(asking.rows).toEqual([]);
  // This one opened beside a newer nonce, but after no other login.
  asking.ask(read(), challenge('n3'));
  asking.ask(read(), challenge('n4'));
  asking.nowMs += 100;
  asking.ask(login('n3'), grant('t2'));
  expect(asking.rows).toEqual([]);
});

test('a server error is no refusal, whatever may have happened to the nonce', () => {
  const asking = challenged('n1', 'n2');
  asking.ask(login('n2', bob), grant('t'));
  asking.ask(login('n1'), { ...refusal, status: 500 });
  expect(asking.rows).toEqual(['exchange.status']);
});

describe('an address may be locked after wrong logins', () => {
  const nobody = { ...ada, id: '7000000' };
  const refuse = (asking: Asking, times: number, who = nobody) => {
    for (let count = 0; count < times; count += 1) {
      asking.ask(read(), challenge(`${who.id} ${asking.nowMs}`));
      asking.ask(login(`${who.id} ${asking.nowMs - 11}`, who), refusal);
    }
  };

  test.each([
    ['three wrong ones, and three right ones refused behind them', 3, 3, []],
    ['two wrong ones are too few', 2, 3, ['exchange.status', 'exchange.status', 'exchange.status']],
    ['two right ones are not enough to see it', 3, 2, ['exchange.status', 'exchange.status']],
  ])('%s', (_, wrong, right, rows) => {
    const asking = challenged('n1');
    asking.ask(login('n1'), grant('t'));
    refuse(asking, wrong);
    refuse(asking, right, bob);
    expect(asking.rows).toEqual(rows);
  });

  test('a login that is granted in between says that it was not', () => {
    const asking = challenged();
    refuse(asking, 3);
    refuse(asking, 2, bob);
    asking.ask(read(), challenge('n'));
    asking.ask(login('n'), grant('t'));
    refuse(asking, 1, bob);
    expect(asking.rows).toHaveLength(3);
  });
});

test('a nonce that was kept for a while may have ended', () => {
  const asking = challenged('n1');
  asking.nowMs += 5000;
  asking.ask(login('n1'), refusal);
  expect(asking.rows).toEqual([]);
  asking.ask(read(), challenge('n2'));
  asking.nowMs += 60_000;
  asking.ask(login('n2'), grant('t'));
  expect(asking.rows).toEqual(['exchange.status']);
});
