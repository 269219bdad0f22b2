import { expect, test } from 'vitest';
import { ada, challenge, credentialsLine, grant, nonceLine, read, refusal, resource, tokenLine } from '../../test/messages.js';
import { type Chain, isClockMove } from '../../wire/index.js';
import { Asking, lifetimeMs } from './asking.js';

/** A chain as one can read it: what each request brought, or by how much the clock was moved. */
const inShort = (chain: Chain = []) =>
  chain.map((link) => (isClockMove(link) ? link.advancedMs : link.request.headers.map(([, value]) => value).join(' ')));
const [, rightAda] = credentialsLine(ada);

function loggedIn(): Asking {
  const asking = new Asking();
  asking.ask(read(), challenge('n'));
  asking.ask(read(nonceLine('n'), credentialsLine(ada)), grant('t'));
  return asking;
}

test('what a stranger got stands alone', () => {
  expect(inShort(new Asking().ask(read(), resource)?.chain)).toEqual(['']);
});

test('a login is shown with the challenge that gave its nonce', () => {
  const asking = new Asking();
  asking.ask(read(), challenge('n'));
  expect(inShort(asking.ask(read(nonceLine('n'), credentialsLine(ada)), refusal)?.chain)).toEqual(['', `n ${rightAda}`]);
});

test('the use of a token is shown with challenge and login, and nothing that happened between', () => {
  const asking = loggedIn();
  asking.ask(read(), challenge('m'));
  asking.ask(read(tokenLine('t')), resource);
  expect(inShort(asking.ask(read(tokenLine('t')), refusal)?.chain)).toEqual(['', `n ${rightAda}`, 't']);
});

test('moves of the clock since the token was given stand as one', async () => {
  const asking = loggedIn();
  await asking.move(lifetimeMs);
  await asking.move(lifetimeMs);
  expect(inShort(asking.ask(read(tokenLine('t')), resource)?.chain)).toEqual(['', `n ${rightAda}`, 2 * lifetimeMs, 't']);
});

test('gives the chain that led to a token', () => {
  const asking = loggedIn();
  expect(inShort(asking.oracle.chainTo('t'))).toEqual(['', `n ${rightAda}`]);
  expect(asking.oracle.chainTo('unknown')).toEqual([]);
  expect(asking.oracle.issueOf('t')?.request.headers).toHaveLength(2);
});

test('a token that a stranger was given has no challenge before it', () => {
  const asking = new Asking();
  asking.ask(read(), grant('t'));
  expect(inShort(asking.oracle.chainTo('t'))).toEqual(['']);
});
